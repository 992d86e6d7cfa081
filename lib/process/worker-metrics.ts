/** The metrics of all workers as one text for Prometheus. */
import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { askWorkersAbout, type WorkerMetric } from './worker-backends.ts'

/** Longest wait for a worker. */
const TIMEOUT_MS = 5000

/**
 * Adds up the metrics of workers. One that ends meanwhile is left out. Rejects where one that lives has not answered in time: without
 * its part, counters would seem to have been reset, which a missed scrape does not do.
 */
export async function metricsOfWorkers(workers: readonly Worker[], timeoutMs = TIMEOUT_MS): Promise<string> {
  const parts = await Promise.all(
    workers.map(async worker => {
      const [metrics] = await askWorkersAbout('metrics', [worker], timeoutMs)
      if (metrics === undefined && worker.isConnected() && !worker.isDead())
        throw new Error(`worker ${worker.id} has not told its metrics in ${timeoutMs} ms`)
      return metrics ?? []
    }),
  )
  return AggregatorRegistry.aggregate(parts.map(part => part.map(withWorstDelay))).metrics()
}

/** prom-client averages the event-loop delays of workers, which hides a blocked one. */
function withWorstDelay(metric: WorkerMetric): WorkerMetric {
  const isAverage = metric.aggregator === 'average' && metric.name.startsWith('nodejs_eventloop_lag')
  return isAverage ? { ...metric, aggregator: 'max' } : metric
}
