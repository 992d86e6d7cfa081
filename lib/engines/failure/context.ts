import { isText } from '../../body/index.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { ModelConfig } from '../../config/config.ts'
import { failure, type GatewayError } from '../../errors/errors.ts'
import type { BackendError } from '../decode/error.ts'
import { leastTextTokens } from '../least-tokens.ts'

/** A request that does not fit the context window, as far as it is known. */
export interface Overflow {
  /** The window in tokens; undefined where neither the configuration nor the backend names it. */
  readonly limit: number | undefined
  readonly promptTokens?: number | undefined
  /** Counting stopped at promptTokens: the prompt may be longer. */
  readonly atLeast?: boolean
  readonly maxTokens?: number | undefined
  /** Canonical path of the member that is too large. */
  readonly param?: string
}

/**
 * Returns why the request cannot fit the model's context window; undefined where only a tokenizer could tell. Certain are
 * max_tokens, prompts of token ids, and text with more words than the window has tokens.
 */
export function certainOverflow(request: CanonicalRequest, model: ModelConfig): Overflow | undefined {
  const limit = model.max_model_len
  if (limit === undefined) return undefined
  const wanted = request.clampMaxTokens ? 0 : (request.maxTokens ?? 0)
  if (wanted > limit) return { limit, maxTokens: wanted, param: 'max_tokens' }

  const promptTokens = certainPromptTokens(request)
  if (promptTokens > limit) return { limit, promptTokens, param: 'prompt' }
  if (promptTokens > 0 && promptTokens + wanted > limit)
    return { limit, promptTokens, maxTokens: wanted, param: 'max_tokens' }

  // Text and max_tokens together are left to the backend: some generate up to the end of the window instead of refusing.
  const atLeast = leastTextTokens(request, limit)
  const param = request.kind === 'chat' ? 'messages' : 'prompt'
  return atLeast > limit ? { limit, promptTokens: atLeast, atLeast: true, param } : undefined
}

/** Length of the longest prompt of token ids; 0 where there is none. */
export function certainPromptTokens(request: CanonicalRequest): number {
  if (request.kind === 'chat') return 0
  if (isText(request, 'prompt')) return 0
  const prompt = request.prompt as string[] | number[] | number[][]
  if (isText(prompt, 0)) return 0
  if (typeof prompt[0] === 'number') return prompt.length
  let longest = 0
  for (const one of prompt) if (Array.isArray(one)) longest = Math.max(longest, one.length)
  return longest
}

/** max_tokens, lowered to the rest of the window; unchanged where it fits, or where nothing is left. */
export function clampedMaxTokens(maxTokens: number, limit: number, promptTokens: number): number {
  const rest = limit - promptTokens
  return rest >= 1 ? Math.min(maxTokens, rest) : maxTokens
}

/**
 * context_length_exceeded with its members (docs/errors/context_length_exceeded.md). `models`: those that may be suggested.
 * The message begins as Claude Code expects it: only then does it shorten its conversation.
 */
export function contextExceeded(overflow: Overflow, model: ModelConfig, models: readonly ModelConfig[]): GatewayError {
  const { limit, promptTokens, atLeast, maxTokens, param } = overflow
  const window = limit === undefined ? 'the context window' : `the context window of ${limit} tokens`
  const needs = [
    promptTokens === undefined ? undefined : `a prompt of ${atLeast ? 'at least ' : ''}${promptTokens} tokens`,
    maxTokens === undefined ? undefined : `max_tokens of ${maxTokens}`,
  ].filter(part => part !== undefined)
  const problem = `prompt is too long: ${needs.join(' and ') || 'the request'} does not fit ${window} of model '${model.id}'.`
  const extra = {
    model: model.id,
    ...(limit !== undefined && { context_length_limit: limit }),
    suggested_models: suggestions(overflow, model, models),
  }
  return failure('context_length_exceeded', { problem }, { param, extra })
}

function suggestions({ limit, promptTokens = 0 }: Overflow, model: ModelConfig, models: readonly ModelConfig[]) {
  if (limit === undefined) return []
  return models
    .flatMap(({ id, max_model_len: length }) =>
      id !== model.id && length !== undefined && length > limit && length > promptTokens
        ? [{ id, context_length: length }]
        : [],
    )
    .sort((a, b) => a.context_length - b.context_length)
}

/** Wordings of vLLM, SGLang, llama.cpp and OpenAI. Linear, and run on at most 2,000 characters. */
const LIMIT = [
  /(?:context length|context size|context window)[^\d.]{0,20}(\d{1,9})/,
  /(?:max_model_len|max_total_tokens)=(\d{1,9})/,
  /maximum model length of (\d{1,9})/,
  /maximum allowed length \((\d{1,9})/,
  /supports at most (\d{1,9})/,
  /=> \d{1,9} >= (\d{1,9})/,
]
const PROMPT = [
  /request has (\d{1,9}) input tokens/,
  /prompt contains (\d{1,9}) input tokens/,
  /passed (\d{1,9}) input tokens/,
  /(\d{1,9}) tokens from the input/,
  /(?:input|request) \((\d{1,9}) tokens\)/,
  /input length \((\d{1,9})(?: tokens)?\)/,
  /prompt \(length (\d{1,9})\)/,
  /=> (\d{1,9}) >= \d/,
  /(\d{1,9}) in the messages/,
  /resulted in (\d{1,9}) tokens/,
]
const PROMPT_AT_LEAST = [/prompt contains at least (\d{1,9}) input tokens/]
/** vLLM compares the characters of a long text first: the prompt has more tokens than this number. */
const PROMPT_MORE_THAN = [/upper bound for (\d{1,9}) input tokens/]
const MAX_TOKENS = [
  /too large: (\d{1,9})/,
  /requested (\d{1,9}) output tokens/,
  /(\d{1,9}) tokens for the completion/,
  /(\d{1,9}) in the completion/,
  /max_(?:completion_)?tokens=(\d{1,9})/,
]

/** Reads the numbers in a backend's refusal: whether the prompt or max_tokens is too large. */
export function overflowOf(error: BackendError, model: ModelConfig): Overflow {
  const message = error.message.toLowerCase()
  const reported = error.contextLimit ?? numberIn(message, LIMIT)
  const card = model.max_model_len
  const limit = reported === undefined || card === undefined ? (reported ?? card) : Math.min(reported, card)
  const maxTokens = numberIn(message, MAX_TOKENS)
  const prompt = promptOf(error.promptTokens, message, reported, maxTokens)
  const { promptTokens = 0 } = prompt
  // The prompt alone fills the window, whatever max_tokens is.
  if (!maxTokens || limit === undefined || promptTokens >= limit) return { limit, ...prompt }
  const isMaxTokens = maxTokens > limit || (promptTokens > 0 && prompt.atLeast !== true)
  return { limit, ...prompt, maxTokens, ...(isMaxTokens && { param: 'max_tokens' }) }
}

/**
 * vLLM stops counting one token beyond the rest of the window that max_tokens leaves. The number is then a lower bound,
 * which only newer versions say.
 */
function promptOf(
  exact: number | undefined,
  message: string,
  limit: number | undefined,
  maxTokens: number | undefined,
): Pick<Overflow, 'promptTokens' | 'atLeast'> {
  if (exact !== undefined) return { promptTokens: exact }
  const counted = numberIn(message, PROMPT)
  const moreThan = numberIn(message, PROMPT_MORE_THAN)
  const least = numberIn(message, PROMPT_AT_LEAST) ?? (moreThan === undefined ? undefined : moreThan + 1)
  if (counted === undefined && least !== undefined) return { promptTokens: least, atLeast: true }
  const stopped = counted !== undefined && limit !== undefined && maxTokens && counted + maxTokens === limit + 1
  return { promptTokens: counted, ...(stopped && { atLeast: true }) }
}

/**
 * The max_tokens with which the backend accepts the same prompt. `rest`: only the backend knows the rest of the window, and
 * uses it where max_tokens is not sent. undefined: the prompt alone does not fit.
 */
export function fittingMaxTokensOf({ limit, promptTokens, atLeast, maxTokens }: Overflow): number | 'rest' | undefined {
  if (limit === undefined || (promptTokens ?? 0) >= limit) return undefined
  if (promptTokens !== undefined && atLeast !== true) return limit - promptTokens
  return maxTokens === undefined ? undefined : 'rest'
}

function numberIn(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
