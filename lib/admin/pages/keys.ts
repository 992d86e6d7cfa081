/** The tab Keys of an account, and actions that create and change them. */
import type { JsonObject } from '../../base/json.ts'
import { doneNote, keyName } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { timeHtml } from '../../pages/parts.ts'
import { ACCOUNT, accountTab, tabPath } from './account-tabs.ts'
import { actionForm, filled, wordsIn } from './form.ts'
import { isChangeable, KEY_FIELDS, keySection } from './key-table.ts'
import { LIMIT_FIELDS, limitFields, limitsIn, limitsText } from './limits.ts'
import { type PageReply, type PageRequest, type PageRoute, problemNote, question, type Reply } from './page.ts'
import { textOf, timeText } from './text.ts'
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
    fields: KEY_FIELDS,
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
    fields: LIMIT_FIELDS,
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

/** The form on a page of its own, because a table row has too little room. */
function limitsForm(request: PageRequest, { id, label, limits }: JsonObject): Html {
  const account = `/accounts/${request.params.id}`
  return html`<p><a href="${account}/keys">To the keys</a></p>
${problemNote(request)}<p>${label !== null && html`It is called ${textOf(label)}. `}A request must pass these limits and those of the plan.</p>
<form method="post" action="${account}/keys/${textOf(id)}/limits">${tokenField(request.visitor)}<div class="fields">${limitFields(limits, 'key', request)}<button class="main">Set limits</button></div></form>`
}
