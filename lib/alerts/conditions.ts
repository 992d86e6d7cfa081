/** The conditions of alerts: each one that holds, as an alert whose name is that of its threshold and period. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { MICROCENTS_PER_CENT } from '../base/money.ts'
import { type Config, windowMilliseconds } from '../config/config.ts'
import { windowEnd } from '../limits/memory/quotas.ts'
import type { NewAlert } from '../store/alerts.ts'
import type { CandidateFilter } from '../store/queries/alert-candidates.ts'

export type AlertType = 'credits.low' | 'quota.used' | 'backend.down'

export type AlertsConfig = NonNullable<Config['alerts']>

/** A backend that gets no requests because it fails. */
export interface DownBackend {
  readonly model: string
  /** Without credentials. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Prepaid accounts whose balance is below a threshold, until it is no longer. `balances`: entries of the ledger in micro-cents. */
export function lowCredits(
  { credit_below_cents: thresholds }: AlertsConfig,
  accounts: readonly Account[],
  balances: ReadonlyMap<string, number>,
  now: number,
): NewAlert[] {
  return accounts.flatMap(({ id, name, creditsCents }) => {
    if (creditsCents === undefined) return []
    const available = Math.floor(creditsCents + (balances.get(id) ?? 0) / MICROCENTS_PER_CENT)
    return thresholds
      .filter(threshold => available < threshold)
      .map(threshold => {
        const data = { account_id: id, account: name, credits_available_cents: available, threshold_cents: threshold }
        return alertOf('credits.low', `${id}:${threshold}`, data, now)
      })
  })
}

/** The account that an alert about a balance has in its name. */
export function accountOfAlert(name: string): string {
  return name.split(':')[1] ?? ''
}

/** A window of a plan's quota that an account is in. Milliseconds since the epoch. */
export interface QuotaWindow {
  readonly limit: number
  readonly from: number
  readonly to: number
}

/** The window of an account's quota; undefined: its plan has none. */
export function quotaWindow(
  { plans }: Pick<Config, 'plans'>,
  { plan }: Pick<Account, 'plan'>,
  now: number,
): QuotaWindow | undefined {
  const requests = plans[plan ?? '']?.requests
  const windowMs = requests === undefined ? undefined : windowMilliseconds(requests.window)
  if (requests === undefined || windowMs === undefined) return undefined
  const to = windowEnd(now, windowMs)
  return { limit: requests.limit, from: to - windowMs, to }
}

/** Which accounts the store has to name, so that none is missed that lowCredits() or usedQuota() would raise an alert about. */
export function candidateFilter(
  { credit_below_cents: thresholds, quota_used: shares }: AlertsConfig,
  config: Pick<Config, 'plans'>,
  now: number,
): CandidateFilter {
  const least = Math.min(...shares)
  const windows = Object.keys(config.plans).flatMap(plan => {
    const window = shares.length === 0 ? undefined : quotaWindow(config, { plan }, now)
    // Of a window that begins within a day, all of the day.
    return window === undefined
      ? []
      : [{ plan, fromDay: Math.floor(window.from / DAY_MS), requests: window.limit * least }]
  })
  return { creditBelowCents: thresholds.length === 0 ? undefined : Math.max(...thresholds), quotas: windows }
}

/** Once for each share and window. `used`: requests of the account in the window. */
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
      // Behind the end, so that clocks of processes that differ do not send it again.
      return { ...alertOf('quota.used', `${id}:${share}:${to}`, data, now), expiresAt: (to + HOUR_MS) * 1000 }
    })
}

/** Backends that are down for as long as operators wait, until they are up again. */
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

/** `now`: milliseconds since the epoch. */
function alertOf(type: AlertType, subject: string, data: JsonObject, now: number): NewAlert {
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
  return { name: `${type}:${subject}`, type, body, expiresAt: undefined }
}
