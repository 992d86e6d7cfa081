/** The members of a record, in words, with links to the lists behind them. */
import type { Json, JsonObject } from '../../base/json.ts'
import { centsOf } from '../../base/money.ts'
import type { Config } from '../../config/config.ts'
import { errorTitle } from '../../errors/titles.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, htmlFacts, timeHtml } from '../../pages/parts.ts'
import type { Member } from '../../store/record.ts'
import { keyPath, tabPath } from './account-tabs.ts'
import { ownerHref, sessionHref } from './links.ts'
import { backendPath, modelHistoryPath } from './paths.ts'
import { attemptsOf, resultText, statusText } from './request-attempts.ts'
import { statusCell } from './requests.ts'
import { millisText, moneyCell, numberText, requestsHref, textOf } from './text.ts'

/** Members without an own row: shown in another row, or elsewhere on the page. */
type Elsewhere = 'account_id' | 'created_at' | 'status_code' | 'method' | 'path' | 'attempt_list' | 'client_request_id'

const NAMES: Readonly<Record<Exclude<Member, Elsewhere>, string>> = {
  id: 'Id of the record',
  surface: 'Surface',
  endpoint: 'Dedicated endpoint',
  user_id: 'User',
  key_id: 'Key',
  model_requested: 'Model as requested',
  model_resolved: 'Model that served',
  is_streaming: 'Streamed',
  ttft_ms: 'First token after',
  total_latency_ms: 'Total time',
  duration_ms: 'Time at backends',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cache_read_tokens: 'Input tokens from the cache',
  reasoning_tokens: 'Output tokens of reasoning',
  output_tps: 'Output tokens per second',
  finish_reason: 'Finish reason',
  matched_stop_token_id: 'Stop token',
  stall_count: 'Stalls of more than a second',
  temperature: 'Temperature',
  top_p: 'Top p',
  tool_count: 'Tools',
  transport_status_code: 'Status of the backend, not 200',
  stream_error_status_code: 'Status of the error in the stream',
  stream_error_type: 'Error in the stream',
  usage_present: 'Tokens counted by the backend',
  usage_parse_error: 'Problem with the usage of the backend',
  error_code: 'Error',
  error_message: 'Message of the error',
  request_tags: 'Tags',
  zdr: 'Zero data retention',
  dispatched: 'Model was known',
  cost_microcents: 'Charged',
  backend: 'Backend of the last attempt',
  attempts: 'Requests to backends',
  queue_ms: 'Waited for a backend',
  first_byte_ms: "Backend's first byte after",
  engine_queue_ms: 'Waited in the engine',
  upstream_status: 'Last status of a backend',
  upstream_error: 'Why the last backend failed',
  client: 'Client',
  session: 'Session',
  end_user: 'End user, as a hash',
  end_user_label: 'End user',
  unit: 'Counted in place of tokens',
  units: 'Units',
  batch_id: 'Batch',
  batch_line: 'Line of the batch',
}

type Facts = Pick<Config, 'currency'>

/** Members with another text than their value, or with a link. */
const CELLS: Partial<Record<Member, (value: Json, request: JsonObject, config: Facts) => Html | string>> = {
  key_id: (value, { account_id: account }) =>
    html`${link(ownerHref('key', String(value), account), value)}${typeof account === 'string' && html` · <a href="${keyPath(account, String(value))}">key</a>`}`,
  user_id: (value, { account_id: account }) => link(ownerHref('user', String(value), account), value),
  model_requested: value => link(requestsHref({ model: String(value) }), value),
  model_resolved: value =>
    html`${link(requestsHref({ model: String(value) }), value)} · <a href="${modelHistoryPath(String(value))}">over time</a>`,
  backend: (value, request) => {
    const model = attemptsOf(request).at(-1)?.model ?? request.model_resolved
    return html`<a href="${requestsHref({ backend: String(value) })}">${addressHtml(String(value))}</a>${typeof model === 'string' && html` · <a href="${backendPath(model, String(value))}">over time</a>`}`
  },
  client: value => link(requestsHref({ client: String(value) }), value),
  session: (value, { account_id: account }) => link(sessionHref(String(value), account), value),
  batch_id: value => link(requestsHref({ batch: String(value) }), value),
  request_tags: value =>
    html`${(value as readonly string[]).map((tag, i) => html`${i > 0 && ', '}${link(requestsHref({ tag }), tag)}`)}`,
  cost_microcents: (value, _request, config) => moneyCell(centsOf(Number(value)), config),
  transport_status_code: value => statusText(String(value)),
  upstream_status: value => statusText(String(value)),
  stream_error_status_code: value => statusText(String(value)),
  error_code: value => html`${errorTitle(String(value))} <code>${String(value)}</code>`,
  stream_error_type: value => html`${errorTitle(String(value))} <code>${String(value)}</code>`,
  upstream_error: value => resultText({ reason: value }),
  matched_stop_token_id: value => String(value),
}

/** The title of each name is that of the member in the API. */
export function factList(request: JsonObject, config: Facts): Html {
  const rows: (readonly [Html | string, Html | string])[] = [
    ['Time', timeHtml(request.created_at)],
    ['Request', html`<code>${textOf(request.method)} ${textOf(request.path)}</code>`],
    ['Status', html`<a href="${requestsHref({ status: textOf(request.status_code) })}">${statusCell(request)}</a>`],
    ['Account', accountCell(request)],
  ]
  for (const [member, name] of Object.entries(NAMES) as [Member, string][]) {
    const value = request[member]
    if (value === null || value === undefined) continue
    const shown = CELLS[member]?.(value, request, config) ?? plainText(member, value)
    rows.push([html`<span title="${member}">${name}</span>`, shown])
  }
  return htmlFacts(rows)
}

function plainText(member: Member, value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'number') return textOf(value)
  return member.endsWith('_ms') ? millisText(value) : numberText(value, 2)
}

/** The account may have been deleted. */
function accountCell({ account_id: id, account_name: name }: JsonObject): Html | string {
  if (typeof name !== 'string') return textOf(id)
  const account = String(id)
  return html`<a href="${tabPath(account, 'Overview')}">${name}</a> · <a href="${requestsHref({ account })}">requests</a>`
}

function link(href: string, value: Json): Html {
  return html`<a href="${href}">${textOf(value)}</a>`
}
