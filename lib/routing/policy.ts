import type { Backend } from '../backends/backend.ts'
import type { Placement } from '../backends/lease.ts'
import type { Choose } from '../backends/model-backends.ts'
import type { Cost } from './cost.ts'

/**
 * Why a backend was chosen.
 * - `prefix`: it knows the longest part of the prompt.
 * - `load`: another one knows more, and would answer later.
 * - `new`: none knows any of it.
 * - `single`: no other one could be chosen.
 */
export const REASONS = ['prefix', 'load', 'new', 'single'] as const
export type RoutingReason = (typeof REASONS)[number]

/** A request that is routed: it may be placed at several backends, one after the other. */
export interface Routed {
  readonly choose: Choose
  /** Call it when the request is sent to this backend. */
  place(backend: Backend): Placement
}

/** The cost at one backend, as shown to operators. */
export interface ExplainedCost extends Cost {
  readonly backend: string
  readonly promptTokens: number
  readonly knownTokens: number
}
