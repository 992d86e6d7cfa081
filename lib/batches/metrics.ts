import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LineOutcome } from './line-request.ts'

interface Shown {
  inFlight(): ReadonlyMap<string, number>
  queued(): ReadonlyMap<string, number>
  paused(): string | null
}

export interface BatchMetrics {
  count(model: string, outcome: LineOutcome, lines?: number): void
  /** When batches that have not ended were created, in milliseconds since the epoch. */
  oldest(created: readonly number[]): void
}

/** Registers the metrics of batches. Values of `shown` are read at each scrape. */
export function batchMetrics(metrics: Metrics, clock: Clock, shown: Shown): BatchMetrics {
  let since: number | null = null
  const requests = metrics.counter({
    name: 'sluiceway_batch_requests_total',
    help: 'Requests of batches, by outcome. `retried` and `preempted`: they run again later.',
    labelNames: ['model', 'outcome'],
  })
  metrics.gauge({
    name: 'sluiceway_batch_in_flight',
    help: 'Requests of batches that this process has sent or holds until there is capacity.',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const [model, lines] of shown.inFlight()) this.set({ model }, lines)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_queued_requests',
    help: 'Requests of batches that wait, without those in flight.',
    labelNames: ['model'],
    aggregator: 'max',
    collect() {
      this.reset()
      for (const [model, lines] of shown.queued()) this.set({ model }, lines)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_oldest_seconds',
    help: 'Age of the oldest batch that has not ended.',
    aggregator: 'max',
    collect() {
      this.set(since === null ? 0 : Math.max(0, clock.now() - since) / 1000)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_paused',
    help: '1 while no request of a batch is sent, by reason: `disk_full`, or `disk_error` for other failures.',
    labelNames: ['reason'],
    aggregator: 'max',
    collect() {
      const paused = shown.paused()
      for (const reason of ['disk_full', 'disk_error']) this.set({ reason }, Number(paused === reason))
    },
  })
  return {
    count: (model, outcome, lines = 1) => requests.inc({ model, outcome }, lines),
    oldest(created) {
      since = created.length === 0 ? null : Math.min(...created)
    },
  }
}
