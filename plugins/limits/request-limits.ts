import type { Config, FinishPhase, Key } from '../../lib/plugin.ts'

/** `limits` of a plan or of a key (docs/LIMITS.md#limits-of-plans-and-keys). */
export type RequestLimits = NonNullable<Key['limits']>

/** The limits that apply to a request. */
export interface ApplyingLimits {
  /** Limits of its account's plan, for all keys of the account together. */
  readonly plan: RequestLimits | undefined
  /** Limits of its key alone. */
  readonly key: RequestLimits | undefined
}

/** Looks up the limits of a key and of its plan. */
export function requestLimitsOf({ plans }: Pick<Config, 'plans'>): (caller: Key) => ApplyingLimits {
  const byPlan = new Map(Object.entries(plans ?? {}).map(([name, { limits }]) => [name, limits]))
  return ({ account, limits }) => ({ plan: byPlan.get(account.plan ?? ''), key: limits })
}

/** True if another limit has refused the request, which is then not counted. All other refusals and failures count. */
export function isRefusedByLimit({ error, backend }: Pick<FinishPhase, 'error' | 'backend'>): boolean {
  return backend === null && (error?.status === 402 || error?.status === 429)
}
