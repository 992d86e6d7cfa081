import type { Backend } from '../backend.ts'
import type { Cost } from './cost.ts'
import type { Placement } from './placement.ts'

/**
 * Why a backend was chosen.
 * - `prefix`: it knows the longest part of the prompt.
 * - `load`: another one knows more, and would answer later.
 * - `new`: none knows any of it.
 * - `single`: no other one could be chosen.
 */
export const REASONS = ['prefix', 'load', 'new', 'single'] as const
export type RoutingReason = (typeof REASONS)[number]

/** How the backend of a request is chosen, among those that may serve it. There is always at least one. */
export type Choose = (candidates: readonly Backend[]) => Backend

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
