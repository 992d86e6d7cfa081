/** The windows of spend limits, by the names that memory, Redis and the reader of the store use. */
import type { SpendClaim } from './limits.ts'
import { windowEnd } from './memory/quotas.ts'

export interface SpendWindow {
  /** Follows the account's id: `:budget:<window in ms>:<start>[:<key id>]` */
  readonly name: string
  /** Start of the next window, in milliseconds since the epoch. */
  readonly end: number
}

/** The window that contains `now`, in milliseconds since the epoch. */
export function spendWindow({ key, windowMs }: Pick<SpendClaim, 'key' | 'windowMs'>, now: number): SpendWindow {
  const end = windowEnd(now, windowMs)
  return { name: `:budget:${windowMs}:${end - windowMs}${key === undefined ? '' : `:${key}`}`, end }
}

/** A period in which an account, or one of its keys, spends money. Milliseconds since the epoch. */
export interface SpendPeriod {
  readonly account: string
  readonly key: string | undefined
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const WINDOW = /^(.+?):budget:(\d+):(\d+)(?::(.+))?$/

/** The period of a window. `text`: the account's id and the name of the window. undefined: the text names no window. */
export function periodOf(text: string): SpendPeriod | undefined {
  const [, account, windowMs, start, key] = WINDOW.exec(text) ?? []
  if (account === undefined) return undefined
  return { account, key, from: Number(start), to: Number(start) + Number(windowMs) }
}
