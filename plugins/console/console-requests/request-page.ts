import { type Html, html, htmlTable, idHtml, moneyHtml, timeHtml } from '../../../lib/console.ts'
import { centsOf, type JsonObject } from '../../../lib/plugin.ts'
import { countText, durationText } from '../numbers.ts'
import { statusOf } from './list-page.ts'

/** A phase of a request. */
interface Phase {
  readonly name: string
  /** Milliseconds since the request arrived. */
  readonly from: number
  readonly to: number
}

/** Consecutive phases of a request. An unknown phase is part of the next one. */
function phasesOf(request: JsonObject): readonly Phase[] {
  const total = Number(request.total_latency_ms)
  const waited = numberOf(request.queue_ms)
  const first = numberOf(request.first_byte_ms)
  const marks: readonly (readonly [name: string, end: number | null])[] = [
    ['Waited', waited],
    ["Backend's first byte", first === null ? null : (waited ?? 0) + first],
    ['First token', numberOf(request.ttft_ms)],
    // A request without a response of a backend has no tokens.
    [first === null && Number(request.status_code) >= 400 ? 'Until the error' : 'Tokens', total],
  ]
  const phases: Phase[] = []
  let from = 0
  for (const [name, end] of marks) {
    if (end === null) continue
    // The times are rounded and from different clocks: a phase must not end before it starts.
    const to = Math.min(total, Math.max(from, end))
    phases.push({ name, from, to })
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
  const phases = phasesOf(request)
  const { error_code, error_message, stall_count, endpoint, cost_microcents } = request
  const facts: readonly (readonly [string, Html | string])[] = [
    ['Id', idHtml(String(request.request_id))],
    ['Time', timeHtml(request.created_at)],
    ['Status', statusOf(request)],
    ['Model', String(request.model_resolved ?? request.model_requested ?? '–')],
    ['Served at', String(endpoint ?? 'gateway')],
    ['Path', html`<code>${String(request.method)} ${String(request.path)}</code>`],
    ['Key', html`<code>${String(request.key_id ?? '–')}</code>`],
    ['Member', String(request.user_id ?? '–')],
    ['Session', sessionFact(request, scope)],
    ...(typeof request.batch_id === 'string' ? [['Batch', batchFact(request, scope)] as const] : []),
    ['Streamed', request.is_streaming === true ? 'yes' : 'no'],
    ['Finish reason', String(request.finish_reason ?? '–')],
    [
      'Input tokens',
      `${countText(Number(request.input_tokens))}, ${countText(Number(request.cache_read_tokens))} from the cache`,
    ],
    [
      'Output tokens',
      `${countText(Number(request.output_tokens))}, ${countText(numberOf(request.reasoning_tokens))} of reasoning`,
    ],
    ['Charged', cost_microcents === null ? 'nothing' : moneyHtml(centsOf(Number(cost_microcents)), currency)],
    ['Tags', ((request.request_tags as string[] | null) ?? []).join(', ') || '–'],
  ]
  return html`<p><a href="/console/requests">All requests</a></p>
${
  error_code !== null &&
  html`<div class="note bad"><p><strong>${String(error_code)}</strong>: ${String(error_message ?? '')}</p>
<p><a href="${docsBase}/${String(error_code)}">What that means, and what to do</a></p></div>`
}
<h2>Time</h2>
${bar(phases)}
${htmlTable(
  'Parts of the time',
  ['Part', 'Took#', 'Until#'],
  phases.map(({ name, from, to }) => [name, durationText(to - from), durationText(to)]),
)}
<p>${stall(Number(stall_count))}</p>
<h2>Request</h2>
<dl class="cards">${facts.map(([name, value]) => html`<div class="card"><dt>${name}</dt><dd class="fact">${value}</dd></div>`)}</dl>`
}

/** The hash of the session, with a link to its requests. */
function sessionFact({ session }: JsonObject, scope: RequestPage['scope']): Html | string {
  if (typeof session !== 'string') return '–'
  const query = new URLSearchParams({ ...scope, session, since: '30d' })
  return html`<a href="/console/requests?${query.toString()}"><code>${session}</code></a>`
}

/** The batch, with a link to its requests, and the line. */
function batchFact({ batch_id, batch_line }: JsonObject, scope: RequestPage['scope']): Html {
  const batch = String(batch_id)
  const query = new URLSearchParams({ ...scope, batch, since: '30d' })
  return html`<a href="/console/requests?${query.toString()}"><code>${batch}</code></a>, line ${countText(Number(batch_line))}`
}

/** For sighted users only: the table below has the same numbers. */
function bar(phases: readonly Phase[]): Html {
  const total = Math.max(1, phases.at(-1)?.to ?? 0)
  const share = (ms: number) => ((ms / total) * 100).toFixed(2)
  const blocks = phases.map(
    ({ from, to }, at) =>
      html`<rect class="part-${at + 1}" x="${share(from)}" width="${share(to - from)}" y="0" height="10"></rect>`,
  )
  const names = phases.map(({ name }, at) => html`<span><span class="key part-${at + 1}"></span> ${name}</span> `)
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${blocks}</svg>
<p class="row" aria-hidden="true">${names}</p>`
}

function stall(count: number): string {
  if (count === 0) return 'The stream did not stall.'
  return `The stream stalled ${count} ${count === 1 ? 'time' : 'times'}: more than a second without a token.`
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
