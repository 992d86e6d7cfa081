import type { Metrics } from '../base/metrics.ts'
import type { BackendPool } from './pool.ts'

/** State and load of every backend, read at each scrape. Label values are addresses and models of the configuration. */
export function registerPoolMetrics(metrics: Metrics, pool: () => BackendPool): void {
  metrics.gauge({
    name: 'sluiceway_backend_up',
    aggregator: 'min',
    help: '1 while a backend may be sent requests, 0 while it is ejected or unhealthy.',
    labelNames: ['model', 'backend'],
    collect() {
      this.reset()
      for (const { model, backends } of pool().snapshot()) {
        for (const { address, state } of backends)
          this.set({ model, backend: address }, state === 'up' || state === 'probing' ? 1 : 0)
      }
    },
  })
  metrics.gauge({
    name: 'sluiceway_backend_requests_in_flight',
    help: 'Requests in flight at a backend.',
    labelNames: ['model', 'backend'],
    collect() {
      this.reset()
      for (const { model, backends } of pool().snapshot()) {
        for (const { address, inFlight } of backends) this.set({ model, backend: address }, inFlight)
      }
    },
  })
}
