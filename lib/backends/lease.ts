import type { Usage } from '../canonical/reply.ts'

/**
 * - `ok`: the request was served.
 * - `answered`: the backend has answered it, with a refusal or in a way that cannot be used.
 * - `neutral`: proves nothing about the backend, as when the client has disconnected.
 */
export type LeaseOutcome = 'ok' | 'answered' | 'neutral'

/** A request at one backend, from the choice of the backend to the end of its lease. */
export interface Placement {
  /** The first token of the answer has come. Further calls do nothing. */
  begun(): void
  /** Nothing more comes, whatever the reason. Only the first call counts. `usage`: of a complete reply. */
  ended(usage: Usage | undefined): void
}

/** A backend, as its leases use it. */
export interface Leased {
  readonly recent: Recent
  /** Milliseconds on the monotonic clock. */
  now(): number
  /** `isTrial`: the request was sent although the backend had been ejected. */
  released(outcome: LeaseOutcome, isTrial: boolean): void
}

/** One in-flight request of a backend. */
export class Lease<B extends Leased> {
  readonly backend: B
  readonly #isTrial: boolean
  readonly #since: number
  #answered = false
  readonly #placement: Placement | undefined
  #released = false

  constructor(backend: B, isTrial: boolean, placement?: Placement) {
    this.backend = backend
    this.#isTrial = isTrial
    this.#placement = placement
    this.#since = backend.now()
  }

  /**
   * The first token has come: the request no longer waits for its prefill. Further calls do nothing. `isStream`: it has come
   * by itself, so that its time is that of the prefill.
   */
  answering(isStream: boolean): void {
    if (this.#answered) return
    this.#answered = true
    const now = this.backend.now()
    if (isStream) this.backend.recent.firstToken(now, now - this.#since)
    this.#placement?.begun()
  }

  /** Only the first call counts. `usage`: of a complete reply. */
  release(outcome: LeaseOutcome, usage?: Usage): void {
    if (this.#released) return
    this.#released = true
    this.#placement?.ended(usage)
    this.backend.released(outcome, this.#isTrial)
  }
}

/** One in-flight request of a model. */
export class ModelLease {
  readonly #counted: { inFlight: number }
  readonly #onReleased: () => void
  #released = false

  constructor(counted: { inFlight: number }, onReleased: () => void) {
    counted.inFlight++
    this.#counted = counted
    this.#onReleased = onReleased
  }

  /** Only the first call counts. */
  release(): void {
    if (this.#released) return
    this.#released = true
    this.#counted.inFlight--
    this.#onReleased()
  }
}

/** What a backend has done in the last minute, in constant memory. */

const SLOT_MS = 10_000
const SLOTS = 6

/** Upper bounds of the times to the first token, in milliseconds, a third apart: from 1 ms to ten minutes. */
const BOUNDS: readonly number[] = Array.from({ length: 48 }, (_, i) => Math.round(4 ** (i / 5) * 10) / 10).filter(
  bound => bound <= 600_000,
)

export interface RecentCounts {
  /** Requests that were sent. */
  readonly requests: number
  /** Failures that count towards ejection. */
  readonly failures: number
  /** Streams by the time to their first token: a count for each of the bounds, and one beyond. Absent ones are 0. */
  readonly firstTokens: readonly number[]
}

interface Slot {
  /** Number of the ten seconds. */
  readonly at: number
  requests: number
  failures: number
  readonly firstTokens: number[]
}

/** Counts of the last 50 to 60 seconds. All times are monotonic milliseconds. */
export class Recent {
  #slots: Slot[] = []

  request(now: number): void {
    this.#slot(now).requests++
  }

  failure(now: number): void {
    this.#slot(now).failures++
  }

  firstToken(now: number, ms: number): void {
    countFirstToken(this.#slot(now).firstTokens, ms)
  }

  counts(now: number): RecentCounts {
    this.#expire(now)
    return addCounts(this.#slots)
  }

  #slot(now: number): Slot {
    const at = Math.floor(now / SLOT_MS)
    const last = this.#slots.at(-1)
    if (last?.at === at) return last
    this.#expire(now)
    const slot: Slot = { at, requests: 0, failures: 0, firstTokens: [] }
    this.#slots.push(slot)
    return slot
  }

  #expire(now: number): void {
    const oldest = Math.floor(now / SLOT_MS) - SLOTS
    if (this.#slots.some(({ at }) => at <= oldest)) this.#slots = this.#slots.filter(({ at }) => at > oldest)
  }
}

/** Counts a stream by the time to its first token. */
export function countFirstToken(counts: number[], ms: number): void {
  const bucket = BOUNDS.findIndex(bound => ms <= bound)
  const at = bucket < 0 ? BOUNDS.length : bucket
  counts[at] = (counts[at] ?? 0) + 1
}

/** Sums, as of the same backend in several processes. */
export function addCounts(counts: Iterable<RecentCounts>): RecentCounts {
  let requests = 0
  let failures = 0
  const firstTokens: number[] = new Array<number>(BOUNDS.length + 1).fill(0)
  for (const one of counts) {
    requests += one.requests
    failures += one.failures
    for (const [i, count] of one.firstTokens.entries()) firstTokens[i]! += count ?? 0
  }
  return { requests, failures, firstTokens }
}

/** The time within which this share of streams had their first token, to a third; null: there were none. */
export function firstTokenQuantile({ firstTokens }: Pick<RecentCounts, 'firstTokens'>, share: number): number | null {
  const all = firstTokens.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let seen = 0
  for (const [i, count] of firstTokens.entries()) {
    seen += count ?? 0
    if (seen >= all * share) return Math.round(BOUNDS[i] ?? BOUNDS.at(-1)!)
  }
  return null
}
