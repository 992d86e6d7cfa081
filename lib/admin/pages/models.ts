/** The pages of models: a list, and the entry of each one as YAML. */
import { parse, stringify, YAMLParseError } from 'yaml'
import { isObject, type JsonObject } from '../../base/json.ts'
import { fail } from '../../errors/errors.ts'
import { doneNote } from '../../pages/actions.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState } from '../../pages/parts.ts'
import { pageSorting } from './columns.ts'
import { actionForm, filled } from './form.ts'
import { modelTabs } from './model-history.ts'
import { csvLink, type PageRequest, type PageRoute, problemNote, question } from './page.ts'
import { backendPath, modelHistoryPath } from './paths.ts'
import { NOTHING, requestsHref, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

const PATH = '/models/{id}'

export const modelsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/models',
    async handle(request) {
      const models = (await request.call('list-models')).models as JsonObject[]
      const body = html`${problemNote(request)}${removedNote(request)}
${modelTable(request, models)}
${csvLink('/models.csv')}
${isChangeable(request) ? creation(request) : UNCHANGEABLE}`
      return { title: 'Models', path: '/models', body }
    },
  },
  { method: 'GET', path: '/models.csv', handle: ({ csv }) => csv('list-models') },
  {
    method: 'POST',
    path: '/models',
    back: '/models',
    async handle({ form, call }) {
      const { id } = await call('create-model', { body: entryIn(form) })
      return { to: `${pathOf(String(id))}?done=create` }
    },
  },
  {
    method: 'GET',
    path: PATH,
    async handle(request) {
      const known = await request.call('model', { params: request.params })
      const body = html`${modelTabs(String(known.id), 'Entry')}
${problemNote(request)}${changedNote(request, known)}
<p>${stateText(known)} <a href="${requestsHref({ model: String(known.id) })}">Requests</a>, <a href="/?model=${encodeURIComponent(String(known.id))}#hour">last hour</a>.</p>
${isChangeable(request) ? change(request, known) : html`<pre tabindex="0"><code>${stringify(known.model)}</code></pre>${UNCHANGEABLE}`}`
      return { title: textOf(known.id), part: 'Entry', path: '/models', body }
    },
  },
  {
    method: 'POST',
    path: PATH,
    back: PATH,
    async handle({ params, form, call }) {
      const before = (await call('model', { params })).model as JsonObject
      const entry = entryIn(form)
      // A member that is no longer in the text is removed.
      const removed = Object.keys(before).filter(name => !Object.hasOwn(entry, name))
      const body = { ...entry, ...Object.fromEntries(removed.map(name => [name, null])) }
      const { id } = await call('change-model', { params, body })
      return { to: `${pathOf(String(id))}?done=change` }
    },
  },
  {
    method: 'POST',
    path: `${PATH}/delete`,
    back: PATH,
    async handle(request) {
      const { params, call } = request
      const before = await call('model', { params })
      const asked = deleteQuestion(request, before)
      if (asked !== undefined) return asked
      const { id, state } = await call('delete-model', { params })
      const path = state === 'removed' ? '/models' : pathOf(String(id))
      return { to: `${path}?done=${String(state)}&model=${encodeURIComponent(String(id))}` }
    },
  },
  {
    method: 'POST',
    path: `${PATH}/show`,
    back: PATH,
    async handle({ params, call }) {
      const { id } = await call('change-model', { params, body: { hidden: false } })
      return { to: `${pathOf(String(id))}?done=show` }
    },
  },
]

function pathOf(id: string): string {
  return `/models/${encodeURIComponent(id)}`
}

function isChangeable({ config }: PageRequest): boolean {
  return config.stored_models
}

const UNCHANGEABLE = html`<p class="soft">Models can be changed here if the file has <code>stored_models: true</code>.</p>`

/** Refuses text that is not an entry. */
function entryIn(form: URLSearchParams): JsonObject {
  let entry: unknown
  try {
    entry = parse(filled(form, 'entry') ?? '')
  } catch (thrown) {
    const [at] = (thrown instanceof YAMLParseError ? thrown.linePos : undefined) ?? []
    fail('http_400', { problem: `The text is not valid YAML${at === undefined ? '' : `: see line ${at.line}`}.` })
  }
  return isObject(entry) ? entry : fail('http_400', { problem: 'The text must have the members of a model.' })
}

const COLUMNS: readonly Column<JsonObject>[] = [
  {
    ...{ name: 'id', head: 'Id', value: ({ id }) => textOf(id) },
    cell: ({ id }) => html`<a href="${pathOf(String(id))}">${textOf(id)}</a>`,
  },
  { name: 'state', head: 'State', cell: stateCell, value: ({ state }) => textOf(state) },
  { name: 'kind', head: 'Kind', cell: kindOf, value: kindOf },
  {
    ...{ name: 'backends', head: 'Backends#', value: backendCount },
    cell: row => html`<a href="${modelHistoryPath(String(row.id))}#backends">${backendCount(row)}</a>`,
  },
  { name: 'source', head: 'Source', cell: sourceText, value: sourceText },
  { name: 'discovered', head: 'Discovered', cell: foundText },
  {
    ...{ name: 'history', head: 'Over time' },
    cell: ({ id }) =>
      html`<a href="${modelHistoryPath(String(id))}">history<span class="hidden"> of ${textOf(id)}</span></a>`,
  },
]

function kindOf({ model }: JsonObject): string {
  return textOf((model as JsonObject).kind ?? 'chat')
}

function backendCount({ model }: JsonObject): number {
  const { backends } = model as JsonObject
  return Array.isArray(backends) ? backends.length : 0
}

function modelTable(request: PageRequest, models: readonly JsonObject[]): Html {
  const sorting = pageSorting(request, '/models', COLUMNS)
  if (models.length === 0)
    return emptyState('No models yet', 'Models of the file, discovered ones, and those that you add below appear here.')
  return columnTable('All models', COLUMNS, models, { sorting })
}

function sourceText({ source, in_file, discovered }: JsonObject): string {
  if (source === 'store' && in_file === true) return 'store, over the file'
  return source === 'store' && isObject(discovered) ? 'store, over the discovered one' : textOf(source)
}

/** What the probe has found: the engine, the context window, and the capabilities that a model has. */
function foundText({ discovered }: JsonObject): string {
  if (!isObject(discovered)) return NOTHING
  const { engine, max_model_len: window, capabilities, probed } = discovered
  const words = [textOf(engine), ...(window === null ? [] : [`${textOf(window)} tokens`])]
  const able = probed === true && isObject(capabilities) ? abilities(capabilities) : ['not probed']
  return [...new Set([...words, ...able])].join(', ')
}

function abilities(capabilities: JsonObject): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (isObject(value)) return abilities(value)
    return value === false ? [] : [name.replaceAll('_', ' ')]
  })
}

function stateCell({ state }: JsonObject): Html {
  return state === 'used' ? html`<span class="good">active</span>` : html`<span class="error">${textOf(state)}</span>`
}

function stateText(known: JsonObject): Html {
  switch (known.state) {
    case 'hidden':
      return html`The ${known.in_file === true ? 'model of the file' : 'discovered model'} is hidden: requests for it are refused.`
    case 'unused':
      return html`<strong>The ${known.source === 'store' ? 'stored' : 'discovered'} model is not used.</strong> ${textOf(known.problem)}`
    default:
      return html`Active. Source: ${sourceText(known)}.${discoveredText(known)}`
  }
}

function discoveredText(known: JsonObject): Html | null {
  const { discovered } = known
  if (!isObject(discovered)) return null
  const list = Array.isArray(discovered.urls) ? discovered.urls.map(textOf) : []
  const urls = list.map((url, at) => html`${at > 0 && ', '}<a href="${backendPath(String(known.id), url)}">${url}</a>`)
  return html` Discovered by ${textOf(discovered.by)} at ${urls}: ${foundText(known)}.`
}

const FIRST = stringify({ id: 'my-model', backends: [{ url: 'http://127.0.0.1:8000/v1' }] })

function creation(request: PageRequest): Html {
  return html`<h2 id="new">Add a model</h2>
<form method="post" action="/models">${tokenField(request.visitor)}
${entryField(request, FIRST)}
<button class="main">Add</button></form>`
}

function change(request: PageRequest, known: JsonObject): Html {
  const path = pathOf(String(known.id))
  if (known.state === 'hidden') return actionForm(request, `${path}/show`, 'Show')
  const button = known.source === 'store' ? 'Delete' : 'Hide'
  return html`<form method="post" action="${path}" id="change">${tokenField(request.visitor)}
${entryField(request, stringify(known.model))}</form>
<div class="row"><button class="main" form="change">Save</button>${actionForm(request, `${path}/delete`, button, {}, true)}</div>`
}

/** `text`: of a form that was not sent. A refused one is in the request; its errors name members of the entry. */
function entryField({ form, problem }: PageRequest, text: string): Html {
  const sent = form.get('entry')
  const refusal = problem === null || sent === null ? null : { ...problem, field: 'entry' }
  const field = { name: 'entry', label: 'Entry of the model, as in the file' }
  const area = (own: Html) => html`<textarea${own} rows="16" cols="80" spellcheck="false">
${sent ?? text}</textarea>`
  return htmlField(field, refusal, area)
}

function deleteQuestion(request: PageRequest, known: JsonObject): ReturnType<typeof question> {
  const path = pathOf(String(known.id))
  const isHidden = known.source !== 'store'
  const refused = 'Requests for it are refused from then on; those in flight finish.'
  const restored = `The ${known.in_file === true ? 'model of the file' : 'discovered model'} with this id is used again.`
  const isRestored = known.in_file === true || isObject(known.discovered)
  const effect = isHidden ? `${refused} You can undo this.` : `${isRestored ? restored : refused} You cannot undo this.`
  const button = isHidden ? 'Hide' : 'Delete'
  return question(request, {
    title: `${button} ${textOf(known.id)}?`,
    path: '/models',
    text: effect,
    action: `${path}/delete`,
    button,
    cancel: path,
  })
}

/** What the action in the query has done to the model, and a button that undoes it. */
function changedNote(request: PageRequest, { id }: JsonObject): Html | null {
  const path = pathOf(String(id))
  const name = textOf(id)
  switch (request.query.get('done')) {
    case 'create':
      return doneNote(`${name} is added: every process uses it within two seconds.`)
    case 'change':
      return doneNote(`${name} is changed: every process uses the change within two seconds.`)
    case 'hidden':
      return doneNote(`${name} is hidden: requests for it are refused.`, actionForm(request, `${path}/show`, 'Undo'))
    case 'used':
      return doneNote(`${name} is removed from the store: the model of the file, or the discovered one, is used again.`)
    case 'show':
      return doneNote(`${name} is shown again.`, actionForm(request, `${path}/delete`, 'Undo'))
    default:
      return null
  }
}

function removedNote({ query }: PageRequest): Html | null {
  return query.get('done') === 'removed' ? doneNote(`${textOf(query.get('model') ?? '')} is deleted.`) : null
}
