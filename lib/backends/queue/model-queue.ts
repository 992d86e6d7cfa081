import type { Clock } from '../../base/clock.ts'
import type { QueueConfig } from '../../config/config.ts'
import type { UpstreamWork } from '../../core/upstream.ts'
import { GatewayError } from '../../errors/errors.ts'
import type { After } from '../health/prober.ts'
import { FairQueue, type Place } from './fair-queue.ts'
import { type CountedTokens, ServedTokens } from './served-tokens.ts'

/**
 * How waiting ends.
 * - `served`: a backend had room.
 * - `full`: there was no place in the queue.
 * - `displaced`: an account with fewer waiting requests needed the place.
 * - `timeout`: no backend had room in `max_wait_ms`.
 * - `gone`: the client has disconnected.
 * - `failed`: no backend is left that could serve it, or the gateway ends.
 */
export type QueueOutcome = 'served' | 'full' | 'displaced' | 'timeout' | 'gone' | 'failed'

/** A request that needs room at a backend. */
export interface Entrant<T> {
  readonly account: string
  readonly priority: number
  readonly zdr: boolean
  /** Of its body. */
  readonly bytes: number
  /** Takes room at a backend, in one step. Throws backend_at_capacity where there is none. */
  take(): T
  /** The request begins to wait, and `work` cancels that; null: it no longer waits. */
  waits(work: UpstreamWork | null): void
}

/** What a request has got: room, and how it counts for its account. */
export interface Entry<T> {
  readonly taken: T
  readonly charge: CountedTokens
}

export interface QueueHost {
  readonly clock: Clock
  readonly after: After
  /** `waitedMs`: from its arrival to now. */
  ended(outcome: QueueOutcome, waitedMs: number): void
}

/** A request that waits: the work that its exchange waits for. */
interface Waiting extends Place, UpstreamWork {
  /** Takes room where there is some. Where there is none: it ends with `otherwise`, or goes on waiting. */
  tryTake(otherwise?: QueueOutcome): 'no-room' | 'ended'
}

/** The requests that wait for room at the backends of one model (docs/adr/0057). */
export class ModelQueue {
  readonly #host: QueueHost
  readonly #served = new ServedTokens()
  readonly #waiting = new FairQueue<Waiting>(this.#served)

  constructor(host: QueueHost) {
    this.#host = host
  }

  get size(): number {
    return this.#waiting.size
  }

  /**
   * Takes room at once, or waits for it. Resolves with undefined when the client has disconnected. Throws, and rejects with,
   * what `take` throws; backend_at_capacity only when the queue is full or the time is over.
   */
  async enter<T>(entrant: Entrant<T>, config: QueueConfig): Promise<Entry<T> | undefined> {
    if (!this.#waiting.has(entrant.zdr)) {
      try {
        return this.#entered(entrant)
      } catch (thrown) {
        if (!isNoRoom(thrown)) throw thrown
      }
    }
    if (this.#waiting.size >= config.max) {
      const displaced = this.#waiting.displaced(entrant.account)
      if (displaced === undefined) {
        this.#host.ended('full', 0)
        return this.#entered(entrant)
      }
      displaced.tryTake('displaced')
    }
    return new Promise((resolve, reject) => this.#wait(entrant, config, resolve, reject))
  }

  /** Room may have come: those whose turn it is take it. */
  pump(): void {
    const noRoom = new Set<boolean>()
    for (;;) {
      const next = this.#waiting.next(this.#host.clock.monotonic(), noRoom)
      if (next === undefined) return
      if (next.tryTake() === 'no-room') noRoom.add(next.zdr)
    }
  }

  /** The reply to a request is complete. */
  settle(charge: CountedTokens, promptTokens: number, outputTokens: number): void {
    this.#served.settle(charge, promptTokens, outputTokens)
  }

  #entered<T>({ account, bytes, take }: Entrant<T>): Entry<T> {
    const taken = take()
    this.#served.trim(this.#waiting.accounts)
    return { taken, charge: this.#served.begin(account, bytes) }
  }

  #wait<T>(
    entrant: Entrant<T>,
    { max_wait_ms: maxWaitMs }: QueueConfig,
    resolve: (entry: Entry<T> | undefined) => void,
    reject: (error: unknown) => void,
  ): void {
    const { account, priority, zdr } = entrant
    const since = this.#host.clock.monotonic()
    // Nothing calls it twice: the timer and the exchange's work end with the first call.
    const leave = (outcome: QueueOutcome): void => {
      this.#waiting.remove(waiting)
      cancelTimer()
      entrant.waits(null)
      this.#host.ended(outcome, this.#host.clock.monotonic() - since)
    }
    const waiting: Waiting = {
      account,
      priority,
      zdr,
      since,
      agedAt: since + maxWaitMs / 2,
      tryTake: otherwise => {
        let entry: Entry<T>
        try {
          entry = this.#entered(entrant)
        } catch (thrown) {
          const outcome = isNoRoom(thrown) ? otherwise : 'failed'
          if (outcome === undefined) return 'no-room'
          leave(outcome)
          reject(thrown)
          return 'ended'
        }
        leave('served')
        resolve(entry)
        return 'ended'
      },
      cancel: () => {
        leave('gone')
        resolve(undefined)
      },
      fail: error => {
        leave('failed')
        reject(error)
      },
    }
    const cancelTimer = this.#host.after(maxWaitMs, () => waiting.tryTake('timeout'))
    this.#waiting.add(waiting)
    entrant.waits(waiting)
  }
}

function isNoRoom(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.code === 'backend_at_capacity'
}
