/** The pages of an account: the tabs Overview, Members and Audit, and the action that disables and enables it. */
import type { JsonObject } from '../../base/json.ts'
import { windowAt } from '../../limits/windows.ts'
import { doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState, htmlFacts, idHtml, nameHtml } from '../../pages/parts.ts'
import { htmlPlot, htmlTable } from '../../pages/table.ts'
import { accountLimitsRoutes, modelsText, planText, quotaText } from './account-limits.ts'
import { ACCOUNT, accountTab, fileNote, isErased, tabPath } from './account-tabs.ts'
import { auditTable } from './audit.ts'
import { creditRoutes } from './credits.ts'
import { erasedNote, eraseRoute, eraseSection } from './erase.ts'
import { actionForm, filled } from './form.ts'
import { keyRoutes } from './keys.ts'
import { ownerHref } from './links.ts'
import { htmlCards, listEnd, nextLink, type PageReply, type PageRequest, type PageRoute, question } from './page.ts'
import { moneyCell, NOTHING, numberText, requestsHref, textOf } from './text.ts'

const DAYS = 30
const DAY_MS = 86_400_000

export const accountRoutes: readonly PageRoute[] = [
  { method: 'GET', path: ACCOUNT, handle: overview },
  {
    method: 'POST',
    path: `${ACCOUNT}/state`,
    back: ACCOUNT,
    async handle(request) {
      const { params, form, call } = request
      const disabled = filled(form, 'disabled') === 'yes'
      const account = await call('account', { params })
      const asked = disabled && account.disabled === false ? disableQuestion(request, account) : undefined
      if (asked !== undefined) return asked
      await call('change-account', { params, body: { disabled } })
      return { to: `${tabPath(params.id, 'Overview')}?done=${disabled ? 'disable' : 'enable'}` }
    },
  },
  ...keyRoutes,
  ...creditRoutes,
  ...accountLimitsRoutes,
  {
    method: 'GET',
    path: `${ACCOUNT}/members`,
    async handle(request) {
      const account = await request.call('account', { params: request.params })
      return accountTab(request, account, 'Members', { body: memberTable(request, account) })
    },
  },
  {
    method: 'GET',
    path: `${ACCOUNT}/audit`,
    async handle(request) {
      const { params, query, call } = request
      const page = { account: params.id, cursor: filled(query, 'cursor'), limit: '50' }
      const [account, { entries, cursor }] = await Promise.all([
        call('account', { params }),
        call('audit', { query: page }),
      ])
      const older = nextLink(tabPath(account.id, 'Audit'), query, cursor, 'Older')
      const body = html`${auditTable(entries as JsonObject[], { isOfAccount: true })}
${listEnd(older, html`<p><a class="button" href="/audit?account=${String(account.id)}">Filter its entries</a></p>`)}`
      return accountTab(request, account, 'Audit', { body })
    },
  },
  eraseRoute,
]

async function overview(request: PageRequest): Promise<PageReply> {
  const { params, call, now } = request
  const account = await call('account', { params })
  const from = new Date(windowAt(now / 1000, DAY_MS).to - DAYS * DAY_MS).toISOString()
  const usage = call('usage', { query: { account: params.id, from, group_by: 'day' } }).then(
    ({ rows }) => rows as JsonObject[],
  )
  const [days, credits, quota] = await Promise.all([
    usage,
    call('credits', { params, query: { limit: '1' } }),
    usage.then(days => quotaText(request, account, { from, days })),
  ])
  const body = html`${facts(request, account, credits, quota)}
${usageSection(days, from, params.id!)}
${!isErased(account) && (fileNote(request, account) ?? actions(request, account))}`
  const note = isErased(account) ? erasedNote(request, account) : stateNote(request, account)
  return accountTab(request, account, 'Overview', { note, body, script: 'plot.js' })
}

function disableQuestion(request: PageRequest, { id, name }: JsonObject): PageReply | undefined {
  return question(request, {
    title: `Disable ${textOf(name)}?`,
    path: '/accounts',
    text: 'All requests of the account are refused until it is enabled. You can undo this.',
    action: `${tabPath(id, 'Overview')}/state`,
    button: 'Disable',
    cancel: tabPath(id, 'Overview'),
  })
}

/** What the action in the query has done to the account, and a button that undoes it. */
function stateNote(request: PageRequest, { id, name, disabled }: JsonObject): Html | null {
  const undo = (value: string) => actionForm(request, `${tabPath(id, 'Overview')}/state`, 'Undo', { disabled: value })
  switch (request.query.get('done')) {
    case 'create':
      return doneNote(`${textOf(name)} is created.`)
    case 'disable':
      return disabled === true
        ? doneNote(`${textOf(name)} is disabled: its requests are refused until it is enabled.`, undo('no'))
        : null
    case 'enable':
      return disabled === true ? null : doneNote(`${textOf(name)} is enabled.`, undo('yes'))
    default:
      return null
  }
}

function actions(request: PageRequest, account: JsonObject): Html {
  const path = `${tabPath(account.id, 'Overview')}/state`
  const state =
    account.disabled === true
      ? actionForm(request, path, 'Enable the account', { disabled: 'no' })
      : actionForm(request, path, 'Disable the account', { disabled: 'yes' }, true)
  return html`<h3>Stop</h3>
<div class="row">${state}${eraseSection(request, account)}</div>`
}

function facts(
  request: PageRequest,
  account: JsonObject,
  { balance_cents: balance }: JsonObject,
  quota: Html | string,
): Html {
  const { id, members } = account
  const number = Array.isArray(members) ? members.length : 0
  const linked = (tab: Parameters<typeof tabPath>[1], value: Html | string) =>
    isErased(account) ? value : html`<a href="${tabPath(id, tab)}">${value}</a>`
  const cards: readonly (readonly [string, Html | string])[] = [
    [
      'State',
      html`${stateOf(account)}<small>${textOf(account.kind)}, from the ${account.source === 'file' ? 'file' : 'store'}</small>`,
    ],
    ['Plan', linked('Limits', textOf(account.plan))],
    ['Quota left', quota],
    ['Limits of the plan', planText(request, account)],
    ['Balance', linked('Credit', balance === null ? 'not prepaid' : moneyCell(balance, request.config))],
    ['Members', linked('Members', numberText(number))],
  ]
  return html`${htmlCards(cards)}
${htmlFacts([
  ['Id', idHtml(textOf(id))],
  ['Models', modelsText(account)],
])}`
}

function stateOf(account: JsonObject): Html {
  if (isErased(account)) return html`<span class="error">erased</span>`
  return account.disabled === true ? html`<span class="error">disabled</span>` : html`<span class="good">active</span>`
}

function memberTable(request: PageRequest, account: JsonObject): Html {
  const { id, members } = account
  const list = members as { user: string; role: string; group?: string }[]
  const rows = list.map(({ user, role, group }) => [
    html`<a href="${ownerHref('user', user, id)}">${nameHtml(user)}</a>`,
    role,
    group ?? NOTHING,
  ])
  if (rows.length === 0)
    return emptyState(
      'No members',
      "Users whom the file, the operators' API or a group of the issuer makes members appear here. They sign in to the console, and create keys there.",
    )
  return html`${htmlTable('Users who may sign in to the console', ['User', 'Role', 'By group'], rows)}
${fileNote(request, account) ?? html`<p class="soft">The operators' API changes members: <code>PATCH /admin/v1/accounts/${String(id)}</code></p>`}`
}

/** The requests of a day. */
function dayHref(account: string, day: string): string {
  return requestsHref({ account, from: day, to: new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10) })
}

function usageSection(rows: readonly JsonObject[], from: string, id: string): Html {
  const byDay = new Map(rows.map(row => [String(row.day), row]))
  const days = Array.from({ length: DAYS }, (_, at) =>
    new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10),
  )
  const sumsOf = (member: string) => days.map(day => Number(byDay.get(day)?.[member] ?? 0))
  const times = days.map(day => Date.parse(day) / 1000)
  const table = rows
    .toReversed()
    .map(row => [
      textOf(row.day),
      html`<a href="${dayHref(id, String(row.day))}">${numberText(row.requests)}</a>`,
      numberText(row.input_tokens),
      numberText(row.cache_read_tokens),
      numberText(row.output_tokens),
    ])
  const heads = ['Day (UTC)', 'Requests#', 'Input tokens#', 'Cached input#', 'Output tokens#']
  return html`<h3>Usage of ${DAYS} days</h3>
${htmlPlot({
  label: 'Tokens of each day; the table below has the numbers',
  times,
  shape: 'bars',
  series: [
    { label: 'Input tokens', values: sumsOf('input_tokens') },
    { label: 'Output tokens', values: sumsOf('output_tokens') },
  ],
})}
${rows.length === 0 ? emptyState(`No usage in the last ${DAYS} days`, 'Requests with a key of this account appear here.') : html`<details><summary>As a table</summary>${htmlTable(`Last ${DAYS} days`, heads, table)}</details>`}
<p class="row"><a class="button" href="/requests?account=${id}">Requests</a><a class="button" href="/usage?account=${id}">Usage by model, key and others</a></p>`
}
