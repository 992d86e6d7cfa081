/** The table of requests, with links to their pages. */
import {
  breakable,
  durationText,
  type Html,
  html,
  htmlTable,
  nameHtml,
  statusClass,
  timeHtml,
} from '../../lib/console.ts'
import type { Json, JsonObject } from '../../lib/plugin.ts'
import { countText } from './numbers.ts'
import { requestsHref, type View } from './view.ts'

/** The status and the error are in the first columns, which are visible on every screen. */
export function requestTable(requests: readonly JsonObject[], { account, isTeam }: View): Html {
  const list = (filter: Readonly<Record<string, string>>) =>
    requestsHref({ account: account.id, who: isTeam && 'team', since: '30d', ...filter })
  const heads = ['Time', 'Request', 'Status', 'Error', 'Model', 'Input#', 'Output#', 'First token#', 'Total#']
  const rows = requests.map(request => {
    const { created_at, request_id, model_resolved, model_requested, user_id, error_code } = request
    const path = `/console/requests/${encodeURIComponent(String(request_id))}?account=${account.id}`
    return [
      timeHtml(created_at),
      html`<a href="${path}"><code class="whole">${String(request_id)}</code></a>`,
      ...(isTeam ? [nameHtml(String(user_id ?? '–'))] : []),
      html`<a href="${list({ status: String(request.status_code) })}">${statusCell(request)}</a>`,
      breakable(String(error_code ?? '–')),
      modelCell(model_resolved ?? model_requested, list),
      countText(request.input_tokens as number),
      countText(request.output_tokens as number),
      durationText(request.ttft_ms as number | null),
      durationText(request.total_latency_ms as number | null),
    ]
  })
  return htmlTable('Requests, newest first', isTeam ? heads.toSpliced(2, 0, 'Member') : heads, rows)
}

function modelCell(model: Json | undefined, list: (filter: { readonly model: string }) => string): Html | string {
  return typeof model === 'string' ? html`<a href="${list({ model })}">${nameHtml(model)}</a>` : '–'
}

function statusCell({ status_code, error_code }: JsonObject): Html {
  return html`<span class="${statusClass(Number(status_code), error_code !== null)}">${String(status_code)}</span>`
}
