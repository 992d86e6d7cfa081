/** The windows of spend limits, by the names that memory, Redis and the reader of the store use. */
import type { SpendClaim } from './limits.ts'
import { type Scope, scopeOf } from './scope.ts'
import { windowAt } from './windows.ts'

export interface SpendWindow {
  /** Follows the account's id: `:budget:<window in ms>:<start>[:<scope>]` */
  readonly name: string
  /** Start of the next window, in milliseconds since the epoch. */
  readonly end: number
}

/** The window that contains `now`, in milliseconds since the epoch. */
export function spendWindow({ scope, windowMs }: Pick<SpendClaim, 'scope' | 'windowMs'>, now: number): SpendWindow {
  const { from, to } = windowAt(now, windowMs)
  return { name: `:budget:${windowMs}:${from}${scope === undefined ? '' : `:${scope}`}`, end: to }
}

/** A period in which an account spends money on the requests of a scope. Milliseconds since the epoch. */
export interface SpendPeriod extends Scope {
  readonly account: string
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const WINDOW = /^(.+?):budget:(\d+):(\d+)(?::(.+))?$/

/** The period of a window. `text`: the account's id and the name of the window. undefined: the text names no window. */
export function periodOf(text: string): SpendPeriod | undefined {
  const [, account, windowMs, start, scope] = WINDOW.exec(text) ?? []
  if (account === undefined) return undefined
  return { account, ...scopeOf(scope), from: Number(start), to: Number(start) + Number(windowMs) }
}
