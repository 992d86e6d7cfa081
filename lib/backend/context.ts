import type { DetachedText } from '../body/detach.ts'
import type { CanonicalRequest, GatewayError } from '../chat.ts'
import type { ModelConfig } from '../config/config.ts'
import { failure } from '../errors.ts'
import { leastTextTokens } from './least-tokens.ts'
import type { BackendError } from './wire/error.ts'

/** What is known of a request that does not fit. */
export interface Overflow {
  /** The window in tokens; undefined where neither the card nor the backend says it. */
  readonly limit: number | undefined
  readonly promptTokens?: number | undefined
  /** The prompt has more tokens than that, if anything. */
  readonly atLeast?: boolean
  readonly maxTokens?: number | undefined
  /** Canonical path of the member that is too large. */
  readonly param?: string
}

/**
 * Why no backend of this model can serve the request, or undefined where only a tokenizer could tell. Certain are
 * max_tokens, prompts of token ids, and text with more words than the window has tokens. `detached`: long texts of a large
 * body.
 */
export function certainOverflow(
  request: CanonicalRequest,
  model: ModelConfig,
  detached: readonly DetachedText[] | null = null,
): Overflow | undefined {
  const limit = model.max_model_len
  if (limit === undefined) return undefined
  const wanted = request.clampMaxTokens ? 0 : (request.maxTokens ?? 0)
  if (wanted > limit) return { limit, maxTokens: wanted, param: 'max_tokens' }

  const promptTokens = certainPromptTokens(request)
  if (promptTokens > limit) return { limit, promptTokens, param: 'prompt' }
  if (promptTokens > 0 && promptTokens + wanted > limit)
    return { limit, promptTokens, maxTokens: wanted, param: 'max_tokens' }

  // Beside text, max_tokens is left to the backend: some end where the window does instead of refusing.
  const atLeast = leastTextTokens(request, limit, detached)
  const param = request.kind === 'chat' ? 'messages' : 'prompt'
  return atLeast > limit ? { limit, promptTokens: atLeast, atLeast: true, param } : undefined
}

/** The tokens that the longest prompt has for certain: those of token ids. */
export function certainPromptTokens(request: CanonicalRequest): number {
  if (request.kind === 'chat') return 0
  const { prompt } = request
  if (typeof prompt === 'string') return 0
  if (typeof prompt[0] === 'number') return prompt.length
  let longest = 0
  for (const one of prompt) if (Array.isArray(one)) longest = Math.max(longest, one.length)
  return longest
}

/** max_tokens lowered to what the prompt leaves of the window; unchanged where that is enough, or where nothing is left. */
export function clampedMaxTokens(maxTokens: number, limit: number, promptTokens: number): number {
  const room = limit - promptTokens
  return room >= 1 ? Math.min(maxTokens, room) : maxTokens
}

/**
 * context_length_exceeded with the members of api.md. `models` are those the client may be pointed to.
 * The message begins with the words by which Claude Code knows that it has to shorten its conversation.
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
const LIMIT = /(?:context length|context size|context window)[^\d.]{0,20}(\d{1,9})/
const PROMPT = [
  /request has (\d{1,9}) input tokens/,
  /prompt contains (\d{1,9}) input tokens/,
  /(\d{1,9}) tokens from the input/,
  /(?:input|request) \((\d{1,9}) tokens\)/,
  /input length \((\d{1,9})\)/,
  /(\d{1,9}) in the messages/,
  /resulted in (\d{1,9}) tokens/,
]

/**
 * The numbers in a backend's refusal. vLLM's "at least N input tokens" is left out: it counted only as far as it had
 * to, so what it leaves of the window would be wrong.
 */
export function overflowOf(error: BackendError, model: ModelConfig): Overflow {
  const message = error.message.toLowerCase()
  const told = error.contextLimit ?? numberIn(message, LIMIT)
  const card = model.max_model_len
  return {
    limit: told === undefined || card === undefined ? (told ?? card) : Math.min(told, card),
    promptTokens: error.promptTokens ?? PROMPT.map(pattern => numberIn(message, pattern)).find(n => n !== undefined),
  }
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
