import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'

/** The number of alternatives per token that the client asked for. */
export function alternativesOf({ kind, sampling }: CanonicalRequest): number {
  if (kind === 'chat') return sampling.top_logprobs ?? 0
  return typeof sampling.logprobs === 'number' ? sampling.logprobs : 0
}

/** Log probabilities of a chat, with at most `alternatives` per token: llama-server sends at least one. */
export function chatLogprobs(value: Json, alternatives: number): Json {
  if (!isObject(value) || !Array.isArray(value.content)) return value
  const content = value.content.map(entry => {
    if (!isObject(entry) || !Array.isArray(entry.top_logprobs)) return entry
    return { ...entry, top_logprobs: entry.top_logprobs.slice(0, alternatives) }
  })
  return { ...value, content }
}

/**
 * Converts log probabilities of a text completion from the form of a chat (llama-server 0.7) to parallel lists.
 * `offset`, `end`: positions of the first token and after the last one, in characters. undefined: these are lists.
 */
export function textLogprobs(
  value: Json,
  alternatives: number,
  offset: number,
): { readonly value: JsonObject; readonly end: number } | undefined {
  if (!isObject(value) || !Array.isArray(value.content)) return undefined
  const tokens: Json[] = []
  const token_logprobs: Json[] = []
  const top_logprobs: Json[] = []
  const text_offset: Json[] = []
  let end = offset
  for (const entry of value.content) {
    if (!isObject(entry) || typeof entry.token !== 'string') continue
    tokens.push(entry.token)
    token_logprobs.push(entry.logprob ?? null)
    top_logprobs.push(byToken(entry, alternatives))
    text_offset.push(end)
    end += [...entry.token].length
  }
  return { value: { tokens, token_logprobs, top_logprobs, text_offset }, end }
}

/** Log probabilities of the alternatives and of the token itself, keyed by token. */
function byToken(entry: JsonObject, alternatives: number): JsonObject {
  const likeliest = Array.isArray(entry.top_logprobs) ? entry.top_logprobs.slice(0, alternatives) : []
  const pairs = [...likeliest, entry].filter(isObject).map(({ token, logprob }) => [String(token), logprob ?? null])
  return Object.fromEntries(pairs)
}
