/** Requests of a backend in the last minute, in constant memory. */

const SLOT_MS = 10_000
const SLOTS = 6

/** Upper bounds of the times to the first token in milliseconds, in steps of a third, from 1 ms to a day. */
const BOUNDS: readonly number[] = Array.from({ length: 68 }, (_, i) => Math.round(4 ** (i / 5) * 10) / 10)

export interface RecentCounts {
  /** Requests that were sent. */
  readonly requests: number
  /** Failures that count towards ejection. */
  readonly failures: number
  /** Streams by the time to their first token: a count per bound, and one for longer times. Absent counts are 0. */
  readonly firstTokens: readonly number[]
}

/** Counts of ten seconds. */
interface Slot {
  /** Number of the ten seconds on the clock. */
  readonly at: number
  requests: number
  failures: number
  readonly firstTokens: number[]
}

/** Counts of the last 50 to 60 seconds. Times are monotonic milliseconds. */
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

/** The sums of several counts, for example of the same backend in several processes. */
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

/** The time within which this share of streams had their first token, rounded up to a bound; null: no streams. */
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
