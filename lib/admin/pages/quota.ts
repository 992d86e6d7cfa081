/** What an account has left of the requests that its plan includes. */
import type { JsonObject } from '../../base/json.ts'
import { windowMilliseconds } from '../../config/config.ts'
import type { Visit } from './page.ts'
import { NOTHING, numberText, timeText } from './text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Usage of the account that the page has read already. */
export interface KnownUsage {
  /** ISO 8601, the start of a day. */
  readonly from: string
  /** A row for each day since then that has requests. */
  readonly days: readonly JsonObject[]
}

/**
 * By the records, which are in the store a second after a request's end. A window that is no whole number of hours is counted by the
 * limits alone.
 */
export async function quotaText(
  { config, now, call }: Pick<Visit, 'config' | 'now' | 'call'>,
  { id, plan }: JsonObject,
  known: KnownUsage,
): Promise<string> {
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
  return `${left} of ${numberText(quota.limit)} until ${timeText(new Date(start + window).toISOString())}`
}

/** The sum of the rows of this day and later ones; of rows without a day as well. */
function requestsSince(from: string, rows: unknown): number {
  const later = (rows as readonly JsonObject[]).filter(({ day = '' }) => String(day) >= from.slice(0, 10))
  return later.reduce((sum, { requests }) => sum + Number(requests), 0)
}
