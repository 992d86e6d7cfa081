/** What is left of an account: the prepaid balance, and the quota and budgets of its plan. */
import {
  type Html,
  html,
  isManager,
  moneyHtml,
  type OwnAccount,
  priced,
  priceFactors,
  type Stat,
  timeHtml,
  totalsOf,
} from '../../lib/console.ts'
import { budgetsOf, microcentsOf, quotaOf, type Services, windowAt } from '../../lib/plugin.ts'
import { balanceHtml, countText } from './numbers.ts'
import { ALERTS } from './page.ts'
import type { Visitor } from './visitor.ts'

/** The quota of the account's plan in the current window. */
interface QuotaUsage {
  readonly limit: number
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly end: number
}

/** A budget in its current window. Amounts are cents. */
interface BudgetUsage {
  readonly window: string
  readonly limit: number
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly end: number
}

export interface Remaining {
  /** Micro-cents; null: the account is not prepaid. */
  readonly balance: number | null
  /** null: the plan has no quota. */
  readonly quota: QuotaUsage | null
  /** Those of the plan. */
  readonly budgets: readonly BudgetUsage[]
}

export async function remainingOf(services: Services, account: OwnAccount): Promise<Remaining> {
  const [balance, quota, budgets] = await Promise.all([
    balanceOf(services, account),
    quotaUsageOf(services, account),
    budgetUsageOf(services, account, services.config.plans[account.plan ?? '']?.limits ?? {}),
  ])
  return { balance, quota, budgets }
}

async function balanceOf({ reports }: Services, { id, creditsCents }: OwnAccount): Promise<number | null> {
  return creditsCents === undefined ? null : microcentsOf(creditsCents) + (await reports.booked(id))
}

export async function quotaUsageOf({ limits, config }: Services, { id, plan }: OwnAccount): Promise<QuotaUsage | null> {
  const quota = quotaOf(config, plan)
  return quota === undefined ? null : { limit: quota.limit, ...(await limits.quotas.used(id, quota.windowMs)) }
}

/** Of one key, or of one model; undefined: of all. */
interface Spender {
  readonly key?: string | undefined
  readonly model?: string | undefined
}

/** The budgets of these limits. */
export function budgetUsageOf(
  services: Services,
  account: OwnAccount,
  limits: Parameters<typeof budgetsOf>[0],
  spender: Spender = {},
): Promise<readonly BudgetUsage[]> {
  const budgets = budgetsOf(limits).map(async ({ amount, window, windowMs }) => {
    const { from, to } = windowAt(services.clock.now(), windowMs)
    return { window, limit: amount, used: await spentIn(services, account, spender, from, to), end: to }
  })
  return Promise.all(budgets)
}

/** Cents, from the usage in the store at current prices. `from`, `to`: milliseconds since the epoch. */
async function spentIn(
  { reports, models, config }: Services,
  { id, plan }: OwnAccount,
  { key, model }: Spender,
  from: number,
  to: number,
): Promise<number> {
  const { rows } = await reports.usage({ account_id: id, key_id: key, from: from * 1000, to: to * 1000 })
  const own = model === undefined ? rows : rows.filter(row => row.model === model)
  return totalsOf(priced(own, models.all, priceFactors(config, plan))).estimated_cost_cents
}

/** A stat for each limit that the account has. `href`: the page with the usage behind it. */
export function remainingStats(
  { balance, quota, budgets }: Remaining,
  currency: string,
  href?: string,
): readonly Stat[] {
  return [
    ...(balance === null ? [] : [{ ...balanceStat(balance, currency), href }]),
    ...(quota === null ? [] : [{ ...quotaStat(quota), href }]),
    ...budgets.map(budget => ({ ...budgetStat(budget, currency), href })),
  ]
}

function balanceStat(balance: number, currency: string): Stat {
  const value = balanceHtml(balance, currency)
  if (balance > 0) return { name: 'Balance', value, more: 'prepaid, left' }
  return { name: 'Balance', value: html`<span class="error">${value}</span>`, more: 'prepaid, used up' }
}

function quotaStat({ limit, used, end }: QuotaUsage): Stat {
  const more = html`of ${countText(limit)} requests until ${timeHtml(new Date(end).toISOString())}`
  return { name: 'Quota left', value: countText(Math.max(0, limit - used)), more }
}

function budgetStat({ limit, used, end }: BudgetUsage, currency: string): Stat {
  const value = moneyHtml(Math.max(0, limit - used), currency)
  const more = html`of ${moneyHtml(limit, currency)} until ${timeHtml(new Date(end).toISOString())}`
  return { name: 'Budget left', value: used < limit ? value : html`<span class="error">${value}</span>`, more }
}

/** A link to the alerts of the account, for those who manage it, or to all of the user; false: the console has none. */
export function alertsLink({ hasAlerts }: Visitor, { id, role }: OwnAccount): Html | false {
  if (!hasAlerts) return false
  const query = isManager(role) ? `?subject=account:${id}` : ''
  return html`<p><a href="${ALERTS}${query}">Alerts</a> tell a URL of yours when a budget is used or the balance is low.</p>`
}
