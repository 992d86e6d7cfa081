/**
 * Attributes of spans, named as the semantic conventions of OpenTelemetry have them, those for generative AI among them
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). What they have no name for begins with `sluiceway.`. The SDK leaves
 * out what is undefined.
 */
import type { Attributes } from '@opentelemetry/api'
import type { AttemptFacts, FinishPhase, Route } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'

/** `gen_ai.operation.name` where it is not the kind of the route's models. */
const OPERATIONS: Readonly<Record<string, string>> = { completions: 'text_completion', embeddings: 'embeddings' }

export function operationOf({ name, kind }: Route): string {
  return OPERATIONS[name] ?? kind ?? 'chat'
}

/** Host and port of a backend's URL. */
export interface Address {
  readonly host: string
  readonly port: number
}

export function addressOf(backend: string): Address {
  const { hostname, port, protocol } = new URL(backend)
  return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

/** What of the reply is known at the end. `usage` is undefined on a span that has none. */
function replyAttributes(usage: ReplyUsage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens ?? undefined,
    'gen_ai.usage.output_tokens': usage?.outputTokens ?? undefined,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens ?? undefined,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens ?? undefined,
    'gen_ai.response.finish_reasons': usage?.finish == null ? undefined : [usage.finish],
  }
}

/** Of the CLIENT span of the attempt of this number, from 0. */
export function attemptAttributes(
  facts: AttemptFacts,
  { host, port }: Address,
  number: number,
  usage: ReplyUsage | undefined,
): Attributes {
  const attributes = replyAttributes(usage)
  attributes['gen_ai.request.model'] = facts.model
  attributes['server.address'] = host
  attributes['server.port'] = port
  if (facts.status !== 0) attributes['http.response.status_code'] = facts.status
  if (number > 0) attributes['http.request.resend_count'] = number
  return attributes
}

/** Of the SERVER span. `model`: that was asked for; undefined: none that this gateway has. */
export function requestAttributes(
  exchange: FinishPhase,
  model: string | undefined,
  account: string | undefined,
  usage: ReplyUsage | undefined,
): Attributes {
  const attributes = replyAttributes(usage)
  const served = exchange.attemptFacts.at(-1)
  attributes['gen_ai.request.model'] = model
  if (served?.outcome === 'ok') attributes['gen_ai.response.model'] = served.model
  attributes['http.request.method'] = exchange.route.method
  attributes['http.route'] = exchange.route.path
  attributes['http.response.status_code'] = exchange.status
  attributes['sluiceway.request.id'] = exchange.logId
  attributes['sluiceway.account.id'] = account
  if (exchange.queueMs !== null) attributes['sluiceway.queue.seconds'] = exchange.queueMs / 1000
  return attributes
}

/** Why a span did not end well. */
export interface SpanError {
  /** `error.type` */
  readonly type: string
  /** The fault is on the side that the span describes: it has the status `ERROR`. */
  readonly isFault: boolean
}

/** The HTTP status of the backend, or the outcome where there was none. */
export function attemptError({ outcome, status }: AttemptFacts): SpanError | undefined {
  if (outcome === 'ok') return undefined
  return { type: status >= 400 ? String(status) : outcome, isFault: outcome !== 'cancelled' }
}

/** The code of the error response, or `client_gone`. */
export function requestError({ error, outcome, status }: FinishPhase): SpanError | undefined {
  if (outcome === 'client_gone') return { type: outcome, isFault: false }
  if (error === undefined) return undefined
  // An error that has been reported in a stream has the status 200 that was sent before it.
  return { type: error.code, isFault: Math.max(status, error.status) >= 500 }
}
