import type { Metrics } from '../../base/metrics.ts'
import type { ModelQueue, QueueOutcome } from './model-queue.ts'

/** Metrics of all queues, by models of the configuration and words of the code. Returns what counts the end of a wait. */
export function queueMetrics(metrics: Metrics, queues: () => ReadonlyMap<string, ModelQueue>) {
  metrics.gauge({
    name: 'sluiceway_queue_waiting',
    help: 'Requests that wait for a backend with room.',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const [model, { size }] of queues()) this.set({ model }, size)
    },
  })
  const requests = metrics.counter({
    name: 'sluiceway_queue_requests_total',
    help: 'Requests that found no backend with room, by how their wait ended.',
    labelNames: ['model', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'sluiceway_queue_wait_seconds',
    help: 'Time that requests waited for a backend with room.',
    labelNames: ['model'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  return (model: string, outcome: QueueOutcome, waitedMs: number): void => {
    requests.inc({ model, outcome })
    seconds.observe({ model }, waitedMs / 1000)
  }
}
