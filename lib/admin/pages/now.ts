/**
 * The page Overview: state of the gateway, models, backends, the last hour and the last failures. Scripts keep it live.
 */
import { machinesText } from '../../backends/backend-list.ts'
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, emptyState, liveBar, timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import type { Failure } from '../live/counts.ts'
import type { Dashboard, LiveRow, LiveState, LiveUpdate } from '../live/dashboard.ts'
import { Viewers } from '../live/viewers.ts'
import { beliefTable } from './beliefs.ts'
import { drainCell, drainNote, drainRoutes } from './drain.ts'
import { filled } from './form.ts'
import { machineLayout, machineTable, processText } from './machines.ts'
import { LIVE_CELLS, modelTable, modelUpdates } from './now-models.ts'
import { hourPlots, plotValues } from './now-plots.ts'
import { htmlCards, type PageRequest, type PageRoute, problemNote } from './page.ts'
import { backendPath, modelHistoryPath } from './paths.ts'
import { memberOf, NOTHING, numberText, requestsHref, textOf } from './text.ts'

/** Live cells of a row: name, header and text. */
const CELLS = [['state', 'State', ({ state }: LiveRow) => state], ...LIVE_CELLS] as const

/** The column if there are several gateways. */
const MACHINES = ['machines', 'Machines', ({ machines }: LiveRow) => machinesText(machines)] as const

function columnsOf({ gateways }: LiveState) {
  const [state, ...rest] = CELLS
  return gateways.length === 1 ? CELLS : [state, MACHINES, ...rest]
}

/** Lists of requests behind the numbers of a backend. Behind the others is its page. */
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rate: { since: '1' },
  errors: { since: '1', status: 'errors' },
}

/** The live data and the open pages. */
export interface Live {
  readonly dashboard: Dashboard
  readonly viewers: Viewers
}

export function openLive(dashboard: Dashboard): Live {
  return { dashboard, viewers: new Viewers(dashboard, updateText) }
}

export function nowRoutes({ dashboard, viewers }: Live): readonly PageRoute[] {
  return [
    {
      method: 'GET',
      path: '/',
      async handle(request) {
        const model = filled(request.query, 'model')
        const [status, state, { events }] = await Promise.all([
          request.call('status'),
          dashboard.state(),
          request.call('backend-events', { query: { model, range: '1h' } }),
        ])
        const body = html`${problemNote(request)}${drainNote(request, state)}
${liveBar()}
<p id="lost" class="note bad" role="status" hidden>The connection is lost: what is shown is old.</p>
${statusCards(status, state)}
${modelTable(state.modelRows, dashboard)}
${backendTable(request, state)}
${machineTable(state.gateways)}
${beliefTable(state.rows)}
${hourPlots(dashboard, model ?? '', events as JsonObject[])}
<h2>Last failures</h2>
<div id="failures">${failureTable(state.failures)}</div>`
        return { title: 'Overview', path: '/', script: 'now.js', body }
      },
    },
    {
      method: 'GET',
      path: '/live',
      handle: async () => ({
        send(res) {
          if (viewers.add(res)) return
          res.writeHead(503, { 'retry-after': '30', 'content-type': 'text/plain; charset=utf-8' })
          res.end('There are too many viewers.\n')
        },
      }),
    },
    ...drainRoutes(dashboard),
  ]
}

function statusCards(status: JsonObject, { unready, gateways }: LiveState): Html {
  const config = memberOf(status, 'config')
  const reload = memberOf(config, 'last_reload')
  const stores = memberOf(status, 'stores')
  const journal = memberOf(status, 'journal')
  const problems = memberOf(reload, 'problems')
  const waiting = numberText(memberOf(journal, 'lag_records'))
  const store = (name: string) => {
    const one = memberOf(stores, name)
    const isUp = memberOf(one, 'healthy') === true
    return html`<span class="${isUp ? 'good' : 'error'}">${isUp ? 'answers' : 'does not answer'}</span><small>${textOf(memberOf(one, 'kind'))}</small>`
  }
  const reloaded =
    memberOf(reload, 'successful') === false
      ? html`<span class="error">refused</span><small>${Array.isArray(problems) && problems.map(textOf).join(' ')}</small>`
      : html`<span class="good">applied</span><small>${reload === undefined || reload === null ? 'at the start' : timeHtml(memberOf(reload, 'at'))}</small>`
  const ready = html`<span id="ready" class="${unready.length === 0 ? 'good' : 'error'}">${readyText(unready)}</span>`
  const cards: readonly (readonly [string, Html | string])[] = [
    ['Gateway', html`${ready}<small>version ${textOf(status.version)}, since ${timeHtml(status.started)}</small>`],
    ['Processes', processText(gateways)],
    ['Configuration', html`${reloaded}${pathOf(memberOf(config, 'path'))}`],
    ['Store', store('store')],
    ['Limits', store('limits_store')],
    [
      'Journal',
      html`${memberOf(journal, 'healthy') === true ? 'healthy' : html`<span class="error">cannot be written</span>`}<small>${waiting} ${waiting === '1' ? 'record waits' : 'records wait'} for the store</small>`,
    ],
  ]
  return htmlCards(cards)
}

/** Nothing if the configuration is not from a file. */
function pathOf(path: unknown): Html | false {
  return typeof path === 'string' && html`<small>${path}</small>`
}

function readyText(unready: readonly string[]): string {
  return unready.length === 0 ? 'ready' : unready.join(', ')
}

function backendTable(request: PageRequest, state: LiveState): Html {
  const { rows } = state
  const columns = columnsOf(state)
  const cells = rows.map((row, at) => [
    html`<a href="${modelHistoryPath(row.model)}">${row.model}</a>`,
    html`<a href="${backendPath(row.model, row.url)}">${addressHtml(row.url)}</a>`,
    ...columns.map(([name, , read]) => {
      const text = read(row)
      const cell = html`<span data-live="${at} ${name}"${name === 'state' && html` class="${stateClass(text)}"`}>${text}</span>`
      if (name === 'state' || name === 'machines') return cell
      const query = LISTS[name]
      const href =
        query === undefined
          ? backendPath(row.model, row.url, '1h')
          : requestsHref({ model: row.model, backend: row.url, ...query })
      return html`<a href="${href}">${cell}</a>`
    }),
    drainCell(request, row),
  ])
  const heads = ['Model', 'Backend', ...columns.map(([, head]) => head), 'Drain']
  const details = rows.map(({ problem }) => problem)
  return html`<h2 id="backends" data-layout="${layoutOf(state)}">Backends</h2>
${htmlTable('Current state; rates, times and errors of the last minute', heads, cells, { details })}`
}

function stateClass(state: string): string {
  return state === 'up' ? 'good' : state === 'draining' || state === 'drained' || state === 'probing' ? 'warn' : 'error'
}

function failureTable(failures: readonly Failure[]): Html {
  if (failures.length === 0)
    return emptyState(
      'No failures since the start',
      'A request that fails in the gateway or at a backend appears here.',
    )
  const rows = failures.map(({ id, at, model, backend, status, code, reason }) => [
    timeHtml(new Date(at / 1000).toISOString()),
    html`<a class="whole" href="/requests/${encodeURIComponent(id)}">${id}</a>`,
    html`<a href="${requestsHref({ status: String(status) })}"><span class="error">${status}</span></a>`,
    [code, reason].filter(part => part !== null).join(': '),
    model === null ? NOTHING : html`<a href="${requestsHref({ model })}">${model}</a>`,
    backend === null ? NOTHING : html`<a href="${requestsHref({ backend })}">${addressHtml(backend)}</a>`,
  ])
  return htmlTable('Failures, newest first', ['Time', 'Request', 'Status#', 'Reason', 'Model', 'Backend'], rows)
}

/** Open pages reload when this text changes: when rows are added or removed, or a drain begins or ends. */
function layoutOf({ rows, gateways }: LiveState): string {
  const lines = rows.map(({ model, url, drain, problem }) => `${model} ${url} ${drain} ${problem}`)
  return lines.join('\n') + machineLayout(gateways)
}

/** An update for browser/operators/now.js: texts of cells, and the new point. The same for all viewers. */
function updateText(update: LiveUpdate): string {
  const { rows, modelRows, failures, unready, point, models } = update
  const own = modelUpdates(modelRows)
  const cells = rows.flatMap((row, at) => columnsOf(update).map(([name, , read]) => [`${at} ${name}`, read(row)]))
  const states = rows.map(({ state }, at) => [`${at} state`, stateClass(state)])
  return JSON.stringify({
    layout: layoutOf(update),
    cells: [...cells, ...own.cells],
    states: [...states, ...own.states],
    meters: own.meters,
    ready: [readyText(unready), unready.length === 0 ? 'good' : 'error'],
    failures: failureTable(failures).toString(),
    at: point.at,
    plots: plotValues(point),
    models: Object.fromEntries(Array.from(models, ([model, last]) => [model, plotValues(last)])),
  })
}
