/** The page of batches: what waits and runs, why it waits, pauses of models, and the batches of all accounts. */
import { doneNote } from '../../pages/actions.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlStats } from '../../pages/parts.ts'
import { sortFields } from '../../pages/sorting.ts'
import type { BacklogJson, BatchesJson } from '../batches.ts'
import type { SpareFacts } from '../live/spare.ts'
import { accountTable, batchTable, COLUMNS, modelTable, oldestOf, sum } from './batch-tables.ts'
import { pageSorting } from './columns.ts'
import { actionForm, filled, select } from './form.ts'
import {
  BATCHES_PATH,
  csvLink,
  filterNote,
  listEnd,
  nextLink,
  type PageRequest,
  type PageRoute,
  problemNote,
  question,
} from './page.ts'
import { numberText } from './text.ts'

const CSV = '/batches.csv'

export function batchesRoutes({ spare }: { spare(): readonly SpareFacts[] }): readonly PageRoute[] {
  const queryOf = ({ query }: Pick<PageRequest, 'query'>) => ({
    account: filled(query, 'account'),
    status: filled(query, 'status'),
    order: query.get('sort') === 'created' ? (filled(query, 'order') ?? 'asc') : undefined,
  })
  return [
    {
      method: 'GET',
      path: BATCHES_PATH,
      fields: { account: ['account', 'Account'], status: ['status', 'State'] },
      async handle(request) {
        const { query, call, filterProblem } = request
        const given = queryOf(request)
        const sorting = pageSorting(
          request,
          BATCHES_PATH,
          COLUMNS,
          query.get('sort') === 'created' ? 'batches' : 'models',
        )
        const isRefused = filterProblem !== null
        const page = { cursor: filled(query, 'cursor'), limit: '50' }
        const input = { ...given, ...page, status: given.status ?? 'unfinished' }
        const [reply, first] = await Promise.all([
          isRefused ? { batches: [], cursor: null } : call('list-batches', { query: input }),
          // Later pages have no backlog.
          page.cursor === undefined && !isRefused ? null : call('list-batches', { query: { limit: '1' } }),
        ])
        const { backlog, paused_models: paused } = (first ?? reply) as unknown as BatchesJson
        const body = html`${problemNote(request)}${noteOf(request)}
${cards(backlog)}
<h2 id="models">Models</h2>
${modelTable(request, sorting, backlog, paused, spare())}
<h2>Accounts</h2>
${accountTable(sorting, backlog)}
<h2 id="batches">Batches</h2>
${filterNote(request)}${filters(request, given)}
${!isRefused && batchTable(request, sorting, (reply as unknown as BatchesJson).batches)}
${!isRefused && listEnd(nextLink(BATCHES_PATH, query, reply.cursor, 'Older'), csvLink(CSV, query))}`
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
          keep: 'Keep it running',
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
      return doneNote(
        `Batches for ${of} are no longer paused, in every process within three seconds.`,
        actionForm(request, `${BATCHES_PATH}/pause`, 'Undo', { model: of }),
      )
    case 'cancel':
      return doneNote(`${of} is being cancelled.`)
    default:
      return null
  }
}

function cards(backlog: readonly BacklogJson[]): Html {
  const href = '#models'
  return htmlStats([
    { name: 'Waiting', value: numberText(sum(backlog, 'queued_requests')), more: 'requests of batches', href },
    { name: 'In flight', value: numberText(sum(backlog, 'in_flight')), href },
    {
      ...{ name: 'Rate', value: numberText(sum(backlog, 'requests_per_second'), 2), href },
      more: 'requests/s in the last minute',
    },
    { name: 'Oldest batch', value: oldestOf(backlog), href: `${BATCHES_PATH}?sort=created&order=asc#batches` },
  ])
}

const STATUSES = [
  ['unfinished', 'not ended'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
] as const

function filters(
  { query, filterProblem }: PageRequest,
  {
    account = '',
    status = 'unfinished',
  }: {
    account?: string | undefined
    status?: string | undefined
  },
): Html {
  return html`<form action="${BATCHES_PATH}#batches" class="fields">${sortFields(query)}${htmlField({ name: 'account', label: 'Account' }, filterProblem, own => html`<input${own} value="${account}">`)}${select('status', 'State', status, STATUSES, filterProblem)}<button class="main">Filter</button></form>`
}
