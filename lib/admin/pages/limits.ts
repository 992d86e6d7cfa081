import { isObject, type Json, type JsonObject, parseJson } from '../../base/json.ts'
import type { Config, PlanConfig } from '../../config/config.ts'
import { htmlField } from '../../pages/field.ts'
import { type Html, html } from '../../pages/html.ts'
import { type FormFields, filled, numberIn } from './form.ts'
import { modelLink } from './links.ts'
import type { PageRequest } from './page.ts'
import { memberOf, moneyCell, NOTHING, numberText } from './text.ts'

/** Numeric members of a `limits` block: name, label of the field, and unit in texts. */
const COUNTS = [
  ['requests_per_minute', 'Requests a minute', 'requests a minute'],
  ['tokens_per_minute', 'Tokens a minute', 'tokens a minute'],
  ['concurrency', 'Requests in flight', 'in flight'],
] as const

/** `60 requests a minute, 5.00 USD in 30d`. `limits`: the block of a plan or a key; null: no limits. */
export function limitsText(limits: Json | undefined, config: Pick<Config, 'currency'>): Html | string {
  const counts = COUNTS.flatMap(([name, , words]) => {
    const value = memberOf(limits, name)
    return typeof value === 'number' ? [`${numberText(value)} ${words}`] : []
  })
  const money = budgetsIn(limits).flatMap(budget => {
    const [amount, window] = [memberOf(budget, 'amount'), memberOf(budget, 'window')]
    return typeof amount === 'number' ? [html`${moneyCell(amount, config)} in ${String(window)}`] : []
  })
  const models = Object.entries(blockOf(limits, 'models')).map(
    ([id, own]) => html`${modelLink(id)}: ${limitsText(own, config)}`,
  )
  const user = memberOf(limits, 'end_user')
  const users = isObject(user) ? [html`each end user: ${limitsText(user, config)}`] : []
  const own = [...counts, ...money]
  const parts = [...(own.length > 0 ? [joined(own, ', ')] : []), ...models, ...users]
  return parts.length === 0 ? NOTHING : joined(parts, '; ')
}

function joined(parts: readonly (Html | string)[], separator: string): Html {
  return html`${parts.map((part, at) => html`${at > 0 && separator}${part}`)}`
}

function budgetsIn(limits: Json | undefined): Json[] {
  const budgets = memberOf(limits, 'budget_cents')
  return Array.isArray(budgets) ? budgets : budgets === undefined || budgets === null ? [] : [budgets]
}

function blockOf(limits: Json | undefined, name: string): JsonObject {
  const block = memberOf(limits, name)
  return isObject(block) ? block : {}
}

/** The members that the form has no fields for: models, end users, and budgets behind the first. */
function othersIn(limits: Json | undefined): JsonObject {
  const [, ...budgets] = budgetsIn(limits)
  const others = ['models', 'end_user'].flatMap(name => {
    const block = memberOf(limits, name)
    return isObject(block) ? [[name, block] as const] : []
  })
  return { ...Object.fromEntries(others), ...(budgets.length > 0 && { budget_cents: budgets }) }
}

/** The limits of a plan without its quota, as in limitsText(). */
export function planLimitsText(
  { concurrency, limits }: Pick<PlanConfig, 'concurrency' | 'limits'>,
  config: Pick<Config, 'currency'>,
): Html | string {
  return limitsText({ ...(concurrency === undefined ? null : { concurrency }), ...limits } as JsonObject, config)
}

const NUMBER = html` inputmode="numeric" placeholder="no limit"`

/** The fields of limitFields(), by members. */
export const LIMIT_FIELDS: FormFields = {
  ...Object.fromEntries(COUNTS.map(([name, label]) => [`limits.${name}`, [name, label] as const])),
  'limits.budget_cents.window': ['budget_window', 'Budget window'],
  'limits.budget_cents': ['budget_amount', 'Budget'],
}

/** Fields for limitsIn(), with the values of a form that was refused. `prefix`: of their ids, unique on the page. */
export function limitFields(
  limits: Json | undefined,
  prefix: string,
  { config, form: sent, problem }: Pick<PageRequest, 'config' | 'form' | 'problem'>,
): Html {
  const [budget] = budgetsIn(limits)
  const others = othersIn(limits)
  const hasOthers = Object.keys(others).length > 0
  const amount = memberOf(budget, 'amount')
  const field = (name: string, label: string, value: Json | undefined, more: Html | false = NUMBER) => {
    const shown = sent.get(name) ?? (value === undefined || value === null ? '' : String(value))
    const id = `${prefix}-${name}`
    return htmlField({ name, label, id }, problem, own => html`<input${own} size="10" value="${shown}"${more}>`)
  }
  const fields = COUNTS.map(([name, label]) => field(name, label, memberOf(limits, name)))
  return html`${fields}
${field('budget_amount', `Budget, in cents (${config.currency})`, amount)}
${field('budget_window', 'Budget window', memberOf(budget, 'window') ?? '30d', false)}
${hasOthers && html`<p>These stay as they are; the operators' API changes them: ${limitsText(others, config)}</p><input type="hidden" name="others" value="${JSON.stringify(others)}">`}`
}

/** The `limits` block of a form; null: no limits. The check of the operation refuses values that are not numbers. */
export function limitsIn(form: URLSearchParams): JsonObject | null {
  const limits: JsonObject = {}
  for (const [name] of COUNTS) {
    const value = numberIn(form, name)
    if (value !== undefined) limits[name] = value
  }
  const amount = numberIn(form, 'budget_amount')
  const budget = amount === undefined ? [] : [{ amount, window: filled(form, 'budget_window') ?? '' }]
  const { budget_cents: more = [], ...others } = parseOthers(form)
  const budgets = [...budget, ...(Array.isArray(more) ? more : [])]
  Object.assign(limits, others)
  if (budgets.length > 0) limits.budget_cents = budgets.length === 1 ? budgets[0]! : budgets
  return Object.keys(limits).length === 0 ? null : limits
}

/** What othersIn() has put into the form. The check of the operation refuses anything else. */
function parseOthers(form: URLSearchParams): JsonObject {
  const others = parseJson(filled(form, 'others') ?? '{}')
  return isObject(others) ? others : {}
}
