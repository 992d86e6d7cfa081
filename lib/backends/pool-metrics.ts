import type { Metrics } from '../base/metrics.ts'
import { BACKEND_STATES, type Backend, type BackendEvents } from './backend.ts'
import type { BackendPool } from './pool.ts'

interface PoolMetrics extends Required<Pick<BackendEvents, 'onEjected' | 'onProbed'>> {
  /** A backend has been removed: drops its series, so that changing addresses do not accumulate. */
  onGone(backend: Backend): void
  watch(pool: BackendPool): void
}

/** Exports each backend's state and load, read at each scrape, and counts of ejections and probe requests. */
export function poolMetrics(metrics: Metrics): PoolMetrics {
  const ejections = metrics.counter({
    name: 'sluiceway_backend_ejections_total',
    help: 'Ejections of a backend, by reason.',
    labelNames: ['model', 'backend', 'reason'],
  })
  const probes = metrics.counter({
    name: 'sluiceway_backend_probes_total',
    help: 'Probe requests of the gateway, by outcome.',
    labelNames: ['model', 'backend', 'outcome'],
  })
  return {
    onEjected: ({ model, address }, reason) => ejections.inc({ model, backend: address, reason }),
    onProbed: ({ model, address }, outcome) => probes.inc({ model, backend: address, outcome }),
    onGone: ({ model, address }) => void metrics.forget({ model, backend: address }),
    watch: pool => watch(metrics, pool),
  }
}

function watch(metrics: Metrics, pool: BackendPool): void {
  metrics.gauge({
    name: 'sluiceway_model_backends',
    aggregator: 'min',
    help: 'Backends of a model, configured and discovered, in any state.',
    labelNames: ['model'],
    collect() {
      this.reset()
      for (const { model, backends } of pool.snapshot()) this.set({ model }, backends.length)
    },
  })
  metrics.gauge({
    name: 'sluiceway_backend_up',
    aggregator: 'min',
    help: '1 while a backend is sent requests, 0 while it is ejected, unhealthy or cordoned.',
    labelNames: ['model', 'backend'],
    collect() {
      this.reset()
      for (const { model, backends } of pool.snapshot()) {
        for (const { address, state } of backends) this.set({ model, backend: address }, state === 'up' ? 1 : 0)
      }
    },
  })
  metrics.gauge({
    name: 'sluiceway_backend_state',
    aggregator: 'average',
    help: 'Share of the processes in which a backend has the state, 0 to 1. The states of one backend add up to 1.',
    labelNames: ['model', 'backend', 'state'],
    collect() {
      this.reset()
      for (const { model, backends } of pool.snapshot()) {
        for (const { address, state } of backends)
          for (const one of BACKEND_STATES) this.set({ model, backend: address, state: one }, Number(one === state))
      }
    },
  })
  metrics.gauge({
    name: 'sluiceway_backend_concurrency_limit',
    aggregator: 'max',
    help: 'Maximum number of requests in flight at a backend that has a limit, over all processes.',
    labelNames: ['model', 'backend'],
    collect() {
      this.reset()
      for (const { model, backends } of pool.snapshot()) {
        for (const { address, limit } of backends) if (limit !== null) this.set({ model, backend: address }, limit)
      }
    },
  })
  metrics.gauge({
    name: 'sluiceway_backend_requests_in_flight',
    help: 'Requests in flight at a backend.',
    labelNames: ['model', 'backend'],
    collect() {
      this.reset()
      for (const { model, backends } of pool.snapshot()) {
        for (const { address, inFlight } of backends) this.set({ model, backend: address }, inFlight)
      }
    },
  })
}
