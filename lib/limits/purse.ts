/** Names of the windows of budgets, as memory, Redis and the store's reader of what was spent know them. */
import type { BudgetClaim } from './limits.ts'
import { windowEnd } from './memory/quotas.ts'

/** A window of a budget. */
export interface Purse {
  /** Behind the account's id: `:budget:<window in ms>:<start>[:<key id>]` */
  readonly name: string
  /** Start of the next window, in milliseconds since the epoch. */
  readonly end: number
}

/** The window that contains `now`, in milliseconds since the epoch. */
export function purseOf({ key, windowMs }: Pick<BudgetClaim, 'key' | 'windowMs'>, now: number): Purse {
  const end = windowEnd(now, windowMs)
  return { name: `:budget:${windowMs}:${end - windowMs}${key === undefined ? '' : `:${key}`}`, end }
}

/** What an account, or one of its keys, has spent in a time. Milliseconds since the epoch. */
export interface PursePeriod {
  readonly account: string
  readonly key: string | undefined
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const PURSE = /^(.+?):budget:(\d+):(\d+)(?::(.+))?$/

/** What a purse is about. `text`: the account's id and the name of its purse. */
export function periodOf(text: string): PursePeriod | undefined {
  const [, account, windowMs, start, key] = PURSE.exec(text) ?? []
  if (account === undefined) return undefined
  return { account, key, from: Number(start), to: Number(start) + Number(windowMs) }
}
