/** The page of one account: what it is, its usage and money, its keys, and what was done with it. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlPlot, htmlTable } from '../../pages/table.ts'
import { planField } from './accounts.ts'
import { auditTable } from './audit.ts'
import { filled, numberIn, wordsIn } from './form.ts'
import { keyRoutes, keySection } from './keys.ts'
import { planLimitsText } from './limits.ts'
import { type PageRoute, problemNote, type Visit } from './page.ts'
import { quotaText } from './quota.ts'
import { moneyText, NOTHING, numberText, textOf, timeText } from './text.ts'
import { tokenField } from './visitor.ts'

const PATH = '/accounts/{id}'
const DAYS = 30
const DAY_MS = 24 * 3_600_000

/** What an action has done, by the name that the address of the page has. */
const DONE: Readonly<Record<string, string>> = {
  changed: 'The account is changed.',
  credited: 'The balance is changed.',
  key: 'The key is changed.',
}

export const accountRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: PATH,
    async handle(visit) {
      const { params, call, now } = visit
      const id = params.id!
      const account = await call('account', { params })
      const from = new Date(Math.floor(now / 1000 / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS).toISOString()
      const usage = call('usage', { query: { account: id, from, group_by: 'day' } }).then(
        ({ rows }) => rows as JsonObject[],
      )
      const [days, credits, keys, audit, quota] = await Promise.all([
        usage,
        call('credits', { params, query: { limit: '10' } }),
        call('list-keys', { params }),
        call('audit', { query: { account: id, limit: '10' } }),
        usage.then(days => quotaText(visit, account, { from, days })),
      ])
      const done = DONE[visit.query.get('done') ?? '']
      const body = html`<p><a href="/accounts">All accounts</a></p>
${problemNote(visit)}${done !== undefined && html`<p class="note" role="status">${done}</p>`}
${facts(visit, account, credits, quota)}
${usageSection(days, from, id)}
${moneySection(visit, account, credits)}
${keySection(visit, keys.keys as JsonObject[])}
${changeSection(visit, account)}
<h2>Audit</h2>
${auditTable(audit.entries as JsonObject[])}
<p><a href="/audit?account=${id}">All of it</a></p>`
      return { title: textOf(account.name), path: '/accounts', script: 'plot.js', body }
    },
  },
  {
    method: 'POST',
    path: PATH,
    back: PATH,
    async handle({ params, form, call }) {
      await call('change-account', { params, body: changeOf(form) })
      return { to: `/accounts/${params.id}?done=changed` }
    },
  },
  {
    method: 'POST',
    path: `${PATH}/credits`,
    back: PATH,
    async handle({ params, form, call }) {
      const note = filled(form, 'note')
      const amount = numberIn(form, 'amount_cents') ?? null
      const body = { amount_cents: amount, ...(note === undefined ? null : { note }) }
      // A form that is sent twice has the same one, and books once.
      await call('add-credits', { params, body, idempotencyKey: filled(form, 'idempotency_key') })
      return { to: `/accounts/${params.id}?done=credited` }
    },
  },
  ...keyRoutes,
]

function changeOf(form: URLSearchParams): JsonObject {
  const models = wordsIn(form, 'models')
  return {
    plan: filled(form, 'plan') ?? null,
    models: models.length === 0 ? ['*'] : models,
    zdr_required: form.has('zdr_required'),
    disabled: form.has('disabled'),
    credits_cents: numberIn(form, 'credits_cents') ?? null,
  }
}

function facts({ config }: Visit, account: JsonObject, { balance_cents: balance }: JsonObject, quota: string): Html {
  const plan = typeof account.plan === 'string' ? config.plans[account.plan] : undefined
  const cards: readonly (readonly [string, Html | string])[] = [
    [
      'State',
      account.disabled === true ? html`<span class="error">disabled</span>` : html`<span class="good">in use</span>`,
    ],
    ['Kind', textOf(account.kind)],
    ['Plan', textOf(account.plan)],
    ['Quota left', quota],
    ['Limits of the plan', plan === undefined ? NOTHING : planLimitsText(plan)],
    ['Balance', balance === null ? 'not prepaid' : moneyText(balance)],
    ['Stands in', account.source === 'file' ? 'the file' : 'the store'],
  ]
  return html`<dl class="cards">${cards.map(([name, value]) => html`<div class="card"><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p class="soft">Id <code>${textOf(account.id)}</code>. Models: ${(account.models as string[]).join(', ')}. Members: ${membersText(account)}.</p>`
}

function membersText({ members }: JsonObject): string {
  const list = members as { user: string; role: string }[]
  return list.length === 0 ? 'none' : list.map(({ user, role }) => `${user} (${role})`).join(', ')
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
      numberText(row.requests),
      numberText(row.input_tokens),
      numberText(row.cache_read_tokens),
      numberText(row.output_tokens),
    ])
  const heads = ['Day (UTC)', 'Requests#', 'Input tokens#', 'Of them cached#', 'Output tokens#']
  return html`<h2>Usage</h2>
${htmlPlot({
  label: 'Tokens of each day; the table below has the numbers',
  times,
  shape: 'bars',
  series: [
    { label: 'Input tokens', values: sumsOf('input_tokens') },
    { label: 'Output tokens', values: sumsOf('output_tokens') },
  ],
})}
${rows.length === 0 ? html`<p>None in the last ${DAYS} days.</p>` : html`<details><summary>As a table</summary>${htmlTable(`Last ${DAYS} days`, heads, table)}</details>`}
<p><a href="/requests?account=${id}">Its requests</a></p>`
}

function moneySection(visit: Visit, account: JsonObject, credits: JsonObject): Html {
  if (account.credits_cents === null)
    return html`<h2>Credit</h2><p>The account is not prepaid.${account.source === 'store' && ' Set an initial balance below, 0 is enough.'}</p>`
  const ledger = (credits.ledger as JsonObject[]).map(entry => [
    timeText(entry.created_at),
    textOf(entry.kind),
    moneyText(entry.amount_cents),
    textOf(entry.note),
  ])
  return html`<h2>Credit</h2>
<p>Balance: <strong id="balance">${moneyText(credits.balance_cents)}</strong></p>
<form method="post" action="/accounts/${String(account.id)}/credits">${tokenField(visit.visitor)}
<input type="hidden" name="idempotency_key" value="${randomUUID()}"><div class="fields">
<p class="field"><label for="amount">Amount, in cents</label><input id="amount" name="amount_cents" required inputmode="numeric"><small>a negative one takes from the balance</small></p>
<p class="field"><label for="note">Note</label><input id="note" name="note" maxlength="500" required></p>
<button class="main">Add credit</button></div></form>
${ledger.length > 0 && htmlTable('Ledger, newest first', ['Time (UTC)', 'Kind', 'Amount#', 'Note'], ledger)}`
}

function changeSection(visit: Visit, account: JsonObject): Html {
  if (account.source === 'file') {
    const at = visit.config.accounts.findIndex(({ id }) => id === account.id)
    return html`<h2>Change</h2><p>This account is <code>accounts[${at}]</code> of the configuration file: change it there, and the gateway loads it again. Its keys and credit can be changed here.</p>`
  }
  const models = account.models as string[]
  return html`<h2>Change</h2>
<form method="post" action="/accounts/${String(account.id)}">${tokenField(visit.visitor)}<div class="fields">
${planField(visit, String(account.plan ?? ''))}
<p class="field"><label for="models">Models</label><input id="models" name="models" value="${models.includes('*') ? '' : models.join(', ')}" placeholder="all"></p>
<p class="field"><label for="credits">Initial balance, in cents</label><input id="credits" name="credits_cents" inputmode="numeric" value="${String(account.credits_cents ?? '')}" placeholder="not prepaid"></p>
<label class="check"><input type="checkbox" name="zdr_required"${account.zdr_required === true && html` checked`}> Zero data retention</label>
<label class="check"><input type="checkbox" name="disabled"${account.disabled === true && html` checked`}> Disabled</label>
<button class="main">Change</button></div></form>`
}
