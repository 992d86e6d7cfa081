/** The page with the batches of a user in one account, and the form for a new one. */
import {
  BATCH_ENDPOINTS,
  type Batch,
  type BatchesConfig,
  emptyState,
  type Html,
  hasEnded,
  html,
  htmlField,
  htmlTable,
  nameHtml,
  type OwnAccount,
  type Refusal,
} from '../../../lib/console.ts'
import { copied } from '../first-call.ts'
import { countText, windowText } from '../numbers.ts'
import { requestsHref, selectField } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { endText, millisHtml, progress, statusOf } from './parts.ts'

export const PATH = '/console/batches'

/** Lines of files are for these; batches of the Messages API are created by its own route. */
export const FILE_ENDPOINTS = BATCH_ENDPOINTS.filter(endpoint => endpoint !== '/v1/messages')

export interface ListedBatch {
  readonly batch: Batch
  /** Milliseconds since the epoch; null: unknown. */
  readonly expectedEnd: number | null
}

interface BatchListPage {
  readonly visitor: Visitor
  /** Those that may have batches, or have some; not empty. */
  readonly accounts: readonly OwnAccount[]
  readonly account: OwnAccount
  readonly limits: BatchesConfig
  /** The plan of the account allows new batches. */
  readonly mayStart: boolean
  readonly listed: readonly ListedBatch[]
  /** Value of `before` of the next page; null: this is the last page. */
  readonly next: string | null
  /** Values of a form that was not accepted; empty: none was sent. */
  readonly sent: URLSearchParams
  readonly refusal: Refusal | null
}

const LINE = '{"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": …}}'

const EMPTY =
  'A batch that you start below appears here, with its progress. It runs many requests of a file, at the price of your plan.'

export function batchListPage(page: BatchListPage): Html {
  const { accounts, account, listed, next } = page
  const query = (more: Record<string, string>) => new URLSearchParams({ account: account.id, ...more }).toString()
  const options = accounts.map(({ id, name }) => [id, name] as const)
  const choice =
    accounts.length > 1 &&
    html`<form method="get" action="${PATH}"><div class="fields">${selectField('account', 'Account', options, account.id)}<button>Show</button></div></form>`
  return html`${choice}
${listed.length === 0 ? emptyState('No batches yet', EMPTY) : table(page)}
${next !== null && html`<p><a class="button" rel="next" href="${PATH}?${query({ before: next })}">Older</a></p>`}
${newForm(page)}
<p class="soft">A batch is run in the capacity that other requests leave, at the price of its plan.</p>`
}

function table({ account, listed }: BatchListPage): Html {
  const rows = listed.map(({ batch, expectedEnd }) => [
    html`<a href="${PATH}/${batch.id}?account=${account.id}"><code class="whole">${batch.id}</code></a>`,
    millisHtml(batch.createdAt),
    html`<span class="whole">${statusOf(batch)}</span>`,
    progress(batch),
    html`<a href="${requestsHref({ account: account.id, batch: batch.id, errors: '1', since: '30d' })}">${countText(batch.counts.failed)}</a>`,
    batch.model === null ? '–' : modelLink(account, batch.model),
    hasEnded(batch.status) ? '–' : endText(expectedEnd),
  ])
  const heads = ['Batch', 'Created', 'State', 'Progress', 'Failed#', 'Model', 'Expected end']
  return htmlTable('Your batches, newest first', heads, rows)
}

/** A model, with a link to the user's requests for it. */
export function modelLink({ id }: OwnAccount, model: string): Html {
  return html`<a href="${requestsHref({ account: id, model, since: '30d' })}">${nameHtml(model)}</a>`
}

export const NO_NEW_BATCHES =
  'The plan of this account has no batches: no new one can be started. Those that exist stay.'

function newForm({ visitor, account, limits, mayStart, sent, refusal }: BatchListPage): Html {
  if (!mayStart) return html`<p>${NO_NEW_BATCHES}</p>`
  if (account.zdrRequired)
    return html`<p>Zero data retention is required in this account: it can have no batches, because their files are stored.</p>`
  const valuesOf = (values: readonly string[]) => values.map(value => [value, value] as const)
  const megabytes = Math.floor(limits.max_file_bytes / 2 ** 20)
  const label = html`File with JSON lines <small>(at most ${megabytes} MiB and ${countText(limits.max_requests)} lines)</small>`
  return html`<h2>New batch</h2>
<p>Each line of the file is a request:</p>
${copied('a line of the file', LINE)}
<form method="post" action="${PATH}?account=${account.id}" enctype="multipart/form-data">${tokenField(visitor)}
<div class="fields">
${selectField('endpoint', 'Endpoint', valuesOf(FILE_ENDPOINTS), sent.get('endpoint') ?? FILE_ENDPOINTS[0]!)}
${selectField(
  'window',
  'At most within',
  limits.windows.map(one => [one, windowText(one)]),
  sent.get('window') ?? limits.windows[0]!,
)}
${htmlField({ name: 'file', label }, refusal, own => html`<input${own} type="file" accept=".jsonl,.ndjson,application/jsonl" required>`)}
<button class="main">Upload and start</button>
</div>
</form>`
}
