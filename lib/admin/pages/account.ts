import type { JsonObject } from '../../base/json.ts'
import { windowMilliseconds } from '../../config/config.ts'
import { doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { emptyState, idHtml, timeHtml } from '../../pages/parts.ts'
import { htmlPlot, htmlTable } from '../../pages/table.ts'
import { planField } from './accounts.ts'
import { auditTable } from './audit.ts'
import { creditNote, creditRoutes, creditSection } from './credits.ts'
import { erasedSection, eraseRoute, eraseSection } from './erase.ts'
import { actionForm, filled, numberIn, wordsIn } from './form.ts'
import { keyNote, keyRoutes, keySection } from './keys.ts'
import { planLimitsText } from './limits.ts'
import { htmlCards, type PageReply, type PageRequest, type PageRoute, problemNote, question } from './page.ts'
import { moneyCell, NOTHING, numberText, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

const PATH = '/accounts/{id}'
const DAYS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const accountRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: PATH,
    async handle(request) {
      const { params, call, now } = request
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
        usage.then(days => quotaText(request, account, { from, days })),
      ])
      const list = keys.keys as JsonObject[]
      const body = html`<p><a href="/accounts">All accounts</a></p>
${problemNote(request)}${changeNote(request, account)}${creditNote(request, account, credits)}${keyNote(request, list)}
${facts(request, account, credits, quota)}
${usageSection(days, from, id)}
${
  typeof account.erased_at === 'string'
    ? erasedSection(request, account)
    : html`${creditSection(request, account, credits)}
${keySection(request, list)}
${changeSection(request, account)}`
}
<h2>Audit</h2>
${auditTable(audit.entries as JsonObject[])}
<p><a href="/audit?account=${id}">All entries</a></p>`
      return { title: textOf(account.name), path: '/accounts', script: 'plot.js', body }
    },
  },
  {
    method: 'POST',
    path: PATH,
    back: PATH,
    async handle(request) {
      const { params, form, call } = request
      const before = await call('account', { params })
      const asked = form.has('disabled') && before.disabled === false ? disableQuestion(request, before) : undefined
      if (asked !== undefined) return asked
      const after = await call('change-account', { params, body: changeOf(form) })
      const changed = CHANGES.filter(([name]) => textOf(before[name]) !== textOf(after[name])).map(([name]) => name)
      return { to: `/accounts/${params.id}?done=change&what=${changed.join('+')}` }
    },
  },
  ...creditRoutes,
  eraseRoute,
  ...keyRoutes,
]

/** Members that the form changes, and their names in notes. */
const CHANGES = [
  ['plan', 'plan'],
  ['models', 'models'],
  ['zdr_required', 'zero data retention'],
  ['credits_cents', 'initial balance'],
  ['disabled', 'state'],
] as const

function disableQuestion(request: PageRequest, { id, name }: JsonObject): PageReply | undefined {
  const path = `/accounts/${String(id)}`
  return question(request, {
    title: `Disable ${textOf(name)}?`,
    path: '/accounts',
    text: 'All requests of the account are refused until it is enabled. You can undo this.',
    action: path,
    button: 'Disable',
    cancel: path,
  })
}

/** What the change in the query has changed. A button enables a disabled account. */
function changeNote(request: PageRequest, account: JsonObject): Html | null {
  const { query } = request
  if (query.get('done') !== 'change') return null
  const what = (query.get('what') ?? '').split(' ')
  const changed = CHANGES.filter(([name]) => what.includes(name)).map(([, text]) => text)
  const name = textOf(account.name)
  if (changed.length === 0) return doneNote(`${name} had these values already: nothing was changed.`)
  if (!what.includes('disabled') || account.disabled !== true)
    return doneNote(`${name} is changed: ${changed.join(', ')}.`)
  const undo = actionForm(request, `/accounts/${String(account.id)}`, 'Enable', {
    plan: String(account.plan ?? ''),
    models: (account.models as string[]).join(','),
    credits_cents: String(account.credits_cents ?? ''),
    ...(account.zdr_required === true ? { zdr_required: 'on' } : null),
  })
  return doneNote(`${name} is changed: ${changed.join(', ')}. It is disabled: its requests are refused.`, undo)
}

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

function facts(
  { config }: PageRequest,
  account: JsonObject,
  { balance_cents: balance }: JsonObject,
  quota: Html | string,
): Html {
  const plan = typeof account.plan === 'string' ? config.plans[account.plan] : undefined
  const cards: readonly (readonly [string, Html | string])[] = [
    ['State', stateOf(account)],
    ['Kind', textOf(account.kind)],
    ['Plan', textOf(account.plan)],
    ['Quota left', quota],
    ['Limits of the plan', plan === undefined ? NOTHING : planLimitsText(plan, config)],
    ['Balance', balance === null ? 'not prepaid' : moneyCell(balance, config)],
    ['Source', account.source === 'file' ? 'file' : 'store'],
  ]
  return html`${htmlCards(cards)}
<p>Id ${idHtml(textOf(account.id))}</p>
<p class="soft">Models: ${(account.models as string[]).join(', ')}. Members: ${membersText(account)}.</p>`
}

function stateOf({ disabled, erased_at: erased }: JsonObject): Html {
  if (typeof erased === 'string') return html`<span class="error">erased</span>`
  return disabled === true ? html`<span class="error">disabled</span>` : html`<span class="good">active</span>`
}

function membersText({ members }: JsonObject): string {
  const list = members as { user: string; role: string; group?: string }[]
  return list.length === 0
    ? 'none'
    : list
        .map(({ user, role, group }) => `${user} (${role}${group === undefined ? '' : `, by group ${group}`})`)
        .join(', ')
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
  const heads = ['Day (UTC)', 'Requests#', 'Input tokens#', 'Cached input#', 'Output tokens#']
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
${rows.length === 0 ? emptyState(`No usage in the last ${DAYS} days`, 'Requests with a key of this account appear here.') : html`<details><summary>As a table</summary>${htmlTable(`Last ${DAYS} days`, heads, table)}</details>`}
<p class="row"><a class="button" href="/requests?account=${id}">Requests</a><a class="button" href="/usage?account=${id}">Usage by model, key and others</a></p>`
}

function changeSection(request: PageRequest, account: JsonObject): Html {
  if (account.source === 'file') {
    const at = request.config.accounts.findIndex(({ id }) => id === account.id)
    return html`<h2>Change</h2><p>This account is <code>accounts[${at}]</code> of the configuration file: change it there, and the gateway loads it again. Its keys and credit can be changed here.</p>`
  }
  const models = account.models as string[]
  return html`<h2>Change</h2>
<form method="post" action="/accounts/${String(account.id)}">${tokenField(request.visitor)}<div class="fields">
${planField(request, String(account.plan ?? ''))}
<p class="field"><label for="models">Models</label><input id="models" name="models" value="${models.includes('*') ? '' : models.join(', ')}" placeholder="all"></p>
<p class="field"><label for="credits">Initial balance, in cents (${request.config.currency})</label><input id="credits" name="credits_cents" inputmode="numeric" value="${String(account.credits_cents ?? '')}" placeholder="not prepaid"></p>
<label class="check"><input type="checkbox" name="zdr_required"${account.zdr_required === true && html` checked`}> Zero data retention</label>
<label class="check"><input type="checkbox" name="disabled"${account.disabled === true && html` checked`}> Disabled</label>
<button class="main">Change</button></div></form>
${eraseSection(request, account)}`
}

interface KnownUsage {
  /** Start of a day, ISO 8601. */
  readonly from: string
  /** One row per day since `from`, of days with requests. */
  readonly days: readonly JsonObject[]
}

/** The rest of the plan's quota, from records that are a second old. Unknown if the window is not whole hours. */
async function quotaText(
  { config, now, call }: Pick<PageRequest, 'config' | 'now' | 'call'>,
  { id, plan }: JsonObject,
  known: KnownUsage,
): Promise<Html | string> {
  const quota = typeof plan === 'string' && Object.hasOwn(config.plans, plan) ? config.plans[plan]!.requests : undefined
  if (quota === undefined) return 'no quota'
  const window = windowMilliseconds(quota.window)!
  if (window % HOUR_MS !== 0) return `${NOTHING} of ${numberText(quota.limit)} per ${quota.window}`
  const start = Math.floor(now / 1000 / window) * window
  const from = new Date(start).toISOString()
  const used =
    window % DAY_MS === 0 && from >= known.from
      ? requestsSince(from, known.days)
      : requestsSince('', (await call('usage', { query: { account: String(id), from, group_by: '' } })).rows)
  const left = numberText(Math.max(0, quota.limit - used))
  return html`${left} <small>of ${numberText(quota.limit)} until ${timeHtml(new Date(start + window).toISOString())}</small>`
}

/** Sums the requests of rows from this day on. Rows without a day count too. */
function requestsSince(from: string, rows: unknown): number {
  const later = (rows as readonly JsonObject[]).filter(({ day = '' }) => String(day) >= from.slice(0, 10))
  return later.reduce((sum, { requests }) => sum + Number(requests), 0)
}
