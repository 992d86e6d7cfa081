import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { type Column, columnTable, SORTED_BY_STORE } from '../../pages/columns.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState, nameHtml } from '../../pages/parts.ts'
import { sortFields } from '../../pages/sorting.ts'
import { tabPath } from './account-tabs.ts'
import { pageSorting } from './columns.ts'
import { type FormFields, filled, numberIn, select, wordsIn } from './form.ts'
import { csvLink, listEnd, nextLink, type PageRequest, type PageRoute, problemNote } from './page.ts'
import { moneyCell, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

/** Fields of the form that creates an account. */
const FIELDS: FormFields = {
  name: ['name', 'Name'],
  kind: ['kind', 'Kind'],
  plan: ['plan', 'Plan'],
  models: ['models', 'Models'],
  credits_cents: ['credits_cents', 'Prepaid'],
  members: ['owners', 'Owners'],
}

export const accountsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/accounts',
    async handle(request) {
      const name = filled(request.query, 'name')
      if (name !== undefined && isUuid(name)) return { to: `/accounts/${name}` }
      const query = { ...queryOf(request), cursor: filled(request.query, 'cursor'), limit: '100' }
      const { accounts, cursor } = await request.call('list-accounts', { query })
      const body = html`${problemNote(request)}
<form action="/accounts" class="fields">${sortFields(request.query)}<p class="field"><label for="find">Name or id</label><input id="find" name="name" value="${name ?? ''}"></p><button>Find</button></form>
${accountTable(request, accounts as JsonObject[])}
${listEnd(nextLink('/accounts', request.query, cursor, 'More'), csvLink('/accounts.csv', request.query))}
<h2 id="new">Create an account</h2>
${creation(request)}`
      return { title: 'Accounts', path: '/accounts', body }
    },
  },
  {
    method: 'GET',
    path: '/accounts.csv',
    handle: ({ query, csv }) => csv('list-accounts', { query: queryOf({ query }) }),
  },
  {
    method: 'POST',
    path: '/accounts',
    back: '/accounts',
    fields: FIELDS,
    async handle({ form, call }) {
      const { id } = await call('create-account', { body: newAccount(form) })
      return { to: `/accounts/${id}?done=create` }
    },
  },
]

function queryOf({ query }: Pick<PageRequest, 'query'>): Readonly<Record<string, string | undefined>> {
  return { name: filled(query, 'name'), sort: filled(query, 'sort'), order: filled(query, 'order') }
}

function newAccount(form: URLSearchParams): JsonObject {
  const models = wordsIn(form, 'models')
  const plan = filled(form, 'plan')
  const credits = numberIn(form, 'credits_cents')
  return {
    name: filled(form, 'name') ?? '',
    kind: filled(form, 'kind') ?? 'serverless',
    ...(plan === undefined ? null : { plan }),
    ...(models.length === 0 ? null : { models }),
    ...(credits === undefined ? null : { credits_cents: credits }),
    ...(form.has('zdr_required') ? { zdr_required: true } : null),
    members: wordsIn(form, 'owners').map(user => ({ user, role: 'owner' })),
  }
}

function accountTable(request: PageRequest, accounts: readonly JsonObject[]): Html {
  const { config } = request
  const columns: readonly Column<JsonObject>[] = [
    {
      ...{ name: 'name', head: 'Name', value: SORTED_BY_STORE },
      cell: ({ id, name }) => html`<a href="/accounts/${String(id)}">${nameHtml(textOf(name))}</a>`,
    },
    { name: 'state', head: 'State', cell: stateCell },
    { name: 'kind', head: 'Kind', cell: ({ kind }) => textOf(kind), value: SORTED_BY_STORE },
    { name: 'plan', head: 'Plan', cell: ({ plan }) => textOf(plan), value: SORTED_BY_STORE },
    {
      ...{ name: 'balance', head: 'Balance#', value: SORTED_BY_STORE },
      cell: ({ id, balance_cents: balance }) =>
        html`<a href="${tabPath(id, 'Credit')}">${balance === null ? 'not prepaid' : moneyCell(balance, config)}</a>`,
    },
    {
      ...{ name: 'members', head: 'Members#' },
      cell: ({ id, members }) =>
        html`<a href="${tabPath(id, 'Members')}">${Array.isArray(members) ? members.length : 0}</a>`,
    },
    { name: 'source', head: 'Source', cell: ({ source }) => textOf(source) },
  ]
  const sorting = pageSorting(request, '/accounts', columns)
  if (accounts.length === 0)
    return emptyState('No such account', 'Accounts of the file and those that you create below appear here.')
  return columnTable('Accounts', columns, accounts, { sorting, isSorted: true })
}

function stateCell({ disabled }: JsonObject): Html {
  return disabled === true ? html`<span class="error">disabled</span>` : html`<span class="good">active</span>`
}

/** `request.form`: the values of a form that was refused. */
function creation(request: PageRequest): Html {
  const { form, visitor, config, problem } = request
  const kinds = ['serverless', 'enterprise', 'dedicated'].map(kind => [kind, kind] as const)
  const field = (name: string, label: string, more: Html) =>
    htmlField({ name, label }, problem, own => html`<input${own} value="${form.get(name) ?? ''}"${more}>`)
  return html`<form method="post" action="/accounts">${tokenField(visitor)}<div class="fields">
${field('name', 'Name', html` required maxlength="256"`)}
${select('kind', 'Kind', form.get('kind') ?? 'serverless', kinds, problem)}
${planField(request, form.get('plan') ?? '')}
${field('models', 'Models', html` placeholder="all"`)}
${field('credits_cents', `Prepaid, in cents (${config.currency})`, html` inputmode="numeric" placeholder="not prepaid"`)}
${field('owners', 'Owners', html` placeholder="a@x.org, …"`)}
<label class="check"><input type="checkbox" name="zdr_required"${form.has('zdr_required') && html` checked`}> Zero data retention</label>
<button class="main">Create</button></div></form>`
}

export function planField({ config, problem }: Pick<PageRequest, 'config' | 'problem'>, chosen: string): Html {
  const plans = Object.keys(config.plans).map(name => [name, name] as const)
  return select('plan', 'Plan', chosen, [['', 'none'], ...plans], problem)
}
