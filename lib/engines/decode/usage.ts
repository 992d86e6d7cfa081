import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/**
 * Reads a backend's `usage` object. Returns a description of the problem if it is invalid.
 * `before`: the previous usage of the same reply. Its details are used if this one has none.
 * Sources: vLLM (`prompt_tokens_details` is null unless enabled), SGLang (`reasoning_tokens` at the top level).
 */
export function readUsage(value: Json, before: Usage | undefined, nullMeansZero: boolean): Usage | string {
  if (!isObject(value)) return 'usage is not an object'
  const promptTokens = value.prompt_tokens
  if (!isCount(promptTokens)) return 'usage.prompt_tokens is not a whole number'
  const completionTokens = value.completion_tokens ?? rest(value.total_tokens, promptTokens)
  if (!isCount(completionTokens)) return 'usage.completion_tokens is not a whole number'

  const cached = count(value.prompt_tokens_details, 'cached_tokens') ?? before?.cachedTokens
  const reasoning =
    count(value.completion_tokens_details, 'reasoning_tokens') ??
    count(value, 'reasoning_tokens') ??
    before?.reasoningTokens
  return {
    promptTokens,
    completionTokens,
    // More cached tokens than prompt tokens would make a price negative.
    cachedTokens: cached == null ? (nullMeansZero ? 0 : null) : Math.min(cached, promptTokens),
    reasoningTokens: reasoning ?? null,
  }
}

/** Milliseconds in the engine's queue. `metrics`: from vLLM 0.25 with `--enable-per-request-metrics`, if one choice. */
export function readQueuedMs(metrics: Json | undefined): number | undefined {
  const value = isObject(metrics) ? metrics.queue_time_ms : undefined
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/**
 * llama-server's `timings` as a `usage` object; undefined if a count is missing. `timings` has the computed and the
 * cached tokens of the prompt separately (tools/server/server-task.cpp).
 */
export function usageOfTimings(timings: Json | undefined): JsonObject | undefined {
  if (!isObject(timings)) return undefined
  const { cache_n: cached, prompt_n: computed, predicted_n: predicted } = timings
  if (!isCount(cached) || !isCount(computed) || !isCount(predicted)) return undefined
  return {
    prompt_tokens: cached + computed,
    completion_tokens: predicted,
    prompt_tokens_details: { cached_tokens: cached },
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function rest(total: Json | undefined, promptTokens: number): number | undefined {
  return isCount(total) ? total - promptTokens : undefined
}

function count(details: Json | undefined, name: string): number | null {
  const value = isObject(details) ? details[name] : undefined
  return isCount(value) ? value : null
}
