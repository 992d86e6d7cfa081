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
  /** max_concurrency, of all processes; null: none. */
  readonly limit: number | null
  readonly recent: RecentCounts
  /** Assumptions of routing about the backend; null: none, as with another policy. */
  readonly learnt: Learnt | null
}

/** One assumption about a backend. */
export interface Belief {
  readonly value: number
  /** `set`: configured; `engine`: reported by the engine; `replies`: measured, or guessed without samples. */
  readonly source: 'set' | 'engine' | 'replies'
  /** Replies that it depends on. */
  readonly samples: number
  /** When it last changed, in milliseconds since the epoch; null: never. */
  readonly movedAt: number | null
  /** The value that the engine reports; null: none. */
  readonly engine: number | null
  /** It differs from that of the model's other backends by more than a factor of two. */
  readonly contradicts: boolean
}

/** Assumptions about a backend. */
export interface Learnt {
  readonly prefillTokensPerSecond: Belief
  readonly floorMs: Belief
  readonly decodeStepMs: Belief
  readonly cacheTokens: Belief
}

export type LearntOf = (backend: Backend) => Learnt | null

export function snapshotOf(backend: Backend, learntOf: LearntOf): BackendSnapshot {
  return {
    address: backend.address,
    zdr: backend.config.zdr,
    state: backend.state,
    cordon: backend.cordon,
    inFlight: backend.inFlight,
    limit: backend.limit ?? null,
    recent: backend.recent.counts(backend.now()),
    learnt: learntOf(backend),
  }
}
