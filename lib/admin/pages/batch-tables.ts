/** The tables of the page of batches: what waits by model and by account, and the batches of all accounts. */
import { type Column, columnTable, SORTED_BY_STORE } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState, timeHtml } from '../../pages/parts.ts'
import type { Sorting } from '../../pages/sorting.ts'
import { ageText } from '../../text/age.ts'
import type { BacklogJson, BatchesJson } from '../batches.ts'
import type { SpareFacts } from '../live/spare.ts'
import { actionForm } from './form.ts'
import { accountText, modelLink } from './links.ts'
import { BATCHES_PATH, type PageRequest } from './page.ts'
import { NOTHING, numberText, requestsHref } from './text.ts'

export function sum(
  rows: readonly BacklogJson[],
  member: 'queued_requests' | 'in_flight' | 'requests_per_second',
): number {
  return rows.reduce((total, row) => total + row[member], 0)
}

export function oldestOf(rows: readonly BacklogJson[]): string {
  const seconds = secondsOf(rows)
  return seconds === null ? NOTHING : ageText(seconds)
}

function secondsOf(rows: readonly BacklogJson[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map(row => row.oldest_seconds))
}

/** Why the first waiting line is not sent. */
const REASONS: Readonly<Record<NonNullable<SpareFacts['held_back']>, string>> = {
  prompt: 'a prompt is computed at each backend',
  growth: 'interactive first tokens would come too late',
  decode: 'answers of lines would slow the engines',
  room: 'no place or cache is left for lines',
  guard: 'interactive requests are delayed too much already',
}

/** What waits and runs for one model. */
interface ModelRow {
  readonly request: PageRequest
  readonly model: string
  readonly own: readonly BacklogJson[]
  readonly isPaused: boolean
  readonly facts: SpareFacts | undefined
}

const MODEL_COLUMNS: readonly Column<ModelRow>[] = [
  { name: 'model', head: 'Model', cell: ({ model }) => modelLink(model), value: ({ model }) => model },
  { name: 'pause', head: 'Pause', cell: pauseCell },
  {
    ...{ name: 'waiting', head: 'Waiting#', value: ({ own }: ModelRow) => sum(own, 'queued_requests') },
    cell: ({ own }) => numberText(sum(own, 'queued_requests')),
  },
  {
    ...{ name: 'in_flight', head: 'In flight#', value: ({ own }: ModelRow) => sum(own, 'in_flight') },
    cell: ({ own }) => numberText(sum(own, 'in_flight')),
  },
  {
    ...{ name: 'rate', head: 'Requests/s#', value: ({ own }: ModelRow) => sum(own, 'requests_per_second') },
    cell: ({ own }) => numberText(sum(own, 'requests_per_second'), 2),
  },
  { name: 'oldest', head: 'Oldest#', cell: ({ own }) => oldestOf(own), value: ({ own }) => secondsOf(own) },
  {
    ...{ name: 'spare', head: 'Spare slots now#', value: ({ facts }: ModelRow) => facts?.slots ?? null },
    cell: ({ facts }) => (facts === undefined ? NOTHING : String(facts.slots)),
  },
  {
    ...{ name: 'traffic', head: 'Traffic' },
    cell: ({ facts }) => (facts === undefined ? NOTHING : facts.offline ? 'offline' : 'interactive'),
  },
  { name: 'held_back', head: 'Held back', cell: reasonOf },
]

function pauseCell({ request, model, isPaused }: ModelRow): Html {
  const label = html`<span class="hidden"> ${model}</span>`
  return isPaused
    ? actionForm(request, `${BATCHES_PATH}/resume`, html`Resume${label}`, { model })
    : actionForm(request, `${BATCHES_PATH}/pause`, html`Pause${label}`, { model }, true)
}

function reasonOf({ isPaused, facts }: ModelRow): string {
  if (isPaused) return 'paused by an operator'
  return facts?.held_back == null ? NOTHING : REASONS[facts.held_back]
}

export function modelTable(
  request: PageRequest,
  sorting: Sorting,
  backlog: readonly BacklogJson[],
  paused: readonly string[],
  spare: readonly SpareFacts[],
): Html {
  const models = new Set([...[...backlog, ...spare].map(({ model }) => model), ...paused])
  if (models.size === 0)
    return emptyState('Nothing waits or runs', 'Models with requests of batches, and paused ones, appear here.')
  const rows = [...models].toSorted().map(model => ({
    ...{ request, model, isPaused: paused.includes(model) },
    own: backlog.filter(row => row.model === model),
    facts: spare.find(one => one.model === model),
  }))
  const caption = 'Over all processes; in flight includes requests that wait in a process'
  return columnTable(caption, MODEL_COLUMNS, rows, { sorting })
}

const ACCOUNT_COLUMNS: readonly Column<BacklogJson>[] = [
  {
    ...{ name: 'account', head: 'Account', value: (row: BacklogJson) => row.account_name ?? row.account_id },
    cell: row => html`<a href="/accounts/${row.account_id}">${accountText(row.account_id, row.account_name)}</a>`,
  },
  { name: 'model', head: 'Model', cell: ({ model }) => modelLink(model), value: ({ model }) => model },
  {
    ...{ name: 'batches', head: 'Batches#', value: ({ batches }: BacklogJson) => batches },
    cell: row => html`<a href="${BATCHES_PATH}?account=${row.account_id}#batches">${numberText(row.batches)}</a>`,
  },
  {
    ...{ name: 'waiting', head: 'Waiting#', value: (row: BacklogJson) => row.queued_requests },
    cell: row => numberText(row.queued_requests),
  },
  {
    ...{ name: 'in_flight', head: 'In flight#', value: (row: BacklogJson) => row.in_flight },
    cell: row => numberText(row.in_flight),
  },
  {
    ...{ name: 'rate', head: 'Requests/s#', value: (row: BacklogJson) => row.requests_per_second },
    cell: row => numberText(row.requests_per_second, 2),
  },
  {
    ...{ name: 'oldest', head: 'Oldest#', value: (row: BacklogJson) => row.oldest_seconds },
    cell: row => ageText(row.oldest_seconds),
  },
]

export function accountTable(sorting: Sorting, backlog: readonly BacklogJson[]): Html {
  if (backlog.length === 0)
    return emptyState('Nothing waits or runs', 'Accounts with requests of batches that have not ended appear here.')
  return columnTable('By account and model', ACCOUNT_COLUMNS, backlog, { sorting })
}

type BatchJson = BatchesJson['batches'][number]

interface ListedBatch {
  readonly request: PageRequest
  readonly batch: BatchJson
}

function countOf({ batch }: ListedBatch, name: 'total' | 'completed' | 'failed'): number {
  return batch.request_counts[name]
}

function batchHref(batch: BatchJson, status = ''): string {
  return requestsHref({ batch: batch.id, ...(status !== '' && { status }) })
}

const BATCH_COLUMNS: readonly Column<ListedBatch>[] = [
  {
    ...{ name: 'batch', head: 'Batch' },
    cell: ({ batch }) =>
      html`<a href="${batchHref(batch)}"><code class="whole">${batch.id}</code></a><br><small>${batch.model === null ? 'no model yet' : modelLink(batch.model)}</small>`,
  },
  { name: 'state', head: 'State', cell: ({ batch }) => batch.status.replace('_', ' ') },
  {
    ...{ name: 'owner', head: 'Account' },
    cell: ({ batch }) =>
      html`<a href="/accounts/${batch.account_id}">${accountText(batch.account_id, batch.account_name)}</a>`,
  },
  {
    ...{ name: 'requests', head: 'Requests#' },
    cell: row => html`<a href="${batchHref(row.batch)}">${numberText(countOf(row, 'total'))}</a>`,
  },
  {
    ...{ name: 'completed', head: 'Completed#' },
    cell: row => html`<a href="${batchHref(row.batch)}">${numberText(countOf(row, 'completed'))}</a>`,
  },
  {
    ...{ name: 'failed', head: 'Failed#' },
    cell: row => html`<a href="${batchHref(row.batch, 'errors')}">${numberText(countOf(row, 'failed'))}</a>`,
  },
  { name: 'created', head: 'Created', cell: ({ batch }) => timeHtml(batch.created_at), value: SORTED_BY_STORE },
  { name: 'expires', head: 'Expires', cell: ({ batch }) => timeHtml(batch.expires_at) },
  { name: 'cancel', head: 'Cancel', cell: cancelCell },
]

function cancelCell({ request, batch }: ListedBatch): Html | string {
  if (batch.ended_at !== null || batch.status === 'cancelling') return NOTHING
  const id = batch.id
  const label = html`Cancel<span class="hidden"> ${id}</span>`
  return actionForm(request, `/batches/${encodeURIComponent(id)}/cancel`, label, {}, true)
}

export function batchTable(request: PageRequest, sorting: Sorting, batches: BatchesJson['batches']): Html {
  if (batches.length === 0) return emptyState('No such batches', 'Batches of customers in this state appear here.')
  const caption = sorting.by === 'created' && sorting.order === 'asc' ? 'Oldest first' : 'Newest first'
  const rows = batches.map(batch => ({ request, batch }))
  return columnTable(caption, BATCH_COLUMNS, rows, { sorting, isSorted: true })
}

/** The columns of all tables of the page. */
export const COLUMNS: readonly Column<never>[] = [...MODEL_COLUMNS, ...ACCOUNT_COLUMNS, ...BATCH_COLUMNS]
