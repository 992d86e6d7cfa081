import { expect } from 'chai'
import { AggregatorRegistry } from 'prom-client'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { poolMetrics } from '../../../lib/backends/pool-metrics.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

const one = backendConfig({ url: 'http://user:secret@10.0.0.1:8000/v1/' })
const two = backendConfig({ url: 'http://10.0.0.2:8000/v1' })
const both = model({}, { backends: [one, two] })

/** Lines of one metric, without help and type. */
async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.registry.metrics()
  return text.split('\n').filter(line => line.startsWith(name))
}

describe('backends/pool-metrics', () => {
  const clock = new ManualClock()
  let pool: BackendPool
  let metrics: Metrics

  beforeEach(() => {
    metrics = new Metrics()
    const { onEjected, onProbed, watch } = poolMetrics(metrics)
    pool = new BackendPool([both], clock, { health: null, random: () => 0, onEjected, onProbed })
    watch(pool)
  })

  it('exports every backend by model and address, without credentials', async () => {
    expect(await linesOf(metrics, 'sluiceway_backend_up')).deep.equal([
      'sluiceway_backend_up{model="m",backend="http://10.0.0.1:8000/v1"} 1',
      'sluiceway_backend_up{model="m",backend="http://10.0.0.2:8000/v1"} 1',
    ])
  })

  it('exports the requests in flight at the time of the scrape', async () => {
    const lease = pool.pick(both, false).acquire()
    expect(await linesOf(metrics, 'sluiceway_backend_requests_in_flight')).deep.equal([
      'sluiceway_backend_requests_in_flight{model="m",backend="http://10.0.0.1:8000/v1"} 1',
      'sluiceway_backend_requests_in_flight{model="m",backend="http://10.0.0.2:8000/v1"} 0',
    ])
    lease.release('ok')
    expect((await linesOf(metrics, 'sluiceway_backend_requests_in_flight'))[0]).match(/ 0$/)
  })

  it('exports an ejected backend as down, and counts the reason', async () => {
    const backend = pool.pick(both, false)
    for (let i = 0; i < 5; i++) backend.health.unreachable()
    expect((await linesOf(metrics, 'sluiceway_backend_up'))[0]).match(/ 0$/)
    expect(await linesOf(metrics, 'sluiceway_backend_ejections_total')).deep.equal([
      'sluiceway_backend_ejections_total{model="m",backend="http://10.0.0.1:8000/v1",reason="connection"} 1',
    ])
    backend.health.probeDue()
    expect((await linesOf(metrics, 'sluiceway_backend_up'))[0]).match(/ 0$/)
    backend.health.probed('ok')
    expect((await linesOf(metrics, 'sluiceway_backend_up'))[0]).match(/ 1$/)
    expect(await linesOf(metrics, 'sluiceway_backend_probes_total')).deep.equal([
      'sluiceway_backend_probes_total{model="m",backend="http://10.0.0.1:8000/v1",outcome="ok"} 1',
    ])
  })

  it('exports the state of each backend', async () => {
    const states = async () => {
      const lines = await linesOf(metrics, 'sluiceway_backend_state{')
      return lines.filter(line => line.includes('10.0.0.1')).map(line => line.replace(/.*state="(.*)"\} /, '$1 '))
    }
    expect(await states()).deep.equal(['up 1', 'unhealthy 0', 'ejected 0', 'probing 0', 'draining 0', 'drained 0'])
    const backend = pool.pick(both, false)
    for (let i = 0; i < 5; i++) backend.health.unreachable()
    expect(await states()).deep.equal(['up 0', 'unhealthy 0', 'ejected 1', 'probing 0', 'draining 0', 'drained 0'])
  })

  it('exports the share of processes that see a backend in a state, and of all the worst for up', async () => {
    for (const { processes, ejectedIn, ejected, up } of [
      { processes: 1, ejectedIn: 0, ejected: 0, up: 1 },
      { processes: 1, ejectedIn: 1, ejected: 1, up: 0 },
      { processes: 2, ejectedIn: 1, ejected: 0.5, up: 0 },
      { processes: 2, ejectedIn: 2, ejected: 1, up: 0 },
      { processes: 8, ejectedIn: 6, ejected: 0.75, up: 0 },
      { processes: 8, ejectedIn: 8, ejected: 1, up: 0 },
    ]) {
      const all = Array.from({ length: processes }, (_, index) => {
        const ofProcess = new Metrics()
        const one = new BackendPool([both], clock, { health: null, random: () => 0 })
        poolMetrics(ofProcess).watch(one)
        const { health } = one.pick(both, false)
        for (let i = 0; i < 5 && index < ejectedIn; i++) health.unreachable()
        return ofProcess.registry.getMetricsAsJSON()
      })
      const text = await AggregatorRegistry.aggregate(await Promise.all(all)).metrics()
      const lines = text.split('\n').filter(line => line.includes('10.0.0.1'))
      const states = lines.filter(line => line.startsWith('sluiceway_backend_state{'))
      const numberIn = (line: string | undefined) => Number(line?.split(' ').at(-1))
      expect(numberIn(states.find(line => line.includes('"ejected"')))).equal(ejected)
      expect(states.reduce((sum, line) => sum + numberIn(line), 0)).equal(1)
      expect(numberIn(lines.find(line => line.startsWith('sluiceway_backend_up{')))).equal(up)
    }
  })

  it('exports the number of backends of each model, also of one without any', async () => {
    pool.update([both, model({}, { id: 'discovers', backends: [] })])
    expect(await linesOf(metrics, 'sluiceway_model_backends')).deep.equal([
      'sluiceway_model_backends{model="m"} 2',
      'sluiceway_model_backends{model="discovers"} 0',
    ])
  })

  it('exports the limits of backends', async () => {
    expect(await linesOf(metrics, 'sluiceway_backend_concurrency_limit')).deep.equal([])
    pool.update([model({}, { backends: [{ ...one, max_concurrency: 7 }, two] })])
    expect(await linesOf(metrics, 'sluiceway_backend_concurrency_limit')).deep.equal([
      'sluiceway_backend_concurrency_limit{model="m",backend="http://10.0.0.1:8000/v1"} 7',
    ])
  })

  it('drops backends that a reload has removed', async () => {
    await linesOf(metrics, 'sluiceway_backend_up')
    pool.update([model({}, { backends: [two] })])
    expect(await linesOf(metrics, 'sluiceway_backend_up')).deep.equal([
      'sluiceway_backend_up{model="m",backend="http://10.0.0.2:8000/v1"} 1',
    ])
    expect(await linesOf(metrics, 'sluiceway_backend_requests_in_flight')).lengthOf(1)
  })
})
