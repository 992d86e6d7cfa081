import type { Clock } from '../../base/clock.ts'
import type { QueueConfig } from '../../config/config.ts'
import type { UpstreamWork } from '../../core/upstream.ts'
import { GatewayError } from '../../errors/errors.ts'
import type { After } from '../health/prober.ts'
import { FairQueue, type QueueEntry } from './fair-queue.ts'
import { type CountedTokens, ServedTokens } from './served-tokens.ts'

/**
 * How a wait ends.
 * - `served`: a backend had capacity.
 * - `full`: the queue was full.
 * - `displaced`: a request of an account with fewer entries displaced this one from the full queue.
 * - `timeout`: no backend had capacity within `max_wait_ms`.
 * - `gone`: the client has disconnected.
 * - `failed`: no backend can serve the request any more, or the gateway shuts down.
 */
export type QueueOutcome = 'served' | 'full' | 'displaced' | 'timeout' | 'gone' | 'failed'

export interface QueueRequest<T> {
  readonly account: string
  readonly priority: number
  readonly zdr: boolean
  /** Of its body. */
  readonly bytes: number
  /** Acquires a backend, synchronously. Throws backend_at_capacity if none has capacity. */
  acquire(): T
  /** The request begins to wait, and `work` cancels the wait; null: the wait has ended. */
  onWait(work: UpstreamWork | null): void
}

export interface ServedRequest<T> {
  readonly acquired: T
  /** The tokens that are counted for its account. */
  readonly charge: CountedTokens
}

interface QueueHost {
  readonly clock: Clock
  readonly after: After
  /** `waitedMs`: since the request arrived. */
  onEnd(outcome: QueueOutcome, waitedMs: number): void
}

/** A request that waits, also as the work of its exchange. */
interface WaitingRequest extends QueueEntry, UpstreamWork {
  /** Acquires a backend if one has capacity. Otherwise the wait ends with `otherwise`, if given. */
  tryAcquire(otherwise?: QueueOutcome): 'full' | 'ended'
}

/** The requests that wait for capacity at the backends of one model (docs/adr/0057). */
export class ModelQueue {
  readonly #host: QueueHost
  readonly #served = new ServedTokens()
  readonly #waiting = new FairQueue<WaitingRequest>(this.#served)

  constructor(host: QueueHost) {
    this.#host = host
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Acquires a backend, now or after a wait; undefined: the client disconnected. Rejects with errors of acquire(). */
  async enter<T>(request: QueueRequest<T>, config: QueueConfig): Promise<ServedRequest<T> | undefined> {
    if (!this.#waiting.has(request.zdr)) {
      try {
        return this.#serve(request)
      } catch (thrown) {
        if (!isAtCapacity(thrown)) throw thrown
      }
    }
    if (this.#waiting.size >= config.max) {
      const displaced = this.#waiting.displaced(request.account)
      if (displaced === undefined) {
        this.#host.onEnd('full', 0)
        return this.#serve(request)
      }
      displaced.tryAcquire('displaced')
    }
    return new Promise((resolve, reject) => this.#wait(request, config, resolve, reject))
  }

  /** A backend may have capacity: serves the next requests. */
  pump(): void {
    const full = new Set<boolean>()
    for (;;) {
      const next = this.#waiting.next(this.#host.clock.monotonic(), full)
      if (next === undefined) return
      if (next.tryAcquire() === 'full') full.add(next.zdr)
    }
  }

  /** The reply to a request is complete. */
  settle(charge: CountedTokens, promptTokens: number, outputTokens: number): void {
    this.#served.settle(charge, promptTokens, outputTokens)
  }

  #serve<T>({ account, bytes, acquire }: QueueRequest<T>): ServedRequest<T> {
    const acquired = acquire()
    this.#served.trim(this.#waiting.accounts)
    return { acquired, charge: this.#served.begin(account, bytes) }
  }

  #wait<T>(
    request: QueueRequest<T>,
    { max_wait_ms: maxWaitMs }: QueueConfig,
    resolve: (served: ServedRequest<T> | undefined) => void,
    reject: (error: unknown) => void,
  ): void {
    const { account, priority, zdr } = request
    const since = this.#host.clock.monotonic()
    // Called once: it cancels the timer and removes the work of the exchange.
    const leave = (outcome: QueueOutcome): void => {
      this.#waiting.remove(waiting)
      cancelTimer()
      request.onWait(null)
      this.#host.onEnd(outcome, this.#host.clock.monotonic() - since)
    }
    const waiting: WaitingRequest = {
      account,
      priority,
      zdr,
      since,
      agedAt: since + maxWaitMs / 2,
      tryAcquire: otherwise => {
        let served: ServedRequest<T>
        try {
          served = this.#serve(request)
        } catch (thrown) {
          const outcome = isAtCapacity(thrown) ? otherwise : 'failed'
          if (outcome === undefined) return 'full'
          leave(outcome)
          reject(thrown)
          return 'ended'
        }
        leave('served')
        resolve(served)
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
    const cancelTimer = this.#host.after(maxWaitMs, () => waiting.tryAcquire('timeout'))
    this.#waiting.add(waiting)
    request.onWait(waiting)
  }
}

function isAtCapacity(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.code === 'backend_at_capacity'
}
