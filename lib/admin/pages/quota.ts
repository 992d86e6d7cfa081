/** What an account has left of the requests that its plan includes. */
import type { JsonObject } from '../../base/json.ts'
import { windowMilliseconds } from '../../config/config.ts'
import type { Visit } from './page.ts'
import { NOTHING, numberText, timeText } from './text.ts'

const HOUR_MS = 3_600_000

/**
 * By the records, which are in the store a second after a request's end. A window that is no whole number of hours is counted by the
 * limits alone.
 */
export async function quotaText({ config, now, call }: Visit, { id, plan }: JsonObject): Promise<string> {
  const quota = typeof plan === 'string' && Object.hasOwn(config.plans, plan) ? config.plans[plan]!.requests : undefined
  if (quota === undefined) return 'no quota'
  const window = windowMilliseconds(quota.window)!
  if (window % HOUR_MS !== 0) return `${NOTHING} of ${numberText(quota.limit)} per ${quota.window}`
  const start = Math.floor(now / 1000 / window) * window
  const query = { account: String(id), from: new Date(start).toISOString(), group_by: '' }
  const { rows } = await call('usage', { query })
  const used = Number((rows as JsonObject[])[0]?.requests ?? 0)
  const left = numberText(Math.max(0, quota.limit - used))
  return `${left} of ${numberText(quota.limit)} until ${timeText(new Date(start + window).toISOString())}`
}
