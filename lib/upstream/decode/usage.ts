import { isObject, type Json } from '../../base/json.ts'
import type { Usage } from '../../canonical/reply.ts'

/**
 * Reads a backend's `usage` object. Returns a description of the problem where it is not valid.
 * `before`: the previous usage of the same reply, whose details a later total may leave out.
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

/**
 * Milliseconds that a request waited inside the engine; undefined: not reported. `metrics`: a member beside the final usage of
 * vLLM 0.25 started with `--enable-per-request-metrics`, on replies with one choice.
 */
export function readQueuedMs(metrics: Json | undefined): number | undefined {
  const value = isObject(metrics) ? metrics.queue_time_ms : undefined
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** Adds the usage of one more choice. Choices of the same prompt share its tokens. */
export function addUsage(sum: Usage | undefined, one: Usage, newPrompt: boolean): Usage {
  const before = sum ?? { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 }
  return {
    promptTokens: before.promptTokens + (newPrompt ? one.promptTokens : 0),
    completionTokens: before.completionTokens + one.completionTokens,
    cachedTokens: newPrompt ? plus(before.cachedTokens, one.cachedTokens) : before.cachedTokens,
    reasoningTokens: plus(before.reasoningTokens, one.reasoningTokens),
  }
}

/** null where either count is unknown. */
function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
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
