import type { Config, Key, RequestLimitsConfig } from '../../lib/plugin.ts'

/** The limits that apply to a request. */
export interface Scopes {
  /** Of its account's plan, for all keys of the account together. */
  readonly plan: RequestLimitsConfig | undefined
  /** Of its key alone. */
  readonly key: RequestLimitsConfig | undefined
}

/** `limits` of plans and keys (docs/LIMITS.md#limits-of-plans-and-keys). */
export function scopesOf({ plans }: Pick<Config, 'plans'>): (caller: Key) => Scopes {
  const byPlan = new Map(Object.entries(plans ?? {}).map(([name, { limits }]) => [name, limits]))
  return ({ account, limits }) => ({ plan: byPlan.get(account.plan ?? ''), key: limits })
}
