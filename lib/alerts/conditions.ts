/** The conditions of alerts. Each function returns one alert per true condition, named by threshold and period. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { MICROCENTS_PER_CENT, microcentsOf } from '../base/money.ts'
import type { Config } from '../config/config.ts'
import { quotaOf, windowAt } from '../limits/windows.ts'
import type { NewAlert } from '../store/alerts.ts'
import type { BatchRow } from '../store/batches.ts'
import type { CandidateFilter } from '../store/queries/alert-candidates.ts'

const BATCH_ENDS = ['completed', 'failed', 'expired'] as const

type AlertType = 'credits.low' | 'quota.used' | 'backend.down' | `batch.${(typeof BATCH_ENDS)[number]}`

export type AlertsConfig = NonNullable<Config['alerts']>

/** A backend that receives no requests because it fails. */
export interface DownBackend {
  readonly model: string
  /** Without credentials. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Prepaid accounts with a balance below a threshold. `balances`: sums of the ledger per account, in micro-cents. */
export function lowCredits(
  { credit_below_cents: thresholds }: AlertsConfig,
  accounts: readonly Account[],
  balances: ReadonlyMap<string, number>,
  now: number,
): NewAlert[] {
  return accounts.flatMap(({ id, name, creditsCents }) => {
    if (creditsCents === undefined) return []
    const balance = microcentsOf(creditsCents) + (balances.get(id) ?? 0)
    const available = Math.floor(balance / MICROCENTS_PER_CENT)
    return thresholds
      .filter(threshold => available < threshold)
      .map(threshold => {
        const data = { account_id: id, account: name, credits_available_cents: available, threshold_cents: threshold }
        return alertOf('credits.low', `${id}:${threshold}`, data, now)
      })
  })
}

/** The account id in the name of an alert of lowCredits(). */
export function accountOfAlert(name: string): string {
  return name.split(':')[1] ?? ''
}

/** The current window of a quota. Milliseconds since the epoch. */
interface QuotaWindow {
  readonly limit: number
  readonly from: number
  readonly to: number
}

/** undefined: the plan of the account has no quota. */
export function quotaWindow(
  config: Pick<Config, 'plans'>,
  { plan }: Pick<Account, 'plan'>,
  now: number,
): QuotaWindow | undefined {
  const quota = quotaOf(config, plan)
  return quota && { limit: quota.limit, ...windowAt(now, quota.windowMs) }
}

/** Filter for the store that matches every account for which lowCredits() or usedQuota() may return an alert. */
export function candidateFilter(
  { credit_below_cents: thresholds, quota_used: shares }: AlertsConfig,
  config: Pick<Config, 'plans'>,
  now: number,
): CandidateFilter {
  const minShare = Math.min(...shares)
  const windows = Object.keys(config.plans).flatMap(plan => {
    const window = shares.length === 0 ? undefined : quotaWindow(config, { plan }, now)
    // Usage is stored by day, so a window that begins within a day matches the whole day.
    return window === undefined
      ? []
      : [{ plan, fromDay: Math.floor(window.from / DAY_MS), requests: window.limit * minShare }]
  })
  return { creditBelowCents: thresholds.length === 0 ? undefined : Math.max(...thresholds), quotas: windows }
}

/** One alert per share and window. `used`: requests of the account in the window. */
export function usedQuota(
  { quota_used: shares }: AlertsConfig,
  { id, name }: Account,
  { limit, to }: QuotaWindow,
  used: number,
  now: number,
): NewAlert[] {
  return shares
    .filter(share => used >= limit * share)
    .map(share => {
      const window_end = new Date(to).toISOString()
      const data = { account_id: id, account: name, request_limit: limit, requests: used, share, window_end }
      // Expires after the end, because a process whose clock is late must not send it again.
      return { ...alertOf('quota.used', `${id}:${share}:${to}`, data, now), expiresAt: (to + HOUR_MS) * 1000 }
    })
}

/** Backends that have been down for at least the configured time. */
export function downBackends(
  { backend_down_seconds: seconds }: AlertsConfig,
  down: readonly DownBackend[],
  now: number,
): NewAlert[] {
  return down
    .filter(({ since }) => now - since >= seconds * 1000)
    .map(({ model, address, since }) => {
      const data = { model, backend: address, down_since: new Date(since).toISOString() }
      return alertOf('backend.down', `${model}:${address}`, data, now)
    })
}

/** undefined: a batch that was cancelled, or that ended more than a day ago, when no alerts were configured. */
export function endedBatch(batch: BatchRow, now: number): NewAlert | undefined {
  const status = BATCH_ENDS.find(one => one === batch.status)
  const at = status === undefined ? null : batch[`${status}_at`]
  if (status === undefined || at === null || now - at > DAY_MS) return undefined
  const { id, account_id, total, completed, failed, cancelled, expired } = batch
  const request_counts = { total, completed, failed, cancelled, expired }
  const alert = alertOf(`batch.${status}`, id, { account_id, batch_id: id, status, request_counts }, at)
  // Attempts to send it take about a day.
  return { ...alert, expiresAt: (now + 2 * DAY_MS) * 1000 }
}

/** `now`: milliseconds since the epoch. */
function alertOf(type: AlertType, subject: string, data: JsonObject, now: number): NewAlert {
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
  return { name: `${type}:${subject}`, type, body, expiresAt: undefined }
}
