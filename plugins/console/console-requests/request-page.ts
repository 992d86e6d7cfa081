import {
  errorTitle,
  type Html,
  html,
  htmlFacts,
  htmlWaterfall,
  idHtml,
  moneyHtml,
  type Span,
  type SpanKind,
  timeHtml,
} from '../../../lib/console.ts'
import { centsOf, type JsonObject } from '../../../lib/plugin.ts'
import { countText } from '../numbers.ts'
import { statusOf } from './list-page.ts'

/** Consecutive phases of a request. An unknown phase is part of the next one. */
function phasesOf(request: JsonObject): readonly Span[] {
  const total = Number(request.total_latency_ms)
  const waited = numberOf(request.queue_ms)
  const first = numberOf(request.first_byte_ms)
  // A refused request has no tokens.
  const isFailed = Number(request.status_code) >= 400
  const marks: readonly (readonly [name: string, kind: SpanKind, end: number | null])[] = [
    ['Waited', 'wait', waited],
    ['First byte', 'backend', first === null ? null : (waited ?? 0) + first],
    ['First token', 'first', numberOf(request.ttft_ms)],
    [isFailed ? 'Until the error' : 'Tokens', isFailed ? 'failed' : 'tokens', total],
  ]
  const phases: Span[] = []
  let from = 0
  for (const [name, kind, end] of marks) {
    if (end === null) continue
    // The times are rounded and from different clocks: a phase must not end before it starts.
    const to = Math.min(total, Math.max(from, end))
    phases.push({ name, kind, from, to })
    from = to
  }
  return phases
}

export interface RequestPage {
  readonly request: JsonObject
  /** The query of the list that has the request. */
  readonly scope: Readonly<Record<string, string>>
  readonly docsBase: string
  readonly currency: string
}

export function requestPage({ request, scope, docsBase, currency }: RequestPage): Html {
  const { error_code, error_message, stall_count, endpoint, cost_microcents, created_at } = request
  const list = (query: Readonly<Record<string, string>>) =>
    `/console/requests?${new URLSearchParams({ ...scope, ...query }).toString()}`
  const model = request.model_resolved ?? request.model_requested
  const facts: readonly (readonly [string, Html | string])[] = [
    ['Id', idHtml(String(request.request_id))],
    ['Time', timeHtml(created_at)],
    ['Status', html`<a href="${list({ status: String(request.status_code), since: '30d' })}">${statusOf(request)}</a>`],
    ['Model', typeof model === 'string' ? html`<a href="${list({ model, since: '30d' })}">${model}</a>` : '–'],
    ['Served at', String(endpoint ?? 'gateway')],
    ['Path', html`<code>${String(request.method)} ${String(request.path)}</code>`],
    ['Key', keyFact(request, scope, list)],
    ['Member', String(request.user_id ?? '–')],
    ['Session', sessionFact(request, list)],
    ...(typeof request.batch_id === 'string' ? [['Batch', batchFact(request, list)] as const] : []),
    ['Streamed', request.is_streaming === true ? 'yes' : 'no'],
    ['Finish reason', String(request.finish_reason ?? '–')],
    ['Input tokens', countOf(request.input_tokens, request.cache_read_tokens, 'from the cache')],
    ['Output tokens', countOf(request.output_tokens, request.reasoning_tokens, 'of reasoning')],
    ['Charged', cost_microcents === null ? 'nothing' : moneyHtml(centsOf(Number(cost_microcents)), currency)],
    ['Tags', ((request.request_tags as string[] | null) ?? []).join(', ') || '–'],
  ]
  const spans = phasesOf(request)
  return html`<p class="row"><a href="/console/requests">All requests</a> <a href="${list({ around: String(created_at) })}">Requests of that minute</a></p>
${
  typeof error_code === 'string' &&
  html`<div class="note bad"><p><strong>${errorTitle(error_code)}</strong> <code>${error_code}</code></p><p>${String(error_message ?? '')}</p>
<p><a href="${docsBase}/${error_code}">What that means, and what to do</a></p></div>`
}
<h2>Time</h2>
${htmlWaterfall({ caption: 'Parts of the time', spans, total: Number(request.total_latency_ms) })}
${request.is_streaming === true && html`<p>${stall(Number(stall_count))}</p>`}
<h2>Request</h2>
${htmlFacts(facts)}`
}

type HrefOf = (query: Readonly<Record<string, string>>) => string

/** The key, with a link to its requests. Users see only their own keys in a list. */
function keyFact({ key_id: key }: JsonObject, { who }: RequestPage['scope'], list: HrefOf): Html | string {
  if (typeof key !== 'string') return '–'
  const isListed = who === undefined && !key.startsWith('console:')
  return html`<a href="${list({ key, since: '30d' })}"><code>${key}</code></a>${isListed && html` · <a href="/console/keys">your keys</a>`}`
}

/** The hash of the session, with a link to its requests. */
function sessionFact({ session }: JsonObject, list: HrefOf): Html | string {
  if (typeof session !== 'string') return '–'
  return html`<a href="${list({ session, since: '30d' })}"><code>${session}</code></a>`
}

/** The batch, with a link to its requests, and the line. */
function batchFact({ batch_id, batch_line }: JsonObject, list: HrefOf): Html {
  const batch = String(batch_id)
  return html`<a href="${list({ batch, since: '30d' })}"><code>${batch}</code></a>, line ${countText(Number(batch_line))}`
}

/** `1,234, 1,000 of them from the cache` */
function countOf(all: unknown, some: unknown, words: string): string {
  const part = numberOf(some) ?? 0
  return part === 0 ? countText(Number(all)) : `${countText(Number(all))}, ${countText(part)} of them ${words}`
}

function stall(count: number): string {
  if (count === 0) return 'The stream did not stall.'
  return `The stream stalled ${count} ${count === 1 ? 'time' : 'times'}: more than a second without a token.`
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
