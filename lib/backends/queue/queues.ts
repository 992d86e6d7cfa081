/** The queues in which requests wait while all backends of their model are at capacity (docs/ROUTING.md#queue). */
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Usage } from '../../canonical/reply.ts'
import type { QueueConfig } from '../../config/config.ts'
import { type After, afterTimeout } from '../health/prober.ts'
import { ModelQueue, type QueueOutcome, type QueueRequest, type ServedRequest } from './model-queue.ts'
import type { CountedTokens } from './served-tokens.ts'

interface QueuesOptions {
  readonly clock: Clock
  readonly metrics: Metrics
  /** Default: a timer. */
  readonly after?: After
}

/** The queues of all models that have one. They outlive reloads. */
export class Queues {
  readonly #options: QueuesOptions
  readonly #queues = new Map<string, ModelQueue>()
  readonly #onEnd: ReturnType<typeof queueMetrics>

  constructor(options: QueuesOptions) {
    this.#options = options
    this.#onEnd = queueMetrics(options.metrics, this.#queues)
  }

  enter<T>(model: string, config: QueueConfig, request: QueueRequest<T>): Promise<ServedRequest<T> | undefined> {
    return this.#of(model).enter(request, config)
  }

  pump(model: string): void {
    this.#queues.get(model)?.pump()
  }

  size(model: string): number {
    return this.#queues.get(model)?.size ?? 0
  }

  settle(model: string, charge: CountedTokens, { promptTokens, completionTokens }: Usage): void {
    this.#queues.get(model)?.settle(charge, promptTokens, completionTokens)
  }

  #of(model: string): ModelQueue {
    let queue = this.#queues.get(model)
    if (queue === undefined) {
      const { clock, after = afterTimeout } = this.#options
      queue = new ModelQueue({ clock, after, onEnd: (outcome, ms) => this.#onEnd(model, outcome, ms) })
      this.#queues.set(model, queue)
    }
    return queue
  }
}

/** Registers the metrics of all queues. Returns a function that counts the end of a wait. */
function queueMetrics(metrics: Metrics, queues: ReadonlyMap<string, ModelQueue>) {
  metrics.gauge({
    name: 'sluiceway_queue_waiting',
    help: 'Requests that wait for a backend with capacity.',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const [model, { size }] of queues) this.set({ model }, size)
    },
  })
  const requests = metrics.counter({
    name: 'sluiceway_queue_requests_total',
    help: 'Requests that found no backend with capacity, by how their wait ended.',
    labelNames: ['model', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'sluiceway_queue_wait_seconds',
    help: 'Time that requests waited for a backend with capacity.',
    labelNames: ['model'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  return (model: string, outcome: QueueOutcome, waitedMs: number): void => {
    requests.inc({ model, outcome })
    seconds.observe({ model }, waitedMs / 1000)
  }
}
