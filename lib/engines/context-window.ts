/** Whether a request can fit the context window of a model, as far as that is certain without a tokenizer. */
import { isText } from '../body/index.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { ModelConfig } from '../config/config.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { leastTextTokens } from './least-tokens.ts'

export interface Overflow {
  /** The window in tokens; undefined if neither the configuration nor the backend reports it. */
  readonly limit: number | undefined
  readonly promptTokens?: number | undefined
  /** `promptTokens` is a lower bound: counting stopped there. */
  readonly atLeast?: boolean
  readonly maxTokens?: number | undefined
  /** Canonical path of the member that is too large. */
  readonly param?: string
}

/**
 * Why the request cannot fit the context window; undefined if only a tokenizer can decide. Considers max_tokens, token
 * ids, and a lower bound for the tokens of a text.
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

  // The backend decides on text and max_tokens together: some stop at the end of the window instead of refusing.
  const atLeast = leastTextTokens(request, limit)
  const param = request.kind === 'chat' ? 'messages' : 'prompt'
  return atLeast > limit ? { limit, promptTokens: atLeast, atLeast: true, param } : undefined
}

/** Length of the longest prompt of token ids; 0 if no prompt has token ids. */
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

/** max_tokens, limited to the rest of the window. Unchanged if the prompt leaves no rest. */
export function clampedMaxTokens(maxTokens: number, limit: number, promptTokens: number): number {
  const rest = limit - promptTokens
  return rest >= 1 ? Math.min(maxTokens, rest) : maxTokens
}

const CLAMP = "The operator can have max_tokens lowered to what fits: 'clamp_max_tokens'."

/**
 * The error context_length_exceeded. `models`: candidates for suggested_models. Claude Code shortens its conversation
 * only if the message begins with `prompt is too long`.
 */
export function contextExceeded(overflow: Overflow, model: ModelConfig, models: readonly ModelConfig[]): GatewayError {
  const { limit, promptTokens, atLeast, maxTokens, param } = overflow
  const window = limit === undefined ? 'the context window' : `the context window of ${limit} tokens`
  const needs = [
    promptTokens === undefined ? undefined : `a prompt of ${atLeast ? 'at least ' : ''}${promptTokens} tokens`,
    maxTokens === undefined ? undefined : `max_tokens of ${maxTokens}`,
  ].filter(part => part !== undefined)
  const problem = `prompt is too long: ${needs.join(' and ') || 'the request'} does not fit ${window} of model '${model.id}'.${param === 'max_tokens' ? ` ${CLAMP}` : ''}`
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
