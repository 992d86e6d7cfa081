import {
  type AccountRequestPage,
  breakable,
  emptyState,
  filterBox,
  type Html,
  html,
  htmlField,
  liveBar,
  type Refusal,
  statusClass,
} from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'
import { requestTable } from '../request-table.ts'
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
  /** Why the filter is refused, so that there is no list; null: it is accepted. */
  readonly refusal: Refusal | null
}

export function requestListPage({ view, selection, models, page, hasBatches, refusal }: RequestListPage): Html {
  const scope = { account: view.account.id, who: view.isTeam ? 'team' : '' }
  const { requests, cursor } = page
  const isNewest = selection.cursor === undefined && selection.around === '' && refusal === null
  const options = selection.model === '' || models.includes(selection.model) ? models : [selection.model, ...models]
  return html`${filterBox(html`<form method="get" action="/console/requests"><div class="fields">
${viewFields(view)}${selectField('model', 'Model', [['', 'all'], ...options.map(id => [id, id] as const)], selection.model)}
${htmlField({ name: 'status', label: 'Status' }, refusal, own => html`<input${own} inputmode="numeric" size="4" maxlength="3" value="${selection.status}">`)}
${selection.key !== '' && html`<div class="field"><label for="key">Key</label><input id="key" name="key" size="20" maxlength="64" value="${selection.key}"></div>`}
<div class="field"><label for="session">Session</label><input id="session" name="session" size="16" maxlength="16" value="${selection.session}"></div>
${(hasBatches || selection.batch !== '') && html`<div class="field"><label for="batch">Batch</label><input id="batch" name="batch" size="24" maxlength="64" value="${selection.batch}"></div>`}
${selectField('since', 'Since', SPANS, selection.since)}
<label class="check"><input type="checkbox" name="errors" value="1"${selection.errors && html` checked`}>Errors only</label>
<button class="main">Show</button></div></form>`)}
${isNewest && liveBar()}
<div id="requests"${isNewest && html` data-live="/console/live/requests?${queryOf(selection, { ...scope, shown: newestOf(requests) })}"`}>
${refusal === null && (requests.length === 0 ? emptyState(cursor === null ? 'No requests' : 'None so far', cursor === null ? EMPTY : 'The search goes on further back.') : requestTable(requests, view))}
</div>
<p class="row">${selection.cursor !== undefined && html`<a class="button" href="/console/requests?${queryOf(selection, scope)}">Newest</a>`}
${cursor !== null && html`<a class="button" rel="next" href="/console/requests?${queryOf(selection, { ...scope, cursor })}">${requests.length < PAGE_ROWS ? 'Search further' : 'Older'}</a>`}</p>
<p class="soft">Prompts and answers are not stored, so none is shown here.</p>`
}

const EMPTY = html`Requests in this time and with these filters appear here a second after their end. Send one with a <a href="/console/keys">key</a>, or <a href="/console/try">ask a model</a>.`

/** Id of the newest request of a page. */
export function newestOf(requests: readonly JsonObject[]): string {
  return String(requests[0]?.id ?? 'none')
}

/** The status and, after a failure, the error code. */
export function statusOf({ status_code, error_code }: JsonObject): Html {
  const kind = statusClass(Number(status_code), error_code !== null)
  return html`<span class="${kind}">${String(status_code)}${error_code !== null && html` ${breakable(String(error_code))}`}</span>`
}
