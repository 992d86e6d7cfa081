/** The prepaid balance on the page of an account: its ledger, and the action that books an amount. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { CONFIRMED, doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { moneyText } from '../../pages/money.ts'
import { timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import { actionForm, filled, numberIn } from './form.ts'
import { csvLink, type PageRequest, type PageRoute, question } from './page.ts'
import { moneyCell, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

const ACCOUNT = '/accounts/{id}'
const MAX_NOTE_LENGTH = 500

const bookRoute: PageRoute = {
  method: 'POST',
  path: `${ACCOUNT}/credits`,
  back: ACCOUNT,
  async handle(request) {
    const { params, form, call } = request
    const note = filled(form, 'note')
    const amount = numberIn(form, 'amount_cents') ?? null
    const asked = typeof amount === 'number' && amount < 0 ? await takeQuestion(request, -amount) : undefined
    if (asked !== undefined) return asked
    const body = { amount_cents: amount, ...(note === undefined ? null : { note }) }
    // A form that is sent twice has the same key, and books once.
    const { entry } = await call('add-credits', { params, body, idempotencyKey: filled(form, 'idempotency_key') })
    return { to: `/accounts/${params.id}?done=credits&entry=${String((entry as JsonObject).id)}` }
  },
}

export const creditRoutes: readonly PageRoute[] = [
  bookRoute,
  { method: 'GET', path: `${ACCOUNT}/credits.csv`, handle: ({ params, csv }) => csv('credits', { params }) },
]

/** The question before cents are taken from a balance. */
async function takeQuestion(request: PageRequest, cents: number) {
  const { params, call } = request
  const [account, { balance_cents: balance }] = await Promise.all([
    call('account', { params }),
    call('credits', { params, query: { limit: '1' } }),
  ])
  if (typeof balance !== 'number') return undefined
  const path = `/accounts/${params.id}`
  const [taken, has, left] = [cents, balance, balance - cents].map(one => moneyText(one, request.config.currency))
  return question(request, {
    title: `Take ${taken} from ${textOf(account.name)}?`,
    path: '/accounts',
    text: `The balance is ${has}, and ${left} after this. You can undo this.`,
    action: `${path}/credits`,
    button: `Take ${taken}`,
    cancel: path,
  })
}

/** What the action in the query has booked, and a button that books the opposite, once. */
export function creditNote(request: PageRequest, account: JsonObject, { ledger }: JsonObject): Html | null {
  const { query } = request
  const entry = (ledger as JsonObject[]).find(({ id }) => id === query.get('entry'))
  if (query.get('done') !== 'credits' || entry === undefined) return null
  const cents = Number(entry.amount_cents)
  const amount = moneyText(Math.abs(cents), request.config.currency)
  const done = cents < 0 ? `${amount} is taken from the balance` : `${amount} is added to the balance`
  const undo = actionForm(request, `/accounts/${String(account.id)}/credits`, 'Undo', {
    amount_cents: String(-cents),
    note: `Undo: ${textOf(entry.note)}`.slice(0, MAX_NOTE_LENGTH),
    idempotency_key: `undo ${String(entry.id)}`,
    [CONFIRMED]: 'yes',
  })
  return doneNote(`${done} of ${textOf(account.name)}: ${textOf(entry.note)}`, undo)
}

export function creditSection(request: PageRequest, account: JsonObject, credits: JsonObject): Html {
  if (account.credits_cents === null)
    return html`<h2>Credit</h2><p>The account is not prepaid.${account.source === 'store' && ' Set an initial balance below, 0 is enough.'}</p>`
  const ledger = (credits.ledger as JsonObject[]).map(entry => [
    timeHtml(entry.created_at),
    textOf(entry.kind),
    moneyCell(entry.amount_cents, request.config),
    textOf(entry.note),
  ])
  return html`<h2>Credit</h2>
<p>Balance: <strong id="balance">${moneyCell(credits.balance_cents, request.config)}</strong></p>
<form method="post" action="/accounts/${String(account.id)}/credits">${tokenField(request.visitor)}
<input type="hidden" name="idempotency_key" value="${randomUUID()}"><div class="fields">
<p class="field"><label for="amount">Amount, in cents (${request.config.currency})</label><input id="amount" name="amount_cents" required inputmode="numeric"></p>
<p class="field"><label for="note">Note</label><input id="note" name="note" maxlength="${MAX_NOTE_LENGTH}" required></p>
<button class="main">Add credit</button></div></form>
<p class="soft">A negative amount takes from the balance.</p>
${
  ledger.length > 0 &&
  html`${htmlTable('Ledger, newest first', ['Time', 'Kind', 'Amount#', 'Note'], ledger)}
${csvLink(`/accounts/${String(account.id)}/credits.csv`)}`
}`
}
