/** Windows in which limits count: consecutive, and the first begins at the epoch (docs/DESIGN.md#limits). */
import { type Config, type RequestLimitsConfig, windowMilliseconds } from '../config/config.ts'

interface Window {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The window that contains `now`, in the unit of both. */
export function windowAt(now: number, length: number): Window {
  const from = now - (now % length)
  return { from, to: from + length }
}

/** A spend limit: cents in a window. */
export interface Budget {
  readonly amount: number
  readonly window: string
  readonly windowMs: number
}

/** The spend limits of a block. The configuration and the operators' API have checked the windows. */
export function budgetsOf({
  budget_cents: budgets = [],
}: {
  readonly budget_cents?: RequestLimitsConfig['budget_cents'] | undefined
}): readonly Budget[] {
  return [budgets].flat().map(budget => ({ ...budget, windowMs: windowMilliseconds(budget.window)! }))
}

/** Requests that a plan includes in a window. */
export interface PlanQuota {
  readonly limit: number
  readonly window: string
  readonly windowMs: number
}

/** The quota of a plan; undefined: it has none, or there is no such plan. The configuration has checked the window. */
export function quotaOf({ plans }: Pick<Config, 'plans'>, plan: string | undefined): PlanQuota | undefined {
  const { requests } = (plan === undefined || !Object.hasOwn(plans, plan) ? undefined : plans[plan]) ?? {}
  return requests && { ...requests, windowMs: windowMilliseconds(requests.window)! }
}
