import type { Json, JsonObject } from '../../base/json.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState, filterBox, nameHtml, timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import { keyPath } from './account-tabs.ts'
import { filled } from './form.ts'
import { actorLink } from './links.ts'
import { csvLink, filterNote, listEnd, nextLink, type PageRequest, type PageRoute } from './page.ts'
import { backendPath, modelHistoryPath } from './paths.ts'
import { NOTHING, requestsHref, textOf } from './text.ts'

const CSV = '/audit.csv'
const FILTERS = ['account', 'actor', 'action'] as const
const LABELS = { account: 'Account', actor: 'Who', action: 'Action' } as const

const givenIn = ({ query }: Pick<PageRequest, 'query'>) =>
  Object.fromEntries(FILTERS.map(name => [name, filled(query, name)]))

const listRoute: PageRoute = {
  method: 'GET',
  path: '/audit',
  fields: Object.fromEntries(FILTERS.map(name => [name, [name, LABELS[name]]])),
  async handle(request) {
    const { query, call, filterProblem } = request
    const given = givenIn({ query })
    const fields = FILTERS.map(name =>
      htmlField({ name, label: LABELS[name] }, filterProblem, own => html`<input${own} value="${given[name] ?? ''}">`),
    )
    const filters = html`${filterNote(request)}${filterBox(html`<form action="/audit" class="fields">${fields}<button class="main">Filter</button></form>`)}`
    if (filterProblem !== null) return { title: 'Audit', path: '/audit', body: filters }
    const { entries, cursor } = await call('audit', {
      query: { ...given, cursor: filled(query, 'cursor'), limit: '50' },
    })
    const body = html`${filters}
${auditTable(entries as JsonObject[])}
${listEnd(nextLink('/audit', query, cursor, 'Older'), csvLink(CSV, query))}`
    return { title: 'Audit', path: '/audit', body }
  },
}

export const auditRoutes: readonly PageRoute[] = [
  listRoute,
  { method: 'GET', path: CSV, handle: request => request.csv('audit', { query: givenIn(request) }) },
]

/** `isOfAccount`: all entries are of one account, whose page has the table. */
export function auditTable(entries: readonly JsonObject[], { isOfAccount = false } = {}): Html {
  if (entries.length === 0)
    return emptyState('No entries', 'Changes by operators and members, sign-ins and sign-outs appear here.')
  const rows = entries.map(entry => [
    timeHtml(entry.created_at),
    whoCell(textOf(entry.actor)),
    textOf(entry.address),
    html`<a href="/audit?action=${encodeURIComponent(textOf(entry.action))}">${textOf(entry.action)}</a>`,
    ...(isOfAccount ? [] : [accountCell(entry)]),
    targetCell(entry),
    differences(entry.before, entry.after),
  ])
  const heads = ['Time', 'Who', 'From', 'Action', ...(isOfAccount ? [] : ['Account']), 'Target', 'Change']
  return htmlTable('Newest first', heads, rows)
}

/** A longer actor wraps. */
const MAX_ACTOR_LENGTH = 40

function whoCell(actor: string): Html {
  return html`<span class="${actor.length <= MAX_ACTOR_LENGTH ? 'whole' : 'name'}">${actorLink(actor)}</span>`
}

/** A longer target wraps. */
const MAX_WHOLE_LENGTH = 20

function targetCell(entry: JsonObject): Html {
  const target = textOf(entry.target)
  const shown = html`<code class="${target.length <= MAX_WHOLE_LENGTH ? 'whole' : 'name'}">${target}</code>`
  const href = targetHref(entry, target)
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`
}

/** The page of what was changed, or the requests behind it. undefined: it has neither. */
function targetHref(
  { action, actor, account_id: account, before, after }: JsonObject,
  target: string,
): string | undefined {
  if (target === account) return `/accounts/${target}`
  switch (String(action).split('.')[0]) {
    case 'key':
      return account === null ? undefined : keyPath(account, target)
    case 'model':
      return modelHistoryPath(target)
    case 'batch':
      return action === 'batch.cancel' ? requestsHref({ batch: target }) : modelHistoryPath(target)
    case 'backend': {
      const model = membersOf(after).model ?? membersOf(before).model
      return typeof model === 'string' ? backendPath(model, target) : requestsHref({ backend: target })
    }
    case 'session':
      return actor === `console ${target}` ? requestsHref({ user: target }) : undefined
    default:
      return undefined
  }
}

function accountCell({ account_id: id, account_name: name }: JsonObject): Html | string {
  return typeof name === 'string' ? html`<a href="/accounts/${String(id)}">${nameHtml(name)}</a>` : textOf(id)
}

/** A longer list of changes is folded. */
const MAX_OPEN = 4

/** The members that have changed: `plan: small → large`. */
function differences(before: Json | undefined, after: Json | undefined): Html | string {
  const [was, is] = [membersOf(before), membersOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changed = names.filter(name => textOf(was[name]) !== textOf(is[name]))
  if (changed.length === 0) return NOTHING
  const list = html`<ul class="plain">${changed.map(
    name => html`<li>${name}: ${name in was && html`${textOf(was[name])} → `}${textOf(is[name])}</li>`,
  )}</ul>`
  return changed.length <= MAX_OPEN ? list : html`<details><summary>${changed.length} values</summary>${list}</details>`
}

function membersOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
