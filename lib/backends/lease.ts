import type { Usage } from '../canonical/reply.ts'
import type { Recent } from './recent.ts'

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
