/** What is left of an account: the prepaid balance, and the quota of its plan. */
import { type Html, html, isManager, type OwnAccount, type Stat, timeHtml } from '../../lib/console.ts'
import { microcentsOf, quotaOf, type Services } from '../../lib/plugin.ts'
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

export interface Remaining {
  /** Micro-cents; null: the account is not prepaid. */
  readonly balance: number | null
  /** null: the plan has no quota. */
  readonly quota: QuotaUsage | null
}

export async function remainingOf(services: Services, account: OwnAccount): Promise<Remaining> {
  const [balance, quota] = await Promise.all([balanceOf(services, account), quotaUsageOf(services, account)])
  return { balance, quota }
}

async function balanceOf({ reports }: Services, { id, creditsCents }: OwnAccount): Promise<number | null> {
  return creditsCents === undefined ? null : microcentsOf(creditsCents) + (await reports.booked(id))
}

export async function quotaUsageOf({ limits, config }: Services, { id, plan }: OwnAccount): Promise<QuotaUsage | null> {
  const quota = quotaOf(config, plan)
  return quota === undefined ? null : { limit: quota.limit, ...(await limits.quotas.used(id, quota.windowMs)) }
}

/** A stat for each limit that the account has. `href`: the page with the usage behind it. */
export function remainingStats({ balance, quota }: Remaining, currency: string, href?: string): readonly Stat[] {
  return [
    ...(balance === null ? [] : [{ ...balanceStat(balance, currency), href }]),
    ...(quota === null ? [] : [{ ...quotaStat(quota), href }]),
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

/** A link to the alerts of the account, for those who manage it, or to all of the user; false: the console has none. */
export function alertsLink({ hasAlerts }: Visitor, { id, role }: OwnAccount): Html | false {
  if (!hasAlerts) return false
  const query = isManager(role) ? `?subject=account:${id}` : ''
  return html`<p><a href="${ALERTS}${query}">Alerts</a> tell a URL of yours when a budget is used or the balance is low.</p>`
}
