/** The tab Credit of an account: its balance, its ledger by day, and the actions that change the balance. */
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '../../base/json.ts'
import { CONFIRMED, doneNote } from '../../pages/actions.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { moneyText } from '../../pages/money.ts'
import { emptyState, timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import { ACCOUNT, accountTab, fileNote, isErased, tabPath } from './account-tabs.ts'
import { actionForm, filled, numberIn } from './form.ts'
import {
  csvLink,
  htmlCards,
  listEnd,
  nextLink,
  type PageReply,
  type PageRequest,
  type PageRoute,
  question,
} from './page.ts'
import { moneyCell, NOTHING, numberText, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

const PATH = `${ACCOUNT}/credits`
const MAX_NOTE_LENGTH = 500
const DAY_MS = 86_400_000

const REPEATED = 'This form has booked another amount or note already. Send it again to book this one, too.'

export const creditRoutes: readonly PageRoute[] = [
  { method: 'GET', path: PATH, handle: creditTab },
  {
    method: 'POST',
    path: PATH,
    back: PATH,
    fields: {
      amount_cents: ['amount_cents', 'Amount'],
      note: ['note', 'Note'],
      'Idempotency-Key': ['idempotency_key', '', REPEATED],
    },
    async handle(request) {
      const { params, form, call } = request
      const note = filled(form, 'note')
      const amount = numberIn(form, 'amount_cents') ?? null
      const asked = typeof amount === 'number' && amount < 0 ? await takeQuestion(request, -amount, '') : undefined
      if (asked !== undefined) return asked
      const body = { amount_cents: amount, ...(note === undefined ? null : { note }) }
      // A form that is sent twice has the same key, and books once.
      const { entry } = await call('add-credits', { params, body, idempotencyKey: filled(form, 'idempotency_key') })
      const { id, created_at: at } = entry as JsonObject
      const done = new URLSearchParams({ done: 'credits', entry: String(id), at: String(at) })
      return { to: `${tabPath(params.id, 'Credit')}?${done.toString()}` }
    },
  },
  {
    method: 'POST',
    path: `${PATH}/initial`,
    back: PATH,
    fields: { credits_cents: ['initial_cents', 'Initial balance'] },
    async handle(request) {
      const { params, form, call } = request
      const { credits_cents: before } = await call('account', { params })
      const after = numberIn(form, 'initial_cents') ?? null
      const taken = typeof before === 'number' && typeof after === 'number' ? before - after : 0
      const asked = taken > 0 ? await takeQuestion(request, taken, '/initial') : undefined
      if (asked !== undefined) return asked
      await call('change-account', { params, body: { credits_cents: after } })
      return { to: `${tabPath(params.id, 'Credit')}?done=initial&was=${before === null ? '' : String(before)}` }
    },
  },
  {
    method: 'GET',
    path: `${PATH}.csv`,
    handle: ({ params, query, csv }) => csv('credits', { params, query: dayQuery(query) ?? {} }),
  },
]

/** The times of the day in a query; null: it names none. */
function dayQuery(query: URLSearchParams): { readonly from: string; readonly to: string } | null {
  const start = Date.parse(`${query.get('day')}T00:00:00Z`)
  if (Number.isNaN(start)) return null
  const [from, to] = [start, start + DAY_MS].map(time => new Date(time).toISOString())
  return { from: from!, to: to! }
}

async function creditTab(request: PageRequest): Promise<PageReply> {
  const { params, query, call } = request
  const day = dayQuery(query)
  const page = { cursor: filled(query, 'cursor') }
  const [account, credits, booked] = await Promise.all([
    call('account', { params }),
    day === null
      ? call('credit-days', { params, query: page })
      : call('credits', { params, query: { ...page, ...day } }),
    bookedAt(request),
  ])
  const path = tabPath(account.id, 'Credit')
  const ledger =
    day === null
      ? html`<h3>Ledger</h3>
${dayTable(request, account, credits)}`
      : html`<h3>Ledger of ${day.from.slice(0, 10)}</h3>
<p><a href="${path}">All days</a></p>
${entryTable(request, credits.ledger as JsonObject[])}`
  const body = html`${balanceSection(request, account, credits)}
${ledger}
${listEnd(nextLink(path, query, credits.cursor, 'Older'), csvLink(`${path}.csv`, day === null ? undefined : new URLSearchParams({ day: day.from.slice(0, 10) })))}`
  const note = creditNote(request, account, booked) ?? initialNote(request, account)
  return accountTab(request, account, 'Credit', {
    note,
    body: account.credits_cents === null ? notPrepaid(request, account) : body,
  })
}

/** The question before cents are taken from a balance. `action`: the end of the path of the action. */
async function takeQuestion(request: PageRequest, cents: number, action: '' | '/initial') {
  const { params, call } = request
  const [account, { balance_cents: balance }] = await Promise.all([
    call('account', { params }),
    call('credits', { params, query: { limit: '1' } }),
  ])
  if (typeof balance !== 'number') return undefined
  const path = tabPath(params.id, 'Credit')
  const [taken, has, left] = [cents, balance, balance - cents].map(one => moneyText(one, request.config.currency))
  return question(request, {
    title: `Take ${taken} from ${textOf(account.name)}?`,
    path: '/accounts',
    text: `The balance is ${has}, and ${left} after this. You can undo this.`,
    action: `${path}${action}`,
    button: `Take ${taken}`,
    cancel: path,
  })
}

/** The entries of the millisecond in the query. */
async function bookedAt({ params, query, call }: PageRequest): Promise<JsonObject> {
  const at = Date.parse(query.get('at') ?? '')
  if (query.get('done') !== 'credits' || Number.isNaN(at)) return { ledger: [] }
  const [from, to] = [at, at + 1].map(one => new Date(one).toISOString())
  return call('credits', { params, query: { from, to, limit: '500' } })
}

/** What the action in the query has booked, and a button that books the opposite, once. */
function creditNote(request: PageRequest, account: JsonObject, { ledger }: JsonObject): Html | null {
  const { query } = request
  const entry = (ledger as JsonObject[]).find(({ id }) => id === query.get('entry'))
  if (query.get('done') !== 'credits' || entry === undefined) return null
  const cents = Number(entry.amount_cents)
  const amount = moneyText(Math.abs(cents), request.config.currency)
  const done = cents < 0 ? `${amount} is taken from the balance` : `${amount} is added to the balance`
  const undo = actionForm(request, tabPath(account.id, 'Credit'), 'Undo', {
    amount_cents: String(-cents),
    note: `Undo: ${textOf(entry.note)}`.slice(0, MAX_NOTE_LENGTH),
    idempotency_key: `undo ${String(entry.id)}`,
    [CONFIRMED]: 'yes',
  })
  return doneNote(`${done} of ${textOf(account.name)}: ${textOf(entry.note)}`, undo)
}

/** The initial balance that the action in the query has set, and a button that sets the one before. */
function initialNote(request: PageRequest, { id, name, credits_cents: cents }: JsonObject): Html | null {
  const { query, config } = request
  const was = query.get('was') ?? ''
  if (query.get('done') !== 'initial' || !/^(-?\d+(\.\d+)?)?$/.test(was)) return null
  const text =
    typeof cents === 'number'
      ? `The initial balance of ${textOf(name)} is ${moneyText(cents, config.currency)}.`
      : `${textOf(name)} is not prepaid any more.`
  const undo = { initial_cents: was, [CONFIRMED]: 'yes' }
  return doneNote(text, actionForm(request, `${tabPath(id, 'Credit')}/initial`, 'Undo', undo))
}

function notPrepaid(request: PageRequest, account: JsonObject): Html {
  return html`<p>The account is not prepaid.</p>
${fileNote(request, account) ?? html`<p class="soft">An initial balance makes it prepaid, also one of 0.</p>${initialForm(request, account)}`}`
}

function balanceSection(request: PageRequest, account: JsonObject, credits: JsonObject): Html {
  const balance = htmlCards([
    ['Balance', html`<span id="balance">${moneyCell(credits.balance_cents, request.config)}</span>`],
  ])
  if (isErased(account)) return balance
  return html`${balance}
${bookForm(request, account)}
<p class="soft">A negative amount takes from the balance.</p>
${account.source === 'store' && initialForm(request, account)}`
}

/** `request.form`: the values of a form that was refused. */
function bookForm({ visitor, config, form, problem }: PageRequest, { id }: JsonObject): Html {
  const key = problem?.field === 'idempotency_key' ? null : form.get('idempotency_key')
  const field = (name: string, label: string, more: Html) =>
    htmlField({ name, label }, problem, own => html`<input${own} required value="${form.get(name) ?? ''}"${more}>`)
  return html`<form method="post" action="${tabPath(id, 'Credit')}">${tokenField(visitor)}
<input type="hidden" name="idempotency_key" value="${key ?? randomUUID()}"><div class="fields">
${field('amount_cents', `Amount, in cents (${config.currency})`, html` inputmode="numeric"`)}
${field('note', 'Note', html` maxlength="${MAX_NOTE_LENGTH}"`)}
<button class="main">Add credit</button></div></form>`
}

function initialForm({ visitor, config, form, problem }: PageRequest, { id, credits_cents: cents }: JsonObject): Html {
  const value = form.get('initial_cents') ?? String(cents ?? '')
  const label = `Initial balance, in cents (${config.currency})`
  return html`<form method="post" action="${tabPath(id, 'Credit')}/initial">${tokenField(visitor)}<div class="fields">
${htmlField({ name: 'initial_cents', label }, problem, own => html`<input${own} inputmode="numeric" value="${value}" placeholder="not prepaid">`)}
<button>Set the initial balance</button></div></form>`
}

const EMPTY = emptyState('No entries yet', 'Credit that you add, and charges of requests, appear here.')

function noteCell(note: Json | undefined): Html {
  return html`<span class="prose">${textOf(note)}</span>`
}

function dayTable({ config, query }: PageRequest, { id }: JsonObject, { days: list, cursor }: JsonObject): Html {
  const days = list as JsonObject[]
  if (days.length === 0) return EMPTY
  const rows = days.map(({ day, kind, entries, amount_cents: amount, note, from, to }, at) => {
    if (kind !== 'charge') return [timeHtml(to), textOf(kind), NOTHING, moneyCell(amount, config), noteCell(note)]
    // A page sums a limited number of charges, so a long day continues on the next page.
    const isBegun = at === 0 && query.has('cursor')
    const isCut = at === days.length - 1 && cursor !== null
    return [
      textOf(day),
      'charges',
      html`<a href="${tabPath(id, 'Credit')}?day=${textOf(day)}">${numberText(entries)}</a>`,
      moneyCell(amount, config),
      html`${isBegun && html`until ${timeHtml(to)} `}${isCut && html`from ${timeHtml(from)}`}${!isBegun && !isCut && NOTHING}`,
    ]
  })
  const heads = ['Time', 'Kind', 'Charges#', 'Amount#', 'Note']
  return htmlTable('Newest first; the charges of a UTC day are one row', heads, rows)
}

function entryTable({ config }: PageRequest, entries: readonly JsonObject[]): Html {
  if (entries.length === 0) return EMPTY
  const rows = entries.map(({ id, created_at: at, kind, amount_cents: amount, note }) => [
    timeHtml(at),
    kind === 'charge' ? html`<a href="/requests/${textOf(id)}">charge of a request</a>` : textOf(kind),
    moneyCell(amount, config),
    noteCell(note),
  ])
  return htmlTable('Newest first', ['Time', 'Kind', 'Amount#', 'Note'], rows)
}
