/** Drains of backends on the page Overview: the buttons, the question before a drain, and the note after it. */
import { CONFIRMED, doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import type { Dashboard, LiveRow, LiveState } from '../live/dashboard.ts'
import { actionForm, filled } from './form.ts'
import { type PageRequest, type PageRoute, question, type Reply } from './page.ts'

type Action = 'drain' | 'undrain'

export function drainRoutes(dashboard: Dashboard): readonly PageRoute[] {
  return [
    actionRoute('drain', async request => {
      const { rows } = await dashboard.state()
      const row = rowOf(rows, request.form.get('url'), request.form.get('model'))
      return row && question(request, questionOf(row, rows))
    }),
    actionRoute('undrain', async () => undefined),
  ]
}

/** `ask`: the question before the action; undefined: none. */
function actionRoute(action: Action, ask: (request: PageRequest) => Promise<Reply | undefined>): PageRoute {
  return {
    method: 'POST',
    path: `/${action}`,
    back: '/',
    async handle(request) {
      const asked = await ask(request)
      if (asked !== undefined) return asked
      const { form, call } = request
      const model = filled(form, 'model')
      const body = { url: filled(form, 'url') ?? '', ...(model === undefined ? null : { model }) }
      await call(`${action}-backend`, { body })
      // `model` in the query selects the plots.
      return { to: `/?${new URLSearchParams({ done: action, backend: body.url, of: model ?? '' }).toString()}` }
    },
  }
}

function questionOf(row: LiveRow, rows: readonly LiveRow[]) {
  const { url, model, in_flight: running } = row
  const others = rows.filter(one => one !== row && one.model === model && one.state === 'up').length
  const rest = others === 0 ? html`<strong>No other backend of ${model} is up.</strong>` : othersText(others)
  return {
    title: 'Drain a backend?',
    path: '/',
    text: html`<code>${url}</code> receives no new requests for ${model}. Requests in flight finish: ${running} now. ${rest} You can undo this.`,
    action: '/drain',
    button: 'Drain',
    cancel: '/',
  }
}

function othersText(others: number): string {
  return others === 1 ? 'One other backend of the model is up.' : `${others} other backends of the model are up.`
}

/** What the action in the query has done, and a button that undoes it. */
export function drainNote(request: PageRequest, { rows }: LiveState): Html | null {
  const row = rowOf(rows, request.query.get('backend'), request.query.get('of'))
  if (row === undefined) return null
  const name = `${row.url} of ${row.model}`
  const fields = fieldsOf(row)
  switch (request.query.get('done')) {
    case 'drain': {
      const undo = actionForm(request, '/undrain', 'Undo', fields)
      return doneNote(`${name} is drained, in every process within two seconds. Requests in flight finish.`, undo)
    }
    case 'undrain': {
      const undo = actionForm(request, '/drain', 'Undo', { ...fields, [CONFIRMED]: 'yes' })
      return doneNote(`${name} is no longer drained, in every process within two seconds.`, undo)
    }
    default:
      return null
  }
}

/** The button ends a drain by an operator. A drain by the file ends in the file. */
export function drainCell(request: PageRequest, row: LiveRow): Html {
  const { model, url, drain } = row
  if (drain !== null && drain !== 'operator') return html`by the file`
  const label = html`<span class="hidden"> ${url} of ${model}</span>`
  return drain === null
    ? actionForm(request, '/drain', html`Drain${label}`, fieldsOf(row), true)
    : actionForm(request, '/undrain', html`Undrain${label}`, fieldsOf(row))
}

function fieldsOf({ url, model }: LiveRow): Record<string, string> {
  return { url, model }
}

function rowOf(rows: readonly LiveRow[], url: string | null, model: string | null): LiveRow | undefined {
  return rows.find(row => row.url === url && row.model === model)
}
