/** The page of batches: what waits and runs, why it waits, pauses of models, and the batches of all accounts. */
import { doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTable } from '../../pages/table.ts'
import { ageText } from '../../text/age.ts'
import type { BacklogJson, BatchesJson } from '../batches.ts'
import type { SpareFacts } from '../live/spare.ts'
import { actionForm, filled, select } from './form.ts'
import {
  BATCHES_PATH,
  csvLink,
  htmlCards,
  nextLink,
  type PageRequest,
  type PageRoute,
  problemNote,
  question,
} from './page.ts'
import { NOTHING, numberText, timeText } from './text.ts'

const CSV = '/batches.csv'

export function batchesRoutes({ spare }: { spare(): readonly SpareFacts[] }): readonly PageRoute[] {
  const queryOf = ({ query }: Pick<PageRequest, 'query'>) => ({
    account: filled(query, 'account'),
    status: filled(query, 'status'),
  })
  return [
    {
      method: 'GET',
      path: BATCHES_PATH,
      async handle(request) {
        const { query, call } = request
        const given = queryOf(request)
        const input = { ...given, status: given.status ?? 'unfinished', cursor: filled(query, 'cursor'), limit: '50' }
        const [reply, first] = await Promise.all([
          call('list-batches', { query: input }),
          // Later pages have no backlog.
          input.cursor === undefined ? null : call('list-batches', { query: { limit: '1' } }),
        ])
        const { backlog, paused_models: paused } = (first ?? reply) as unknown as BatchesJson
        const body = html`${problemNote(request)}${noteOf(request)}
${cards(backlog)}
<h2>Models</h2>
${modelTable(request, backlog, paused, spare())}
<h2>Accounts</h2>
${accountTable(backlog)}
<h2 id="batches">Batches</h2>
${filters(given)}
${batchTable(request, (reply as unknown as BatchesJson).batches)}
${nextLink(BATCHES_PATH, query, reply.cursor, 'Older')}
${csvLink(CSV, query)}`
        return { title: 'Batches', path: BATCHES_PATH, body }
      },
    },
    { method: 'GET', path: CSV, handle: request => request.csv('list-batches', { query: queryOf(request) }) },
    pauseRoute('pause'),
    pauseRoute('resume'),
    {
      method: 'POST',
      path: '/batches/{id}/cancel',
      back: BATCHES_PATH,
      async handle(request) {
        const { params, call } = request
        const id = params.id!
        const asked = question(request, {
          title: 'Cancel a batch?',
          path: BATCHES_PATH,
          text: html`Nothing new of <code>${id}</code> is sent. Its owner keeps the results of what is done, and pays for it. You cannot undo this.`,
          action: `/batches/${encodeURIComponent(id)}/cancel`,
          button: 'Cancel the batch',
          cancel: BATCHES_PATH,
        })
        if (asked !== undefined) return asked
        await call('cancel-batch', { params: { id } })
        return { to: `${BATCHES_PATH}?${new URLSearchParams({ done: 'cancel', of: id }).toString()}` }
      },
    },
  ]
}

function pauseRoute(action: 'pause' | 'resume'): PageRoute {
  return {
    method: 'POST',
    path: `${BATCHES_PATH}/${action}`,
    back: BATCHES_PATH,
    async handle(request) {
      const model = filled(request.form, 'model') ?? ''
      const asked =
        action === 'resume'
          ? undefined
          : question(request, {
              title: 'Pause a model?',
              path: BATCHES_PATH,
              text: html`No further requests of batches are sent for <strong>${model}</strong>, in no process. Those in flight go on. Batches may miss their windows. You can undo this.`,
              action: `${BATCHES_PATH}/pause`,
              button: 'Pause',
              cancel: BATCHES_PATH,
            })
      if (asked !== undefined) return asked
      await request.call(`${action}-batches`, { body: { model } })
      return { to: `${BATCHES_PATH}?${new URLSearchParams({ done: action, of: model }).toString()}` }
    },
  }
}

function noteOf(request: PageRequest): Html | null {
  const of = request.query.get('of') ?? ''
  switch (request.query.get('done')) {
    case 'pause':
      return doneNote(
        `Batches for ${of} are paused, in every process within three seconds. Requests in flight go on.`,
        actionForm(request, `${BATCHES_PATH}/resume`, 'Undo', { model: of }),
      )
    case 'resume':
      return doneNote(`Batches for ${of} are no longer paused, in every process within three seconds.`)
    case 'cancel':
      return doneNote(`${of} is being cancelled.`)
    default:
      return null
  }
}

function sum(rows: readonly BacklogJson[], member: 'queued_requests' | 'in_flight' | 'requests_per_second'): number {
  return rows.reduce((total, row) => total + row[member], 0)
}

function oldestOf(rows: readonly BacklogJson[]): string {
  return rows.length === 0 ? NOTHING : ageText(Math.max(...rows.map(row => row.oldest_seconds)))
}

function cards(backlog: readonly BacklogJson[]): Html {
  return htmlCards([
    ['Waiting', html`${numberText(sum(backlog, 'queued_requests'))}<small>requests of batches</small>`],
    ['In flight', numberText(sum(backlog, 'in_flight'))],
    ['Rate', html`${numberText(sum(backlog, 'requests_per_second'), 2)}<small>requests/s in the last minute</small>`],
    ['Oldest batch', oldestOf(backlog)],
  ])
}

/** Why the first waiting line is not sent. */
const REASONS: Readonly<Record<NonNullable<SpareFacts['held_back']>, string>> = {
  prompt: 'a prompt is computed at each backend',
  growth: 'interactive first tokens would come too late',
  decode: 'answers of lines would slow the engines',
  room: 'no place or cache is left for lines',
  guard: 'interactive requests are delayed too much already',
}

const MODEL_HEADS = [
  ...['Model', 'Pause', 'Waiting#', 'In flight#', 'Requests/s#', 'Oldest', 'Spare slots now#', 'Traffic', 'Held back'],
]

function modelTable(
  request: PageRequest,
  backlog: readonly BacklogJson[],
  paused: readonly string[],
  spare: readonly SpareFacts[],
): Html {
  const models = [...new Set([...backlog, ...spare].map(({ model }) => model)), ...paused]
  if (models.length === 0) return html`<p>Nothing waits or runs, and no model is paused.</p>`
  const rows = [...new Set(models)].toSorted().map(model => {
    const own = backlog.filter(row => row.model === model)
    const facts = spare.find(one => one.model === model)
    const isPaused = paused.includes(model)
    const label = html`<span class="hidden"> ${model}</span>`
    const reason = isPaused ? 'paused by an operator' : facts?.held_back == null ? NOTHING : REASONS[facts.held_back]
    return [
      model,
      isPaused
        ? actionForm(request, `${BATCHES_PATH}/resume`, html`Resume${label}`, { model })
        : actionForm(request, `${BATCHES_PATH}/pause`, html`Pause${label}`, { model }, true),
      numberText(sum(own, 'queued_requests')),
      numberText(sum(own, 'in_flight')),
      numberText(sum(own, 'requests_per_second'), 2),
      oldestOf(own),
      facts === undefined ? NOTHING : String(facts.slots),
      facts === undefined ? NOTHING : facts.offline ? 'offline' : 'interactive',
      reason,
    ]
  })
  return htmlTable('Over all processes; in flight includes requests that wait in a process', MODEL_HEADS, rows)
}

function accountTable(backlog: readonly BacklogJson[]): Html {
  if (backlog.length === 0) return html`<p>None has requests that wait or run.</p>`
  const rows = backlog.map(row => [
    html`<a href="/accounts/${row.account_id}">${row.account_name ?? row.account_id}</a>`,
    row.model,
    numberText(row.batches),
    numberText(row.queued_requests),
    numberText(row.in_flight),
    numberText(row.requests_per_second, 2),
    ageText(row.oldest_seconds),
  ])
  const heads = ['Account', 'Model', 'Batches#', 'Waiting#', 'In flight#', 'Requests/s#', 'Oldest']
  return htmlTable('By account and model, oldest batch first', heads, rows)
}

const STATUSES = [
  ['unfinished', 'not ended'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
] as const

function filters({
  account = '',
  status = 'unfinished',
}: {
  account?: string | undefined
  status?: string | undefined
}): Html {
  return html`<form action="${BATCHES_PATH}#batches" class="fields"><p class="field"><label for="account">Account</label><input id="account" name="account" value="${account}"></p>${select('status', 'State', status, STATUSES)}<button>Filter</button></form>`
}

function batchTable(request: PageRequest, batches: BatchesJson['batches']): Html {
  if (batches.length === 0) return html`<p>None.</p>`
  const rows = batches.map(batch => {
    const { id, request_counts: counts } = batch
    const label = html`<span class="hidden"> ${id}</span>`
    return [
      html`<a href="/requests?${new URLSearchParams({ batch: id }).toString()}"><code>${id}</code></a>`,
      html`<a href="/accounts/${batch.account_id}">${batch.account_name ?? batch.account_id}</a>`,
      batch.status,
      batch.model ?? NOTHING,
      numberText(counts.total),
      numberText(counts.completed),
      numberText(counts.failed),
      timeText(batch.created_at),
      timeText(batch.expires_at),
      batch.ended_at === null && batch.status !== 'cancelling'
        ? actionForm(request, `/batches/${encodeURIComponent(id)}/cancel`, html`Cancel${label}`, {}, true)
        : NOTHING,
    ]
  })
  const heads = [
    'Batch',
    'Account',
    'State',
    'Model',
    'Requests#',
    'Completed#',
    'Failed#',
    'Created',
    'Expires',
    'Cancel',
  ]
  return htmlTable('Newest first; times are UTC', heads, rows)
}
