/** The door of this room: where requests wait while all backends of their model are full (docs/ROUTING.md#queue). */
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Usage } from '../../canonical/reply.ts'
import type { QueueConfig } from '../../config/config.ts'
import { type After, afterTimeout } from '../health/prober.ts'
import { type Entrant, type Entry, ModelQueue } from './model-queue.ts'
import { queueMetrics } from './queue-metrics.ts'
import type { CountedTokens } from './served-tokens.ts'

export interface QueuesOptions {
  readonly clock: Clock
  readonly metrics: Metrics
  /** Calls back when a wait is over; a timer unless given. */
  readonly after?: After
}

/** The queues of all models that have one. They outlive reloads. */
export class Queues {
  readonly #options: QueuesOptions
  readonly #queues = new Map<string, ModelQueue>()
  readonly #ended: ReturnType<typeof queueMetrics>

  constructor(options: QueuesOptions) {
    this.#options = options
    this.#ended = queueMetrics(options.metrics, () => this.#queues)
  }

  /** ModelQueue's enter(), in the queue of this model. */
  enter<T>(model: string, config: QueueConfig, entrant: Entrant<T>): Promise<Entry<T> | undefined> {
    return this.#of(model).enter(entrant, config)
  }

  /** A backend of this model may have room. */
  pump(model: string): void {
    this.#queues.get(model)?.pump()
  }

  /** The reply to a request of this model is complete. */
  settle(model: string, charge: CountedTokens, { promptTokens, completionTokens }: Usage): void {
    this.#queues.get(model)?.settle(charge, promptTokens, completionTokens)
  }

  #of(model: string): ModelQueue {
    let queue = this.#queues.get(model)
    if (queue === undefined) {
      const { clock, after = afterTimeout } = this.#options
      queue = new ModelQueue({ clock, after, ended: (outcome, ms) => this.#ended(model, outcome, ms) })
      this.#queues.set(model, queue)
    }
    return queue
  }
}
