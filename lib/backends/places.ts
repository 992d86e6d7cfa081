import type { Clock } from '../base/clock.ts'
import { PLACE_LEASE_MS, type PlaceStore } from '../limits/places.ts'
import { type After, afterTimeout } from './health/prober.ts'

/** Held places are renewed three times in their time to live. */
const RENEW_MS = PLACE_LEASE_MS / 3
/** After this time without a request, unused places are given back. */
const IDLE_MS = 1000
/** How often a process asks again while its requests wait, or while the store does not answer. */
const WAIT_MS = 50
const AWAY_MS = 1000

const MIN_SPARE = 2
/** Spare places per request in flight. */
const SPARE_SHARE = 0.25

export interface PlacesHost {
  readonly clock: Clock
  /** Counts the limit over several processes; null: this process counts alone. */
  readonly store: PlaceStore | null
  /** Default: a timer. */
  readonly after?: After | undefined
}

interface PlacesEvents {
  /** Requests that wait may try again, synchronously. */
  onMore(): void
  /** How many requests wait. */
  waiting(): number
}

/**
 * The requests in flight of a model, a server or a backend, and the limit on them. With a store, this process starts
 * requests in places that it holds. It asks for more before they are used up.
 */
export class Places {
  readonly name: string
  readonly #host: PlacesHost
  readonly #events: PlacesEvents | undefined
  #inFlight = 0
  #limit: number | undefined
  #isShared = false
  #held = 0
  /** Requests wait because no place was left. */
  #isWanted = false
  /** A line of a batch waits, which takes no place from requests of other processes. */
  #isWantedIfFree = false
  #isContended = false
  #fair = 0
  /** The last question got less than it wanted. */
  #isTight = false
  #isAway = false
  #isAsking = false
  #asksAgain = false
  #renewedAt = Number.NEGATIVE_INFINITY
  /** When the last request started. */
  #takenAt = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined

  constructor(name: string, host: PlacesHost, events?: PlacesEvents) {
    this.name = name
    this.#host = host
    this.#events = events
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get limit(): number | undefined {
    return this.#limit
  }

  /** `isShared`: the limit holds over all processes of the store. */
  update(limit: number | undefined, isShared = true): void {
    const before = this.#isShared
    this.#isShared = isShared && limit !== undefined && this.#host.store !== null
    if (limit === this.#limit && this.#isShared === before) return
    this.#limit = limit
    if (this.#isShared || before) this.#ask()
  }

  get isFull(): boolean {
    return this.#limit !== undefined && this.#inFlight >= (this.#isShared ? this.#places(this.#limit) : this.#limit)
  }

  /** The limit is reached here, but other processes may have places. */
  get mayGrow(): boolean {
    return this.#isShared && !this.#isAway && this.#held < this.#limit!
  }

  /** A request starts. */
  take(): void {
    this.#inFlight++
    if (!this.#isShared) return
    this.#takenAt = this.#host.clock.monotonic()
    const isLow = this.#held - this.#inFlight < this.#spare / 2
    if (isLow && !this.#isTight && !this.#isContended && this.mayGrow) this.#ask()
  }

  release(): void {
    this.#inFlight--
    if (!this.#isShared) return
    if (this.#isContended) {
      // The place may be for another process, which has fewer.
      if (this.#held >= Math.max(this.#fair, this.#inFlight + 1)) this.#held--
      this.#ask()
    } else if (this.#held - this.#inFlight > 2 * this.#spare) {
      this.#ask()
    }
  }

  /** A request has found no place. */
  want(): void {
    if (!this.mayGrow) return
    this.#isWanted = true
    this.#ask()
  }

  /** A line of a batch has found no place. */
  wantIfFree(): void {
    if (!this.mayGrow) return
    this.#isWantedIfFree = true
    this.#ask()
  }

  /** A process waits for places, or has given some back. */
  changed(): void {
    if (!this.#isShared) return
    this.#isContended = true
    this.#retryWaiting()
    if (this.#held > this.#inFlight) this.#ask()
  }

  /** Gives all places back. */
  close(): void {
    this.update(undefined)
    this.#cancelTimer?.()
  }

  /** Places that this process may use. */
  #places(limit: number): number {
    const isRenewed = this.#host.clock.monotonic() - this.#renewedAt < PLACE_LEASE_MS
    if (isRenewed && (this.#held > 0 || !this.#isAway)) return Math.min(this.#held, limit)
    // Without a renewal, other processes may have got the places.
    return this.#isAway ? this.#host.store!.share(limit) : 0
  }

  /** How many unused places to hold. */
  get #spare(): number {
    if (this.#isContended || (this.#inFlight === 0 && this.#idleMs >= IDLE_MS)) return 0
    return Math.max(MIN_SPARE, Math.ceil(SPARE_SHARE * this.#inFlight))
  }

  get #idleMs(): number {
    return this.#host.clock.monotonic() - this.#takenAt
  }

  #retryWaiting(): void {
    // Set again by a request that finds no place.
    this.#isWanted = false
    this.#events?.onMore()
  }

  #ask(): void {
    this.#asksAgain = true
    if (!this.#isAsking) void this.#askAll()
  }

  /** Asks until the answer is to the present state. */
  async #askAll(): Promise<void> {
    this.#isAsking = true
    this.#cancelTimer?.()
    // The caller's request begins to wait first.
    await null
    let unmet = 0
    while (this.#asksAgain) {
      this.#asksAgain = false
      unmet = await this.#askOnce()
    }
    this.#isAsking = false
    this.#schedule(unmet)
  }

  /** Returns the number of requests without a place. */
  async #askOnce(): Promise<number> {
    const { store, clock } = this.#host
    const now = clock.monotonic()
    const limit = this.#isShared ? this.#limit! : 0
    const waiting = this.#isWanted ? (this.#events?.waiting() ?? 0) : 0
    const needed = Math.min(limit, this.#inFlight + waiting)
    const ifFree = Number(this.#isWantedIfFree)
    this.#isWantedIfFree = false
    const wanted = this.#isShared ? Math.min(limit, needed + Math.max(this.#spare, ifFree)) : 0
    const isRenewed = now - this.#renewedAt < PLACE_LEASE_MS
    const inFlight = this.#isShared ? this.#inFlight : 0
    const kept = Math.max(inFlight, isRenewed ? Math.min(this.#held, wanted) : 0)
    // Until the answer, no more than what stays in any case.
    this.#held = kept
    const reply = await store!.ask(this.name, { limit, kept, needed, wanted })
    this.#isAway = reply === undefined
    if (reply === undefined) return 0
    this.#renewedAt = now
    this.#held = reply.granted
    this.#isContended = reply.isContended
    this.#fair = reply.fair
    this.#isTight = reply.granted < wanted
    if (reply.granted > kept) this.#retryWaiting()
    if (reply.isContended && this.#held > this.#inFlight + this.#spare) this.#asksAgain = true
    return Math.max(0, needed - reply.granted)
  }

  #schedule(unmet: number): void {
    if (!this.#isShared) return
    const ms = this.#nextMs(unmet)
    if (ms === undefined) return
    this.#cancelTimer = (this.#host.after ?? afterTimeout)(ms, () => {
      if (unmet > 0) this.#retryWaiting()
      this.#ask()
    })
  }

  /** When to ask again; undefined: this process holds no place. */
  #nextMs(unmet: number): number | undefined {
    if (this.#isAway) return AWAY_MS
    if (unmet > 0) return WAIT_MS
    if (this.#held === 0) return undefined
    return this.#inFlight === 0 ? IDLE_MS : RENEW_MS
  }
}
