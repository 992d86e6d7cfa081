import type { Config, Key } from '../../lib/plugin.ts'

/** Limits of a plan or of a key, as configured. */
export type RequestLimits = NonNullable<Key['limits']>

/** The limits that apply to a request. */
export interface Scopes {
  /** Of its account's plan, for all keys of the account together. */
  readonly plan: RequestLimits | undefined
  /** Of its key alone. */
  readonly key: RequestLimits | undefined
}

/** `limits` of plans and keys (docs/LIMITS.md#limits-of-plans-and-keys). */
export function scopesOf({ plans }: Pick<Config, 'plans'>): (caller: Key) => Scopes {
  const byPlan = new Map(Object.entries(plans ?? {}).map(([name, { limits }]) => [name, limits]))
  return ({ account, limits }) => ({ plan: byPlan.get(account.plan ?? ''), key: limits })
}
