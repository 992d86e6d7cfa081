import type { Backend, BackendState, CordonReason } from './backend.ts'
import type { RecentCounts } from './recent.ts'

export interface ModelSnapshot {
  readonly model: string
  readonly inFlight: number
  /** Backends of the configuration, and removed ones that still have requests in flight. */
  readonly backends: readonly BackendSnapshot[]
}

export interface BackendSnapshot {
  readonly address: string
  readonly zdr: boolean
  readonly state: BackendState
  readonly cordon: CordonReason | null
  readonly inFlight: number
  /** max_concurrency; null: none. */
  readonly limit: number | null
  readonly recent: RecentCounts
  /** Assumptions of routing about the backend; null: none, as with another policy. */
  readonly learnt: Learnt | null
}

/** Assumptions about a backend: configured, reported by its engine, or measured on replies. */
export interface Learnt {
  readonly prefillTokensPerSecond: number
  readonly decodeStepMs: number
  readonly cacheTokens: number
  readonly cacheSource: 'set' | 'engine' | 'replies'
}

export type LearntOf = (backend: Backend) => Learnt | null

export function snapshotOf(backend: Backend, learntOf: LearntOf): BackendSnapshot {
  return {
    address: backend.address,
    zdr: backend.config.zdr,
    state: backend.state,
    cordon: backend.cordon,
    inFlight: backend.inFlight,
    limit: backend.config.max_concurrency ?? null,
    recent: backend.recent.counts(backend.now()),
    learnt: learntOf(backend),
  }
}
