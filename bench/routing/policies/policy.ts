import type { Backend } from '../../../lib/backends/pool.ts'
import type { EngineJob } from '../../../simulator/engine-model.ts'
import type { VirtualEngines } from '../virtual-engines.ts'
import type { Random, Session } from '../workloads.ts'

/** A request that a policy sends to an engine. */
export interface PolicyRequest {
  readonly session: Session
  readonly job: EngineJob
}

/** What a policy may know. The policies of other routers use only what those routers know. */
export interface PolicyContext {
  readonly engines: VirtualEngines
  readonly random: Random
  /** Milliseconds of virtual time. */
  now(): number
}

/** A policy in one run. The policy `cost` is not one of these: the gateway itself chooses and counts. */
export interface RunningPolicy {
  choose(candidates: readonly Backend[], request: PolicyRequest): Backend
  /** The request has been sent to this backend. */
  sent?(backend: Backend, request: PolicyRequest): void
  /** Its first token has been generated. */
  begun?(backend: Backend, request: PolicyRequest): void
  /** It has ended in any way. */
  ended?(backend: Backend, request: PolicyRequest): void
}

/** The candidate with the lowest value. Ties are decided at random. */
export function lowest(candidates: readonly Backend[], random: Random, costAt: (backend: Backend) => number): Backend {
  let ties: Backend[] = []
  let least = Number.POSITIVE_INFINITY
  for (const backend of candidates) {
    const value = costAt(backend)
    if (value > least) continue
    if (value < least) ties = []
    least = value
    ties.push(backend)
  }
  return ties.length === 1 ? ties[0]! : ties[Math.floor(random() * ties.length)]!
}
