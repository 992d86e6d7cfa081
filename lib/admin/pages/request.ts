/** The page of one request: its latency by segments, advice on its error, and all its fields. */
import { existsSync, readFileSync } from 'node:fs'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { centsOf } from '../../base/money.ts'
import type { Config } from '../../config/config.ts'
import { type Html, html } from '../../pages/html.ts'
import { loadMarkdown } from '../../pages/load-markdown.ts'
import { addressHtml, idHtml, timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import type { PageRoute } from './page.ts'
import { statusCell } from './requests.ts'
import { millisText, moneyCell, NOTHING, numberText, requestsHref, textOf } from './text.ts'

const FOLDER = new URL('../../../docs/errors/', import.meta.url)

export const requestRoute: PageRoute = {
  method: 'GET',
  path: '/requests/{id}',
  async handle({ params, call, config }) {
    const request = await call('request', { params: { id: decoded(params.id!) } })
    const body = html`<p class="row">${idHtml(textOf(request.request_id))} <a href="/requests">All requests</a> <a href="${requestsHref({ around: textOf(request.created_at) })}">Requests of that minute</a></p>
${timeBar(request)}
${await errorAdvice(request)}
${attemptTable(request.attempt_list)}
<h2>Details</h2>
${factTable(request, config)}`
    return { title: `Request ${textOf(request.request_id)}`, path: '/requests', body }
  },
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface LatencySegment {
  readonly name: string
  readonly ms: number
  readonly what: string
}

/** The segments of the total latency, in chronological order. Unknown segments are omitted. */
function segmentsOf(request: JsonObject): readonly LatencySegment[] {
  const total = numberOf(request.total_latency_ms)
  const queue = numberOf(request.queue_ms)
  const backend = Math.min(numberOf(request.duration_ms), total)
  const head = Math.min(numberOf(request.first_byte_ms), backend)
  const gateway = Math.max(0, total - backend - queue)
  const firstToken = Math.max(0, Math.min(numberOf(request.ttft_ms) - gateway - queue - head, backend - head))
  const tokens = Math.max(0, backend - head - firstToken)
  const stalls = numberOf(request.stall_count)
  const stalled = stalls === 0 ? '' : `, with ${stalls === 1 ? 'a stall' : `${stalls} stalls`} of more than a second`
  const segments: readonly LatencySegment[] = [
    { name: 'Gateway', ms: gateway, what: 'key, limits, checks, and writing to the client' },
    { name: 'Queue', ms: queue, what: 'until a backend had room' },
    { name: 'First byte', ms: head, what: 'until the backend began to answer' },
    { name: 'First token', ms: firstToken, what: 'until its first token' },
    { name: 'Tokens', ms: tokens, what: `from the first token to the end${stalled}` },
  ]
  return segments.filter(({ ms }) => ms > 0)
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? Math.max(0, value) : 0
}

function timeBar(request: JsonObject): Html {
  const segments = segmentsOf(request)
  const total = segments.reduce((sum, { ms }) => sum + ms, 0)
  if (total === 0) return html`<p>Total time: less than a millisecond.</p>`
  let left = 0
  const bars = segments.map(({ name, ms }, at) => {
    const width = (ms / total) * 1000
    const x = left
    left += width
    return html`<rect class="part-${at + 1}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="40"><title>${name}: ${millisText(ms)}</title></rect>`
  })
  const rows = segments.map(({ name, ms, what }, at) => [
    html`<svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="part-${at + 1}" width="10" height="10"></rect></svg> ${name}`,
    millisText(ms),
    `${Math.round((ms / total) * 100)} %`,
    what,
  ])
  return html`<h2>Total time: ${millisText(request.total_latency_ms)}</h2>
<svg class="time" viewBox="0 0 1000 40" preserveAspectRatio="none" role="img" aria-label="The parts of its time, as in the table below">${bars}</svg>
${htmlTable('Parts in their order', ['Part', 'Time#', 'Share#', 'What'], rows)}`
}

/** The requests to backends, if there were any. */
function attemptTable(list: Json | undefined): Html | null {
  if (!Array.isArray(list) || list.length === 0) return null
  const rows = list.filter(isObject).map(({ backend, reason, prompt_tokens, tokens, ms }, i) => {
    const result = reason === null ? 'answered' : textOf(reason)
    return [
      String(i + 1),
      typeof backend === 'string' ? addressHtml(backend) : NOTHING,
      result,
      numberText(prompt_tokens),
      numberText(tokens),
      millisText(ms),
    ]
  })
  return html`<h2>Attempts</h2>
${htmlTable('Requests to backends', ['#', 'Backend', 'Result', 'Prompt tokens#', 'Tokens#', 'Time#'], rows)}`
}

async function errorAdvice(request: JsonObject): Promise<Html | null> {
  const code = request.error_code ?? request.stream_error_type
  const reason = request.upstream_error
  if (typeof code !== 'string' && typeof reason !== 'string') return null
  return html`<h2>What went wrong</h2>
<p class="note bad">${textOf(request.error_message ?? code ?? reason)}${typeof reason === 'string' && html`<br>The backend: ${reason}`}</p>
${typeof code === 'string' && (await adviceOn(code))}`
}

/** The documentation of an error. A plugin of an operator may declare a code that has no page here. */
async function adviceOn(code: string): Promise<Html | null> {
  if (!/^[a-z0-9_]+$/.test(code)) return null
  const file = new URL(`${code}.md`, FOLDER)
  if (!existsSync(file)) return null
  const { markdownHtml } = await loadMarkdown()
  const text = readFileSync(file, 'utf8').split('\n## Example')[0]!
  return html`<div class="panel" role="region" aria-label="Documentation of ${code}" tabindex="0">${markdownHtml(text.replace(/^# .*\n/, ''), { below: 1 })}</div>`
}

/** Members in the first rows of the table, or elsewhere on the page. */
const SHOWN_ELSEWHERE = new Set([
  'request_id',
  'account_id',
  'account_name',
  'created_at',
  'status_code',
  'method',
  'path',
  'attempt_list',
])

function factTable(request: JsonObject, config: Pick<Config, 'currency'>): Html {
  const rows: (readonly [string, Html | string])[] = [
    ['Time', timeHtml(request.created_at)],
    ['Request', `${textOf(request.method)} ${textOf(request.path)}`],
    ['Status', statusCell(request)],
    [
      'Account',
      // The account may have been deleted.
      typeof request.account_name === 'string'
        ? html`<a href="/accounts/${String(request.account_id)}">${request.account_name}</a>`
        : textOf(request.account_id),
    ],
  ]
  for (const [name, value] of Object.entries(request)) {
    if (SHOWN_ELSEWHERE.has(name) || value === null) continue
    if (name === 'session') rows.push([name, sessionLink(request)])
    else if (name === 'batch_id') rows.push([name, batchLink(request)])
    else if (name === 'cost_microcents') rows.push(['cost', moneyCell(centsOf(Number(value)), config)])
    else rows.push([name, typeof value === 'number' ? numberText(value, 2) : textOf(value)])
  }
  return htmlTable('Facts, never content', ['Member', 'Value'], rows)
}

/** The hash, with a link to the requests of the session. */
function sessionLink({ account_id: account, session }: JsonObject): Html {
  const query = new URLSearchParams({ account: String(account), session: String(session), since: '720' })
  return html`<a href="/requests?${query.toString()}">${String(session)}</a>`
}

/** The id, with a link to the requests of the batch. */
function batchLink({ batch_id: batch }: JsonObject): Html {
  return html`<a href="/requests?${new URLSearchParams({ batch: String(batch) }).toString()}">${String(batch)}</a>`
}
