/** The table of the keys of an account, and the form that creates one. */
import type { Json, JsonObject } from '../../base/json.ts'
import { type Column, columnTable } from '../../pages/columns.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { breakable, emptyState, htmlMenu, idHtml, nameHtml, timeHtml } from '../../pages/parts.ts'
import { type Disabler, disabledText } from '../key-state.ts'
import { tabPath } from './account-tabs.ts'
import { pageSorting } from './columns.ts'
import { actionForm, type FormFields } from './form.ts'
import { LIMIT_FIELDS, limitFields, limitsText } from './limits.ts'
import { modelLinks, ownerHref } from './links.ts'
import { csvLink, listEnd, type PageRequest } from './page.ts'
import { NOTHING, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

/** An account may have thousands of keys. */
const MAX_KEYS_SHOWN = 10

const text = (member: string) => (key: JsonObject) => (typeof key[member] === 'string' ? key[member] : null)

function columnsOf(request: PageRequest): readonly Column<JsonObject>[] {
  return [
    { name: 'key', head: 'Key', cell: ({ id }) => idHtml(textOf(id), ownerHref('key', String(id), request.params.id)) },
    { name: 'label', head: 'Label', cell: ({ label }) => nameHtml(textOf(label)), value: text('label') },
    { name: 'state', head: 'State', cell: stateOf, value: stateText },
    {
      name: 'user',
      head: 'User',
      cell: ({ user }) => userCell(user, request),
      value: text('user'),
    },
    { name: 'kind', head: 'Kind', cell: ({ kind }) => textOf(kind), value: text('kind') },
    {
      ...{ name: 'models', head: 'Models' },
      cell: ({ models }) => (Array.isArray(models) ? modelLinks(models.map(textOf)) : 'all'),
    },
    { name: 'limits', head: 'Limits', cell: ({ limits }) => limitsText(limits, request.config) },
    { name: 'expires', head: 'Expires', cell: key => timeHtml(key.expires_at), value: text('expires_at') },
    { name: 'last_used', head: 'Last used', cell: key => timeHtml(key.last_used_at), value: text('last_used_at') },
    { name: 'actions', head: 'Actions', cell: key => menu(request, key) },
  ]
}

function userCell(user: Json | undefined, { params }: PageRequest): Html | string {
  if (typeof user !== 'string') return NOTHING
  return html`<a class="name" href="${ownerHref('user', user, params.id)}">${breakable(user)}</a>`
}

export function keySection(request: PageRequest, keys: readonly JsonObject[]): Html {
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

/** Fields of the form that creates a key. */
export const KEY_FIELDS: FormFields = {
  label: ['label', 'Label'],
  user: ['user', 'User'],
  expires_at: ['expires', 'Expires'],
  models: ['models', 'Models'],
  endpoints: ['endpoints', 'Dedicated endpoints'],
  ...LIMIT_FIELDS,
}

/** `request.form`: the values of a form that was refused. */
function createForm(request: PageRequest): Html {
  const { params, visitor, form, problem } = request
  const field = (name: string, label: string, more: Html) =>
    htmlField({ name, label }, problem, own => html`<input${own} value="${form.get(name) ?? ''}"${more}>`)
  return html`<h3>Create a key</h3>
<form method="post" action="${tabPath(params.id, 'Keys')}">${tokenField(visitor)}<div class="fields">
${field('label', 'Label', html` maxlength="100"`)}
${field('user', 'User', html` placeholder="none"`)}
${field('expires', 'Expires', html` type="date"`)}
${field('models', 'Models', html` placeholder="all"`)}
${field('endpoints', 'Dedicated endpoints', html` placeholder="none"`)}</div>
<div class="fields">
${limitFields(null, 'new', request)}
<button class="main">Create a key</button></div></form>`
}

function stateText({ revoked_at: revoked, disabled_by: by, source }: JsonObject): string {
  if (revoked !== null) return 'revoked'
  if (by !== null) return disabledText(by as Disabler)
  return source === 'file' ? 'active, in the file' : 'active'
}

function stateOf(key: JsonObject): Html {
  const kind = key.revoked_at !== null ? 'soft' : key.disabled_by !== null ? 'warn' : 'good'
  return html`<span class="${kind}">${stateText(key)}</span>`
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

export function isChangeable({ source, revoked_at: revoked }: JsonObject): boolean {
  return source !== 'file' && revoked === null
}
