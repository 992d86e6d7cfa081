import type { CanonicalRequest, FinishPhase, Key, RequestRecord, Sampling, Target } from '../../../lib/plugin.ts'
import type { Charge, EndUserName, ReplyUsage, UnitUse } from '../../slots.ts'
import { clientOf } from './client.ts'

/** Values of slots for a record; undefined: the exchange ended before a plugin filled the slot. */
interface RecordSlots {
  readonly zdr: 'header' | 'policy' | null
  readonly tags: readonly string[] | null
  readonly request: CanonicalRequest | undefined
  /** Name of the model in the body; null: none. */
  readonly model: string | null
  /** Sampling controls as the client sent them. */
  readonly sampling: Sampling | undefined
  readonly target: Target | undefined
  readonly usage: ReplyUsage | undefined
  readonly charge: Charge | null
  /** Keyed hash of the session. */
  readonly session: string | null
  readonly unitUse: UnitUse | null
  readonly endUser: EndUserName | null
  /** The line of a batch that the exchange runs. */
  readonly line: { readonly batch: string; readonly line: number } | undefined
}

const MAX_MODEL_LENGTH = 256

/** The facts of a finished exchange (docs/api/endpoint-request.md#record). */
export function toRecord(exchange: FinishPhase, key: Key, slots: RecordSlots): RequestRecord {
  const { zdr, tags, request, model, sampling, target, usage, charge, endUser, session, unitUse, line } = slots
  const { error, brokeMidStream, upstreamMs, upstreamStatus } = exchange
  const firstToken = usage?.firstTokenMs ?? null
  // A refused stream counts as one that failed before its first token (docs/api/endpoint-requests.md#record).
  const isStreaming = request?.stream ?? false
  return {
    id: exchange.id,
    created_at: exchange.startedMicros,
    surface: exchange.surface,
    endpoint: exchange.endpoint,
    account_id: key.account.id,
    user_id: key.user ?? null,
    key_id: key.id,
    method: exchange.route.method,
    path: exchange.route.path,
    model_requested: model === null ? null : model.slice(0, MAX_MODEL_LENGTH),
    model_resolved: target?.model.id ?? null,
    status_code: exchange.status,
    is_streaming: isStreaming,
    ttft_ms: isStreaming && firstToken !== null ? Math.round(firstToken) : null,
    total_latency_ms: Math.round(exchange.durationMs),
    duration_ms: upstreamMs === null ? null : Math.round(upstreamMs),
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    cache_read_tokens: usage?.cacheReadTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    output_tps: tokensPerSecond(exchange, usage),
    finish_reason: usage?.finish ?? null,
    matched_stop_token_id: usage?.matchedStopTokenId ?? null,
    stall_count: usage?.stalls ?? 0,
    temperature: sampling?.temperature ?? null,
    top_p: sampling?.top_p ?? null,
    tool_count: request?.kind === 'chat' ? request.tools.length : 0,
    transport_status_code: upstreamStatus === 0 || upstreamStatus === 200 ? null : upstreamStatus,
    stream_error_status_code: brokeMidStream ? (error?.status ?? null) : null,
    stream_error_type: brokeMidStream ? (error?.code ?? null) : null,
    usage_present: usage?.usagePresent ?? false,
    usage_parse_error: usage?.usageParseError ?? null,
    error_code: error?.code ?? null,
    error_message: (zdr === null ? error?.message : error?.messageWithoutNames) ?? null,
    request_tags: tags,
    zdr: zdr !== null,
    dispatched: target !== undefined,
    cost_microcents: charge?.microcents ?? null,
    backend: exchange.backend,
    attempts: exchange.attempts,
    queue_ms: exchange.queueMs === null ? null : Math.round(exchange.queueMs),
    first_byte_ms: exchange.firstByteMs === null ? null : Math.round(exchange.firstByteMs),
    engine_queue_ms: usage?.engineQueueMs == null ? null : Math.round(usage.engineQueueMs),
    upstream_status: upstreamStatus === 0 ? null : upstreamStatus,
    upstream_error: exchange.upstreamError ?? null,
    client_request_id: exchange.logId.startsWith('client_') ? exchange.logId : null,
    session,
    client: clientOf(exchange.headers['user-agent']),
    end_user: endUser?.id ?? null,
    end_user_label: endUser?.label ?? null,
    attempt_list: attemptsOf(exchange, usage),
    unit: unitUse === null || unitUse.units === null ? null : unitUse.unit,
    units: unitUse?.units ?? null,
    batch_id: line?.batch ?? null,
    batch_line: line?.line ?? null,
  }
}

/** Below this duration all tokens arrived in one piece, so their times do not show how fast they were generated. */
const MIN_STREAM_MS = 1

/** The tokens after the first divided by their time; for a JSON reply, all tokens by the backend's time. */
function tokensPerSecond(exchange: FinishPhase, usage: ReplyUsage | undefined): number | null {
  if (usage === undefined || usage.outputTokens === null || usage.outputTokens === 0) return null
  const { firstTokenMs, lastTokenMs, outputTokens } = usage
  const span = firstTokenMs === null || lastTokenMs === null ? 0 : lastTokenMs - firstTokenMs
  const isStreamed = exchange.streaming && span >= MIN_STREAM_MS
  const ms = isStreamed ? span : exchange.upstreamMs
  const tokens = isStreamed ? outputTokens - 1 : outputTokens
  return ms === null || ms <= 0 || tokens <= 0 ? null : Math.round((tokens / ms) * 100_000) / 100
}

/** Attempts of a record. A request has more only if many backends fail one after the other. */
const MAX_ATTEMPTS = 32

function attemptsOf({ attemptFacts }: FinishPhase, usage: ReplyUsage | undefined): RequestRecord['attempt_list'] {
  if (attemptFacts.length === 0) return null
  return attemptFacts.slice(-MAX_ATTEMPTS).map((facts, i, all) => {
    const { model, backend, outcome, reason, startedMs, firstTokenMs, endedMs, status, choice } = facts
    // Replies that pass as bytes have their usage only at the end, in the slot.
    const isCounted = i === all.length - 1 && outcome === 'ok' && usage?.usagePresent === true
    return {
      backend,
      reason: reason ?? (outcome === 'ok' ? null : outcome),
      tokens: facts.usage?.completionTokens ?? (isCounted ? usage.outputTokens : null),
      prompt_tokens: facts.usage?.promptTokens ?? (isCounted ? usage.inputTokens : null),
      ms: Math.round(endedMs - startedMs),
      model,
      started_ms: Math.round(startedMs),
      first_token_ms: rounded(firstTokenMs === null ? null : firstTokenMs - startedMs),
      status: status === 0 ? null : status,
      routed: choice?.reason ?? null,
      predicted_ms: rounded(choice?.predictedMs ?? null),
      predicted_cached_tokens: rounded(choice?.cachedTokens ?? null),
      cached_tokens: facts.usage?.cachedTokens ?? (isCounted ? usage.cacheReadTokens : null),
    }
  })
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}
