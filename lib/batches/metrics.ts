import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { BatchRow } from '../store/batches.ts'
import type { LineOutcome } from './line-request.ts'

interface Shown {
  inFlight(): ReadonlyMap<string, number>
  queued(): ReadonlyMap<string, number>
  paused(): string | null
}

export interface BatchMetrics {
  /** `model`: empty if it is not known. */
  count(model: string, outcome: LineOutcome, lines?: number): void
  /** The batches that have not ended. */
  unfinished(batches: readonly UnfinishedBatch[]): void
}

type UnfinishedBatch = Pick<
  BatchRow,
  'created_at' | 'in_progress_at' | 'expires_at' | 'total' | 'completed' | 'failed' | 'status'
>

function labelOf(model: string): string {
  return model === '' ? 'other' : model
}

/** At its mean rate, the batch will not end in its window. False in the first half of the window. */
function isLate(batch: UnfinishedBatch, now: number): boolean {
  const { created_at: created, in_progress_at: started, expires_at: end, total, completed, failed } = batch
  if (batch.status !== 'in_progress' || started === null || now < (created + end) / 2) return false
  const done = completed + failed
  return (total - done) * (now - started) > done * (end - now)
}

/** Registers the metrics of batches. Values of `shown` are read at each scrape. */
export function batchMetrics(metrics: Metrics, clock: Clock, shown: Shown): BatchMetrics {
  let open: readonly UnfinishedBatch[] = []
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
      for (const [model, lines] of shown.inFlight()) this.set({ model: labelOf(model) }, lines)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_queued_requests',
    help: 'Requests of batches that wait, without those in flight.',
    labelNames: ['model'],
    aggregator: 'max',
    collect() {
      this.reset()
      for (const [model, lines] of shown.queued()) this.set({ model: labelOf(model) }, lines)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_oldest_seconds',
    help: 'Age of the oldest batch that has not ended.',
    aggregator: 'max',
    collect() {
      const now = clock.now()
      this.set(Math.max(0, ...open.map(batch => now - batch.created_at)) / 1000)
    },
  })
  metrics.gauge({
    name: 'sluiceway_batch_late',
    help: 'Batches that have used half of their window, and will not end in it at their mean rate.',
    aggregator: 'max',
    collect() {
      const now = clock.now()
      this.set(open.filter(batch => isLate(batch, now)).length)
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
    count: (model, outcome, lines = 1) => requests.inc({ model: labelOf(model), outcome }, lines),
    unfinished(batches) {
      open = batches
    },
  }
}
