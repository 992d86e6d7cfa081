/**
 * Attributes of spans, by OpenTelemetry's GenAI semantic conventions 0.1.0, which extend semantic conventions 1.45.0
 * (https://github.com/open-telemetry/semantic-conventions-genai). Own names begin with `sluiceway.`. undefined is
 * omitted.
 */
import type { Attributes } from '@opentelemetry/api'
import type { AttemptFacts, CanonicalRequest, FinishPhase, Key, Route } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'

/** `gen_ai.operation.name` by route, if it is not the kind of the route's models. */
const OPERATIONS: Readonly<Record<string, string>> = { completions: 'text_completion', embeddings: 'embeddings' }

export function operationOf({ name, kind }: Route): string {
  return OPERATIONS[name] ?? kind ?? 'chat'
}

/** Attributes of every span, which samplers need at its start. `model`: undefined: it is not configured. */
export function operationAttributes(operation: string, provider: string, model: string | undefined): Attributes {
  return { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': provider, 'gen_ai.request.model': model }
}

/** What the client has requested. undefined: not known, or zero data retention is required. */
export function requestedAttributes(request: CanonicalRequest | undefined): Attributes {
  if (request === undefined) return {}
  const { stream, n, sampling, responseFormat: format } = request
  return {
    'gen_ai.request.stream': stream || undefined,
    'gen_ai.request.choice.count': n === 1 ? undefined : n,
    'gen_ai.request.seed': sampling.seed,
    'gen_ai.request.top_k': sampling.top_k,
    'gen_ai.output.type': format === undefined ? undefined : OUTPUT_TYPES[format.type],
  }
}

/** `gen_ai.output.type` by the type of the response format. */
const OUTPUT_TYPES: Readonly<Record<string, string>> = { text: 'text', json_object: 'json', json_schema: 'json' }

/** Host and port of a backend's URL. */
export interface Address {
  readonly host: string
  readonly port: number
}

export function addressOf(backend: string): Address {
  const { hostname, port, protocol } = new URL(backend)
  return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

/** Attributes of the reply. `usage`: undefined on a span without usage. */
function replyAttributes(usage: ReplyUsage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens ?? undefined,
    'gen_ai.usage.output_tokens': usage?.outputTokens ?? undefined,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens ?? undefined,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens ?? undefined,
    'gen_ai.response.finish_reasons': usage?.finish == null ? undefined : [usage.finish],
  }
}

/** Attributes of the CLIENT span of an attempt at its end. `number`: number of the attempt, from 0. */
export function attemptAttributes(facts: AttemptFacts, number: number, usage: ReplyUsage | undefined): Attributes {
  const attributes = replyAttributes(usage)
  if (facts.status !== 0) attributes['http.response.status_code'] = facts.status
  if (number > 0) attributes['http.request.resend_count'] = number
  return attributes
}

/** Attributes of the SERVER span at its end. */
export function requestAttributes(
  exchange: FinishPhase,
  account: Pick<Key['account'], 'id' | 'name'> | undefined,
  usage: ReplyUsage | undefined,
): Attributes {
  const attributes = replyAttributes(usage)
  const served = exchange.attemptFacts.at(-1)
  if (served?.outcome === 'ok') attributes['gen_ai.response.model'] = served.model
  attributes['http.request.method'] = exchange.route.method
  attributes['http.route'] = exchange.route.path
  attributes['http.response.status_code'] = exchange.status
  attributes['sluiceway.request.id'] = exchange.logId
  attributes['sluiceway.account.id'] = account?.id
  attributes['sluiceway.account.name'] = account?.name
  if (exchange.queueMs !== null) attributes['sluiceway.queue.seconds'] = exchange.queueMs / 1000
  return attributes
}

/** The failure that a span reports. */
export interface SpanError {
  /** `error.type` */
  readonly type: string
  /** True: the side that the span describes has failed. The span gets the status `ERROR`. */
  readonly isFault: boolean
}

/** The error of an attempt: the HTTP status of the backend, or the outcome if there was no status. */
export function attemptError({ outcome, status }: AttemptFacts): SpanError | undefined {
  if (outcome === 'ok') return undefined
  return { type: status >= 400 ? String(status) : outcome, isFault: outcome !== 'cancelled' }
}

/** The error of a request: the code of the error response, or `client_gone`. */
export function requestError({ error, outcome, status }: FinishPhase): SpanError | undefined {
  if (outcome === 'client_gone') return { type: outcome, isFault: false }
  if (error === undefined) return undefined
  // An in-band error follows the status 200 of the stream.
  return { type: error.code, isFault: Math.max(status, error.status) >= 500 }
}
