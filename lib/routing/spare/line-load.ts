import { BackendLoad, type ProcessLoad } from '../backend-load.ts'
import { FadingSum, faded } from '../samples.ts'

/** How long prefills of lines count for the rest of a prefill that an interactive request meets. */
const MET_MS = 2000
/** How long interactive requests, and what lines have evicted from their caches, count. */
const GUARD_MS = 60_000

/** What interactive requests and lines do to each other at a backend, as one process has seen it. */
export interface LineEffects {
  /** Half the squares of the times of lines' prefills, faded. */
  readonly met: number
  /** Milliseconds of lines' prefills that are long enough to be noticed, faded. */
  readonly busy: number
  /** Interactive requests, faded. */
  readonly requests: number
  /** Milliseconds of prefills that lines have caused, because they evicted chunks that were asked for again, faded. */
  readonly evictedMs: number
  /** The requests that took longer because of that, faded. */
  readonly delayed: number
  /** When the last interactive request was sent or ended. */
  readonly interactiveAt: number
}

interface RemoteEffects extends LineEffects {
  readonly at: number
}

/** The lines of batches at one server, and their effects on interactive requests. Times are monotonic milliseconds. */
export class LineLoad {
  /** The lines in flight, apart from interactive requests. */
  readonly load: BackendLoad
  readonly #met = new FadingSum(MET_MS)
  readonly #busy = new FadingSum(MET_MS)
  readonly #requests = new FadingSum(GUARD_MS)
  readonly #evictedMs = new FadingSum(GUARD_MS)
  readonly #delayed = new FadingSum(GUARD_MS)
  #interactiveAt = Number.NEGATIVE_INFINITY
  /** By process. */
  readonly #remote = new Map<string, RemoteEffects>()

  /** `paceMs`: milliseconds per token of an answer; 0: unknown. */
  constructor(paceMs: () => number) {
    this.load = new BackendLoad(paceMs)
  }

  /** Lines in flight, of all processes. */
  get count(): number {
    return this.load.queued + this.load.answers
  }

  /** When the last interactive request of any process was sent or ended. */
  get interactiveAt(): number {
    let at = this.#interactiveAt
    for (const remote of this.#remote.values()) at = Math.max(at, remote.interactiveAt)
    return at
  }

  /** A line is sent, whose prefill takes this long. `noticedMs`: see rule.ts. */
  sent(prefillMs: number, noticedMs: number, now: number): void {
    this.#met.add(prefillMs ** 2 / 2, now)
    this.#busy.add(noticedMs, now)
  }

  interactiveSent(now: number): void {
    this.#requests.add(1, now)
    this.#interactiveAt = now
  }

  /** A prefill of an interactive request takes longer, because lines have evicted a part of its prompt. */
  evicted(ms: number, now: number): void {
    const waiting = this.requestsPerMs(now) * ms
    // Those that arrive meanwhile wait for half of it.
    this.#evictedMs.add(ms + (waiting * ms) / 2, now)
    // What is computed again evicts other prompts.
    this.#delayed.add(2 * (1 + waiting), now)
  }

  interactiveEnded(now: number): void {
    this.#interactiveAt = now
  }

  /** Mean rest of a line's prefill that a request which is sent now meets, in milliseconds. */
  metMs(now: number): number {
    let sum = this.#met.at(now)
    for (const { met, at } of this.#remote.values()) sum += faded(met, now - at, MET_MS)
    return sum / MET_MS
  }

  /** The part of the time in which prefills of lines are computed that are long enough to be noticed. */
  busyShare(now: number): number {
    let sum = this.#busy.at(now)
    for (const { busy, at } of this.#remote.values()) sum += faded(busy, now - at, MET_MS)
    return sum / MET_MS
  }

  /** The time for which a prefill counts: a long one also counts for the time without others before it. */
  spanMs(now: number): number {
    return Math.max(MET_MS, now - this.load.headAt)
  }

  /** Interactive requests per millisecond, of all processes. */
  requestsPerMs(now: number): number {
    let sum = this.#requests.at(now)
    for (const { requests, at } of this.#remote.values()) sum += faded(requests, now - at, GUARD_MS)
    return sum / GUARD_MS
  }

  /** Milliseconds of prefills that lines cause by evictions, per millisecond. */
  evictedShare(now: number): number {
    let sum = this.#evictedMs.at(now)
    for (const { evictedMs, at } of this.#remote.values()) sum += faded(evictedMs, now - at, GUARD_MS)
    return sum / GUARD_MS
  }

  /** Requests that took longer because of evictions, per millisecond. */
  delayedPerMs(now: number): number {
    let sum = this.#delayed.at(now)
    for (const { delayed, at } of this.#remote.values()) sum += faded(delayed, now - at, GUARD_MS)
    return sum / GUARD_MS
  }

  /** The effects that this process has seen, for other processes. */
  effects(now: number): LineEffects {
    return {
      met: this.#met.at(now),
      busy: this.#busy.at(now),
      requests: this.#requests.at(now),
      evictedMs: this.#evictedMs.at(now),
      delayed: this.#delayed.at(now),
      interactiveAt: this.#interactiveAt,
    }
  }

  /** undefined: the process has ended. `load`: undefined: it has no lines in flight. */
  setRemote(process: string, load: ProcessLoad | undefined, effects: LineEffects | undefined, now: number): void {
    this.load.setRemote(process, load, now)
    if (effects === undefined) this.#remote.delete(process)
    else this.#remote.set(process, { ...effects, at: now })
  }
}
