import { expect } from 'chai'
import { BackendPool } from '../../../../lib/backends/pool.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import type { BackendConfig, ModelConfig } from '../../../../lib/config/config.ts'
import { backendConfig, backendWith } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { eventually } from '../../../support/gateway.ts'
import { UpstreamBench } from '../../../support/upstream.ts'

const MODELS = 1000

const modelsOn = (backends: readonly BackendConfig[]): ModelConfig[] =>
  backends.map((backend, i) => model({}, { id: `m${i}`, backends: [backend] }))

describe('backends/health/health-checks', () => {
  const bench = new UpstreamBench()
  let pool: BackendPool | undefined
  beforeEach(() => {
    bench.connections = 0
    bench.seen.length = 0
  })
  afterEach(() => {
    pool?.close()
    return bench.close()
  })

  function watch(backends: readonly BackendConfig[]): BackendPool {
    pool = new BackendPool(modelsOn(backends), systemClock, { health: { intervalMs: 10, timeoutMs: 2000 } })
    return pool
  }

  const states = () => new Set(pool!.snapshot().flatMap(({ backends }) => backends.map(({ state }) => state)))

  it('are one for a server and one connection, however many models it runs', async () => {
    const url = await bench.server()
    watch(Array.from({ length: MODELS }, (_, i) => backendConfig({ url: `${url}/v1`, model: `m${i}` })))
    await eventually(() => bench.seen.length >= 5, 'some checks')
    // Each check begins after the end of the one before: checks of single models would come all at once.
    expect([bench.seen.length < MODELS, bench.connections]).deep.equal([true, 1])
  })

  it('report to all models of the server', async () => {
    let status = 200
    const url = await bench.server((_req, res) => res.writeHead(status).end())
    watch(Array.from({ length: 20 }, (_, i) => backendConfig({ url: `${url}/v1`, model: `m${i}` })))
    status = 500
    await eventually(() => states().has('unhealthy'), 'a failed check')
    expect([...states()]).deep.equal(['unhealthy'])
    status = 200
    await eventually(() => !states().has('unhealthy'), 'a good check')
    expect([...states()]).deep.equal(['up'])
  })

  it('are made with each key', async () => {
    const url = await bench.server()
    watch(['a', 'b'].map(api_key => backendConfig({ url, api_key })))
    const keys = () => new Set(bench.seen.map(({ rawHeaders }) => rawHeaders.find(value => value.startsWith('Bearer'))))
    await eventually(() => keys().size === 2, 'checks with both keys')
  })

  it('are not made where the profile has no health route, which readmits a backend that a check has ejected', async () => {
    const url = await bench.server((_req, res) => res.writeHead(500).end())
    const watched = watch([backendConfig({ url })])
    await eventually(() => states().has('unhealthy'), 'a failed check')
    watched.update(modelsOn([{ ...backendWith({ health_path: null }), url }]))
    expect([...states()]).deep.equal(['up'])
    const { length } = bench.seen
    await new Promise(resolve => setTimeout(resolve, 60))
    // One may have been on its way.
    expect(bench.seen.length).most(length + 1)
  })

  it('keep their connection across a new configuration', async () => {
    const url = await bench.server()
    const config = backendConfig({ url })
    const watched = watch([config])
    await eventually(() => bench.seen.length > 0, 'a check')
    watched.update(modelsOn([config, backendConfig({ url, model: 'other' })]))
    const { length } = bench.seen
    await eventually(() => bench.seen.length > length + 1, 'more checks')
    expect(bench.connections).equal(1)
  })
})
