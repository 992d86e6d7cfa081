/** The tab Keys of an account, and actions that create and change them. */
import type { JsonObject } from '../../base/json.ts'
import { doneNote, keyName } from '../../pages/actions.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { type Html, html } from '../../pages/html.ts'
import { breakable, emptyState, htmlMenu, idHtml, timeHtml } from '../../pages/parts.ts'
import { ACCOUNT, accountTab, tabPath } from './account-tabs.ts'
import { pageSorting } from './columns.ts'
import { actionForm, filled, wordsIn } from './form.ts'
import { limitFields, limitsIn, limitsText } from './limits.ts'
import {
  csvLink,
  listEnd,
  type PageReply,
  type PageRequest,
  type PageRoute,
  problemNote,
  question,
  type Reply,
} from './page.ts'
import { NOTHING, textOf, timeText } from './text.ts'
import { tokenField } from './visitor.ts'

const KEYS = `${ACCOUNT}/keys`
const LIMITS = `${KEYS}/{key}/limits`

const limitsPage: PageRoute = {
  method: 'GET',
  path: LIMITS,
  async handle(request) {
    const { keys } = await request.call('list-keys', { params: request.params })
    const key = (keys as JsonObject[]).find(({ id }) => id === request.params.key)
    if (key === undefined || !isChangeable(key)) return { to: tabPath(request.params.id, 'Keys') }
    return { title: `Limits of key ${textOf(key.id)}`, path: '/accounts', body: limitsForm(request, key) }
  },
}

const listPage: PageRoute = {
  method: 'GET',
  path: KEYS,
  async handle(request) {
    const { params, call } = request
    const [account, { keys }] = await Promise.all([call('account', { params }), call('list-keys', { params })])
    const list = keys as JsonObject[]
    return accountTab(request, account, 'Keys', { note: keyNote(request, list), body: keySection(request, list) })
  },
}

export const keyRoutes: readonly PageRoute[] = [
  listPage,
  { method: 'GET', path: `${KEYS}.csv`, handle: ({ params, csv }) => csv('list-keys', { params }) },
  {
    method: 'POST',
    path: KEYS,
    back: KEYS,
    async handle({ params, form, call }) {
      return issued(params.id!, await call('create-key', { params, body: newKey(form) }))
    },
  },
  keyAction('rotate', async (request, params) => {
    const { call } = request
    const asked = await keyQuestion(request, 'rotate', 'Rotate', ROTATES)
    return asked ?? issued(request.params.id!, await call('rotate-key', { params, body: { grace_seconds: 3600 } }))
  }),
  limitsPage,
  keyAction(
    'limits',
    ({ form, call }, params) => call('change-key', { params, body: { limits: limitsIn(form) } }),
    LIMITS,
  ),
  keyAction('disable', ({ call }, params) => call('change-key', { params, body: { disabled: true } })),
  keyAction('enable', ({ call }, params) => call('change-key', { params, body: { disabled: false } })),
  keyAction('revoke', async (request, params) => {
    const asked = await keyQuestion(request, 'revoke', 'Revoke', REVOKES)
    return asked ?? request.call('revoke-key', { params })
  }),
]

const ROTATES =
  'gets a new secret, which is shown once. The current secret works for another hour. You cannot undo this.'
const REVOKES = 'never works again, from now on. You cannot undo this: to refuse it for a time, disable it.'

/** The question before an action that cannot be undone. `does`: the end of a sentence about the key. */
async function keyQuestion(
  request: PageRequest,
  name: string,
  button: string,
  does: string,
): Promise<PageReply | undefined> {
  const { id: account, key: id } = request.params
  const { keys } = await request.call('list-keys', { params: request.params })
  const key = (keys as JsonObject[]).find(one => one.id === id)
  // The operation refuses an unknown key.
  if (key === undefined || !isChangeable(key)) return undefined
  const used = typeof key.last_used_at === 'string' ? `last used ${timeText(key.last_used_at)} UTC` : 'never used'
  return question(request, {
    title: `${button} key ${nameOf(key)}?`,
    path: '/accounts',
    text: `The key was ${used}. It ${does}`,
    action: `/accounts/${account}/keys/${id}/${name}`,
    button,
    cancel: tabPath(account, 'Keys'),
  })
}

/** What the action in the query has done to a key of the list, and a button that undoes it. */
function keyNote(request: PageRequest, keys: readonly JsonObject[]): Html | null {
  const { query, params } = request
  const key = keys.find(({ id }) => id === query.get('key'))
  if (key === undefined) return null
  const name = nameOf(key)
  const undo = (action: string) =>
    actionForm(request, `/accounts/${params.id}/keys/${String(key.id)}/${action}`, 'Undo')
  switch (query.get('done')) {
    case 'limits':
      return doneNote(html`The limits of key ${name} are: ${limitsText(key.limits, request.config)}.`)
    case 'disable':
      return doneNote(`Key ${name} is disabled: it is refused until it is enabled.`, undo('enable'))
    case 'enable':
      return doneNote(`Key ${name} is enabled.`, undo('disable'))
    case 'revoke':
      return doneNote(`Key ${name} is revoked: it never works again.`)
    default:
      return null
  }
}

function nameOf({ id, label }: JsonObject): string {
  return keyName({ id: String(id), label: typeof label === 'string' ? label : null })
}

/** The action of a button of a key. If `act` returns no page, the reply redirects to the tab. */
function keyAction(
  name: string,
  act: (request: PageRequest, params: { id: string }) => Promise<Reply | JsonObject>,
  back = KEYS,
): PageRoute {
  return {
    method: 'POST',
    path: `${KEYS}/{key}/${name}`,
    back,
    async handle(request) {
      const { id, key } = request.params
      const done = await act(request, { id: key! })
      return isReply(done) ? done : { to: `${tabPath(id, 'Keys')}?done=${name}&key=${key}` }
    },
  }
}

function isReply(value: Reply | JsonObject): value is Reply {
  return 'body' in value && 'title' in value
}

function newKey(form: URLSearchParams): JsonObject {
  const models = wordsIn(form, 'models')
  const endpoints = wordsIn(form, 'endpoints')
  const limits = limitsIn(form)
  const [user, label, expires] = ['user', 'label', 'expires'].map(name => filled(form, name))
  return {
    ...(user === undefined ? null : { user }),
    ...(label === undefined ? null : { label }),
    ...(expires === undefined ? null : { expires_at: expires }),
    ...(models.length === 0 ? null : { models }),
    ...(endpoints.length === 0 ? null : { endpoints }),
    ...(limits === null ? null : { limits }),
  }
}

/** The page with the secret of a new or rotated key. No other page has it. */
function issued(account: string, { id, label, secret, previous_valid_until: until }: JsonObject): Reply {
  const isRotated = typeof until === 'string'
  const done = isRotated ? html`is rotated: its previous secret works until ${timeHtml(until)}` : 'is created'
  return {
    title: isRotated ? 'A new secret' : 'A new key',
    path: '/accounts',
    body: html`<p>Key <code>${textOf(id)}</code>${typeof label === 'string' && ` (${label})`} ${done}.</p>
<p>It has this secret, which is shown once: only its SHA-256 is stored.</p>
<pre tabindex="0"><code id="secret" data-copy="the secret">${textOf(secret)}</code></pre>
<p><a href="${tabPath(account, 'Keys')}">To the keys</a></p>`,
    script: 'copy.js',
  }
}

/** An account may have thousands of keys. */
const MAX_KEYS_SHOWN = 10

const text = (member: string) => (key: JsonObject) => (typeof key[member] === 'string' ? key[member] : null)

function columnsOf(request: PageRequest): readonly Column<JsonObject>[] {
  return [
    { name: 'key', head: 'Key', cell: ({ id }) => idHtml(textOf(id)) },
    { name: 'label', head: 'Label', cell: ({ label }) => textOf(label), value: text('label') },
    { name: 'state', head: 'State', cell: stateOf, value: stateText },
    {
      name: 'user',
      head: 'User',
      cell: ({ user }) => html`<span class="name">${breakable(textOf(user))}</span>`,
      value: text('user'),
    },
    { name: 'kind', head: 'Kind', cell: ({ kind }) => textOf(kind), value: text('kind') },
    {
      ...{ name: 'models', head: 'Models' },
      cell: ({ models }) => (Array.isArray(models) ? models.join(', ') : 'all'),
    },
    { name: 'limits', head: 'Limits', cell: ({ limits }) => limitsText(limits, request.config) },
    { name: 'expires', head: 'Expires', cell: key => timeHtml(key.expires_at), value: text('expires_at') },
    { name: 'last_used', head: 'Last used', cell: key => timeHtml(key.last_used_at), value: text('last_used_at') },
    { name: 'actions', head: 'Actions', cell: key => menu(request, key) },
  ]
}

function keySection(request: PageRequest, keys: readonly JsonObject[]): Html {
  const account = request.params.id!
  const columns = columnsOf(request)
  const sorting = pageSorting(request, tabPath(account, 'Keys'), columns)
  // Newest first, revoked keys last.
  const sorted = keys.toReversed().toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null))
  const { query } = request
  const only = sorted.filter(({ id }) => id === query.get('only'))
  const isWhole = query.get('keys') === 'all' || sorting.by !== null
  const shown = only.length > 0 ? only : sorted.slice(0, isWhole ? keys.length : MAX_KEYS_SHOWN)
  const href = `${tabPath(account, 'Keys')}?keys=all`
  const all = shown.length < keys.length && html`<p><a class="button" href="${href}">All ${keys.length} keys</a></p>`
  return html`${shown.length === 0 ? emptyState('No keys yet', 'A key that you create below appears here. Its secret is shown once.') : columnTable('Without their secrets', columns, shown, { sorting })}
${shown.length > 0 && listEnd(all, csvLink(`/accounts/${account}/keys.csv`))}
${createForm(request)}`
}

/** `request.form`: the values of a form that was refused. */
function createForm({ params, visitor, form, config }: PageRequest): Html {
  const field = (name: string, id: string, label: string, placeholder: string) =>
    html`<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" value="${form.get(name) ?? ''}" placeholder="${placeholder}"></p>`
  return html`<h3>Create a key</h3>
<form method="post" action="${tabPath(params.id, 'Keys')}">${tokenField(visitor)}<div class="fields">
<p class="field"><label for="label">Label</label><input id="label" name="label" maxlength="100" value="${form.get('label') ?? ''}"></p>
${field('user', 'user', 'User', 'none')}
<p class="field"><label for="expires">Expires</label><input id="expires" name="expires" type="date" value="${form.get('expires') ?? ''}"></p>
${field('models', 'key-models', 'Models', 'all')}
${field('endpoints', 'endpoints', 'Dedicated endpoints', 'none')}</div>
<div class="fields">
${limitFields(null, 'new', config, form)}
<button class="main">Create a key</button></div></form>`
}

function isChangeable({ source, revoked_at: revoked }: JsonObject): boolean {
  return source !== 'file' && revoked === null
}

/** The form on a page of its own, because a table row has too little room. */
function limitsForm(request: PageRequest, { id, label, limits }: JsonObject): Html {
  const account = `/accounts/${request.params.id}`
  return html`<p><a href="${account}/keys">To the keys</a></p>
${problemNote(request)}<p>${label !== null && html`It is called ${textOf(label)}. `}A request must pass these limits and those of the plan.</p>
<form method="post" action="${account}/keys/${textOf(id)}/limits">${tokenField(request.visitor)}<div class="fields">${limitFields(limits, 'key', request.config, request.form)}<button class="main">Set limits</button></div></form>`
}

function stateText({ revoked_at: revoked, disabled, source }: JsonObject): string {
  if (revoked !== null) return 'revoked'
  if (disabled === true) return 'disabled'
  return source === 'file' ? 'active, in the file' : 'active'
}

function stateOf(key: JsonObject): Html {
  const state = stateText(key)
  return html`<span class="${state === 'revoked' ? 'soft' : state === 'disabled' ? 'warn' : 'good'}">${state}</span>`
}

function menu(request: PageRequest, key: JsonObject): Html | string {
  if (!isChangeable(key)) return NOTHING
  const { id, disabled } = key
  const path = `${tabPath(request.params.id, 'Keys')}/${String(id)}`
  const of = (what: string) => html`${what}<span class="hidden"> ${textOf(id)}</span>`
  return htmlMenu(of('Actions'), [
    html`<a class="button" href="${path}/limits">${of('Limits')}</a>`,
    actionForm(request, `${path}/rotate`, of('Rotate')),
    disabled === true
      ? actionForm(request, `${path}/enable`, of('Enable'))
      : actionForm(request, `${path}/disable`, of('Disable')),
    actionForm(request, `${path}/revoke`, of('Revoke'), {}, true),
  ])
}
