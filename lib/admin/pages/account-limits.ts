/** The tab Limits of an account: what its plan allows, and the form that changes plan, models and data retention. */
import type { JsonObject } from '../../base/json.ts'
import { quotaOf, windowAt } from '../../limits/windows.ts'
import { doneNote } from '../../pages/actions.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { timeHtml } from '../../pages/parts.ts'
import { ACCOUNT, accountTab, fileNote, tabPath } from './account-tabs.ts'
import { planField } from './accounts.ts'
import { filled, wordsIn } from './form.ts'
import { planLimitsText } from './limits.ts'
import { modelLinks } from './links.ts'
import { htmlCards, type PageRequest, type PageRoute } from './page.ts'
import { NOTHING, numberText, textOf } from './text.ts'
import { tokenField } from './visitor.ts'

const PATH = `${ACCOUNT}/limits`
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const accountLimitsRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: PATH,
    async handle(request) {
      const account = await request.call('account', { params: request.params })
      const body = html`${htmlCards([
        ['Plan', textOf(account.plan)],
        ['Quota left', await quotaText(request, account)],
        ['Limits of the plan', planText(request, account)],
        ['Models', modelsText(account)],
        ['Zero data retention', account.zdr_required === true ? 'required' : 'by request'],
      ])}
<p class="soft">A key may have <a href="${tabPath(account.id, 'Keys')}">limits of its own</a>: a request must pass both.</p>
${fileNote(request, account) ?? changeForm(request, account)}`
      return accountTab(request, account, 'Limits', { note: changeNote(request, account), body })
    },
  },
  {
    method: 'POST',
    path: PATH,
    back: PATH,
    fields: { plan: ['plan', 'Plan'], models: ['models', 'Models'] },
    async handle({ params, form, call }) {
      const before = await call('account', { params })
      const after = await call('change-account', { params, body: changeOf(form) })
      const changed = CHANGES.filter(([name]) => textOf(before[name]) !== textOf(after[name])).map(([name]) => name)
      return { to: `${tabPath(params.id, 'Limits')}?done=change&what=${changed.join('+')}` }
    },
  },
]

/** Members that the form changes, and their names in notes. */
const CHANGES = [
  ['plan', 'plan'],
  ['models', 'models'],
  ['zdr_required', 'zero data retention'],
] as const

function changeNote({ query }: PageRequest, account: JsonObject): Html | null {
  if (query.get('done') !== 'change') return null
  const what = (query.get('what') ?? '').split(' ')
  const changed = CHANGES.filter(([name]) => what.includes(name)).map(([, text]) => text)
  const name = textOf(account.name)
  return doneNote(
    changed.length === 0
      ? `${name} had these values already: nothing was changed.`
      : `${name} is changed: ${changed.join(', ')}.`,
  )
}

function changeOf(form: URLSearchParams): JsonObject {
  const models = wordsIn(form, 'models')
  return {
    plan: filled(form, 'plan') ?? null,
    models: models.length === 0 ? ['*'] : models,
    zdr_required: form.has('zdr_required'),
  }
}

function changeForm(request: PageRequest, account: JsonObject): Html {
  const { form, problem } = request
  const models = account.models as string[]
  const shown = form.get('models') ?? (models.includes('*') ? '' : models.join(', '))
  const isZdr = problem === null ? account.zdr_required === true : form.has('zdr_required')
  return html`<h3>Change</h3>
<form method="post" action="${tabPath(account.id, 'Limits')}">${tokenField(request.visitor)}<div class="fields">
${planField(request, form.get('plan') ?? String(account.plan ?? ''))}
${htmlField({ name: 'models', label: 'Models' }, problem, own => html`<textarea${own} rows="2" cols="40" placeholder="all">${shown}</textarea>`)}
<label class="check"><input type="checkbox" name="zdr_required"${isZdr && html` checked`}> Zero data retention</label>
<button class="main">Change</button></div></form>`
}

export function planText({ config }: Pick<PageRequest, 'config'>, { plan }: JsonObject): Html | string {
  const own = typeof plan === 'string' ? config.plans[plan] : undefined
  const limits = own === undefined ? NOTHING : planLimitsText(own, config)
  return limits === NOTHING ? 'no limits' : limits
}

export function modelsText({ models }: JsonObject): Html | string {
  const list = models as string[]
  return list.includes('*') ? 'all' : modelLinks(list)
}

interface KnownUsage {
  /** Start of a day, ISO 8601. */
  readonly from: string
  /** One row per day since `from`, of days with requests. */
  readonly days: readonly JsonObject[]
}

/** The rest of the plan's quota, from records that are a second old. Unknown if the window is not whole hours. */
export async function quotaText(
  { config, now, call }: Pick<PageRequest, 'config' | 'now' | 'call'>,
  { id, plan }: JsonObject,
  known?: KnownUsage,
): Promise<Html | string> {
  const quota = typeof plan === 'string' ? quotaOf(config, plan) : undefined
  if (quota === undefined) return 'no quota'
  const { limit, window, windowMs } = quota
  if (windowMs % HOUR_MS !== 0) return `${NOTHING} of ${numberText(limit)} requests per ${window}`
  const current = windowAt(now / 1000, windowMs)
  const from = new Date(current.from).toISOString()
  const used =
    known !== undefined && windowMs % DAY_MS === 0 && from >= known.from
      ? requestsSince(from, known.days)
      : requestsSince('', (await call('usage', { query: { account: String(id), from, group_by: '' } })).rows)
  const left = numberText(Math.max(0, limit - used))
  return html`${left} <small>of ${numberText(limit)} requests until ${timeHtml(new Date(current.to).toISOString())}</small>`
}

/** Sums the requests of rows from this day on. Rows without a day count too. */
function requestsSince(from: string, rows: unknown): number {
  const later = (rows as readonly JsonObject[]).filter(({ day = '' }) => String(day) >= from.slice(0, 10))
  return later.reduce((sum, { requests }) => sum + Number(requests), 0)
}
