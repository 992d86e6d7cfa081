import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { BackendPool, type BackendState } from '../../../../lib/backends/pool.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import type { BackendConfig, ModelConfig } from '../../../../lib/config/config.ts'
import { backendConfig, backendWith } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { eventually } from '../../../support/gateway.ts'
import { UpstreamBench } from '../../../support/upstream.ts'

const MODELS = 1000

const modelsOn = (backends: readonly BackendConfig[]): ModelConfig[] =>
  backends.map((backend, i) => model({}, { id: `m${i}`, backends: [backend] }))

describe('backends/health/health-checks: all checks', () => {
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

  it('are one per server, on one connection, for any number of models', async () => {
    const url = await bench.server()
    watch(Array.from({ length: MODELS }, (_, i) => backendConfig({ url: `${url}/v1`, model: `m${i}` })))
    await eventually(() => bench.seen.length >= 5, 'some checks')
    // A check begins after the end of the last one. Checks of single models would all begin at once.
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

  it('are separate for each key', async () => {
    const url = await bench.server()
    watch(['a', 'b'].map(api_key => backendConfig({ url, api_key })))
    const keys = () => new Set(bench.seen.map(({ rawHeaders }) => rawHeaders.find(value => value.startsWith('Bearer'))))
    await eventually(() => keys().size === 2, 'checks with both keys')
  })

  it('are one for backends with the same key and headers, and separate for others', async () => {
    const url = await bench.server()
    const headers = { 'x-a': '1', 'x-b': '2' }
    watch([
      backendConfig({ url, headers }),
      backendConfig({ url: `${url}/other/v1/`, model: 'x', headers: { 'x-b': '2', 'x-a': '1' } }),
      backendConfig({ url, api_key: 'k' }),
      backendConfig({ url, headers: { 'x-a': '1' } }),
      backendConfig({ url, headers: { 'x-a': '1', 'x-b': '3' } }),
    ])
    await eventually(() => bench.seen.length > 20, 'many checks')
    expect(bench.connections).equal(4)
  })

  it('request the health route below the root, with its query', async () => {
    const url = await bench.server()
    watch([{ ...backendWith({ health_path: '/ready?deep=1' }), url: `${url}/v1` }])
    await eventually(() => bench.seen.length > 0, 'a check')
    expect(bench.seen[0]?.line).equal('GET /ready?deep=1 HTTP/1.1')
  })

  it('stop if the profile has no health route, which readmits a backend that a check has ejected', async () => {
    const url = await bench.server((_req, res) => res.writeHead(500).end())
    const watched = watch([backendConfig({ url })])
    await eventually(() => states().has('unhealthy'), 'a failed check')
    watched.update(modelsOn([{ ...backendWith({ health_path: null }), url }]))
    expect([...states()]).deep.equal(['up'])
    const { length } = bench.seen
    await new Promise(resolve => setTimeout(resolve, 60))
    // One may have been in flight.
    expect(bench.seen.length).most(length + 1)
  })

  it('keep their connection after a reload', async () => {
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

type Seen = { readonly url: string | undefined; readonly headers: http.IncomingHttpHeaders }

describe('backends/health/health-checks: one check', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** A server whose health route answers with `answer.status`; 0: never; -1: it closes the connection. */
  async function server(answer: { status: number }) {
    const seen: Seen[] = []
    const instance = http.createServer((req, res) => {
      seen.push({ url: req.url, headers: req.headers })
      if (answer.status === 0) return
      if (answer.status < 0) return void req.socket.destroy()
      res.writeHead(answer.status).end('ok')
    })
    await new Promise<void>(resolve => instance.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      instance.closeAllConnections()
      instance.close()
    })
    const { port } = instance.address() as AddressInfo
    return { seen, url: `http://127.0.0.1:${port}/v1`, stop: () => instance.close(() => {}).closeAllConnections() }
  }

  function watch(config: BackendConfig, timeoutMs = 30_000) {
    const changes: BackendState[] = []
    const watched = model({}, { backends: [config] })
    const waiting: { readonly state: BackendState; readonly resolve: () => void }[] = []
    const pool = new BackendPool([watched], systemClock, {
      health: { intervalMs: 10, timeoutMs },
      onStateChange: (_, state) => {
        changes.push(state)
        for (const wait of waiting) if (wait.state === state) wait.resolve()
      },
    })
    closing.push(() => pool.close())
    const until = (state: BackendState) => new Promise<void>(resolve => waiting.push({ state, resolve }))
    return { pool, model: watched, changes, until }
  }

  /** Several intervals between two checks. */
  const pause = () => new Promise(resolve => setTimeout(resolve, 60))

  it('requests the health route at the root, with the key and headers of the backend', async () => {
    const { seen, url } = await server({ status: 200 })
    const { changes } = watch(backendConfig({ url, api_key: 'k', headers: { 'X-Team': 't' } }))
    await eventually(() => seen.length > 1, 'a second check')
    expect(seen[0]?.url).equal('/health')
    expect(seen[0]?.headers).include({ authorization: 'Bearer k', 'x-team': 't' })
    expect(changes).deep.equal([])
  })

  for (const [what, bad] of [
    ['errors', 503],
    ['silence', 0],
    ['a broken connection', -1],
  ] as const) {
    it(`ejects a backend by ${what}, and readmits it when a check passes`, async () => {
      const answer: { status: number } = { status: bad }
      const { url } = await server(answer)
      // A server that is silent is ejected by the timeout.
      const { pool, model: watched, until } = watch(backendConfig({ url }), 300)
      await until('unhealthy')
      expect(() => pool.pick(watched, false)).throw('No healthy backend')
      answer.status = 200
      await until('up')
      pool.pick(watched, false)
    })
  }

  it('ejects a server that has stopped', async () => {
    const { url, stop } = await server({ status: 200 })
    stop()
    await watch(backendConfig({ url })).until('unhealthy')
  })

  it('ejects a backend whose headers cannot be sent', async () => {
    const { url } = await server({ status: 200 })
    await watch(backendConfig({ url, api_key: 'a\nb' })).until('unhealthy')
  })

  it('accepts any response but a server error', async () => {
    for (const status of [204, 301, 401, 404]) {
      const { seen, url } = await server({ status })
      const { changes } = watch(backendConfig({ url }))
      // A second request means that the first response was accepted.
      await eventually(() => seen.length > 1, 'a second check')
      expect(changes, String(status)).deep.equal([])
    }
  })

  it('ends with the pool, and when its backend leaves the configuration', async () => {
    for (const stop of [(pool: BackendPool) => pool.close(), (pool: BackendPool) => pool.update([])]) {
      const { seen, url } = await server({ status: 200 })
      const { pool } = watch(backendConfig({ url }))
      await eventually(() => seen.length > 0, 'a check')
      stop(pool)
      // One request may be in flight.
      await pause()
      const { length } = seen
      await pause()
      expect(seen).lengthOf(length)
    }
  })

  it('continues after a reload, with the new values', async () => {
    const { seen, url } = await server({ status: 200 })
    const { pool, model: watched } = watch(backendConfig({ url, api_key: 'old' }))
    await eventually(() => seen.at(-1)?.headers.authorization === 'Bearer old', 'a check')
    pool.update([{ ...watched, backends: [backendConfig({ url, api_key: 'new' })] }])
    await eventually(() => seen.at(-1)?.headers.authorization === 'Bearer new', 'a check with the new key')
  })
})
