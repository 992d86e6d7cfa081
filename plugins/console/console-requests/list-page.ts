import { type AccountRequestPage, type Html, html, htmlTable, statusClass } from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'
import { countText, durationText, timeText } from '../numbers.ts'
import { selectField, type View, viewFields } from '../view.ts'
import { queryOf, type Selection, SPANS } from './filter.ts'

/** Number of requests on a page. */
export const PAGE_ROWS = 50

interface RequestListPage {
  readonly view: View
  readonly selection: Selection
  /** Ids of the models that can be selected. */
  readonly models: readonly string[]
  readonly page: AccountRequestPage
  /** The gateway has batches. */
  readonly hasBatches: boolean
}

export function requestListPage({ view, selection, models, page, hasBatches }: RequestListPage): Html {
  const scope = { account: view.account.id, who: view.isTeam ? 'team' : '' }
  const { requests, cursor } = page
  const options = selection.model === '' || models.includes(selection.model) ? models : [selection.model, ...models]
  return html`<form method="get" action="/console/requests"><div class="fields">
${viewFields(view)}${selectField('model', 'Model', [['', 'all'], ...options.map(id => [id, id] as const)], selection.model)}
<div class="field"><label for="status">Status</label><input id="status" name="status" inputmode="numeric" size="4" maxlength="3" value="${selection.status}"></div>
<div class="field"><label for="session">Session</label><input id="session" name="session" size="16" maxlength="16" value="${selection.session}"></div>
${(hasBatches || selection.batch !== '') && html`<div class="field"><label for="batch">Batch</label><input id="batch" name="batch" size="24" maxlength="64" value="${selection.batch}"></div>`}
${selectField('since', 'Since', SPANS, selection.since)}
<label class="check"><input type="checkbox" name="errors" value="1"${selection.errors && html` checked`}>Errors only</label>
<button>Show</button></div></form>
<div id="requests"${selection.cursor === undefined && html` data-live="/console/live/requests?${queryOf(selection, { ...scope, shown: newestOf(requests) })}"`}>
${requests.length === 0 ? html`<p>${cursor === null ? 'No requests.' : 'None so far.'}</p>` : table(requests, view)}
</div>
<p class="row">${selection.cursor !== undefined && html`<a class="button" href="/console/requests?${queryOf(selection, scope)}">Newest</a>`}
${cursor !== null && html`<a class="button" rel="next" href="/console/requests?${queryOf(selection, { ...scope, cursor })}">${requests.length < PAGE_ROWS ? 'Search further' : 'Older'}</a>`}</p>
<p class="soft">Times are UTC. Prompts and answers are not kept, so that none is shown here.</p>`
}

function table(requests: readonly JsonObject[], { account, isTeam }: View): Html {
  const heads = ['Time', 'Request', 'Model', 'Status', 'Input#', 'Output#', 'First token#', 'Whole#']
  const rows = requests.map(request => {
    const { created_at, request_id, model_resolved, model_requested, user_id } = request
    const path = `/console/requests/${encodeURIComponent(String(request_id))}?account=${account.id}`
    return [
      timeText(String(created_at)),
      html`<a href="${path}"><code>${String(request_id)}</code></a>`,
      ...(isTeam ? [String(user_id ?? '–')] : []),
      String(model_resolved ?? model_requested ?? '–'),
      statusOf(request),
      countText(request.input_tokens as number),
      countText(request.output_tokens as number),
      durationText(request.ttft_ms as number | null),
      durationText(request.total_latency_ms as number | null),
    ]
  })
  return htmlTable('Requests, newest first', isTeam ? heads.toSpliced(2, 0, 'Member') : heads, rows)
}

/** Id of the newest request of a page. */
export function newestOf(requests: readonly JsonObject[]): string {
  return String(requests[0]?.id ?? 'none')
}

/** The status and, after a failure, the error code. */
export function statusOf({ status_code, error_code }: JsonObject): Html {
  const kind = statusClass(Number(status_code), error_code !== null)
  return html`<span class="${kind}">${String(status_code)}${error_code !== null && ` ${String(error_code)}`}</span>`
}
