import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { BackendPool, type BackendState } from '../../../../lib/backends/pool.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import type { BackendConfig } from '../../../../lib/config/config.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model as modelConfig } from '../../../support/canonical.ts'
import { eventually } from '../../../support/gateway.ts'

type Seen = { readonly url: string | undefined; readonly headers: http.IncomingHttpHeaders }

describe('health checks', () => {
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  /** A server whose health page answers with `answer.status`; 0: never, -1: by hanging up. */
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

  function watch(config: BackendConfig) {
    const changes: BackendState[] = []
    const model = modelConfig({}, { backends: [config] })
    const waiting: { readonly state: BackendState; readonly resolve: () => void }[] = []
    const pool = new BackendPool([model], systemClock, {
      health: { intervalMs: 10, timeoutMs: 300 },
      onStateChange: (_, state) => {
        changes.push(state)
        for (const wait of waiting) if (wait.state === state) wait.resolve()
      },
    })
    closing.push(() => pool.close())
    const until = (state: BackendState) => new Promise<void>(resolve => waiting.push({ state, resolve }))
    return { pool, model, changes, until }
  }

  /** Several times the interval between two checks. */
  const pause = () => new Promise(resolve => setTimeout(resolve, 60))

  it('request the health route at the root, with the key and headers of the backend', async () => {
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
    it(`eject by ${what} and readmit when it succeeds again`, async () => {
      const answer: { status: number } = { status: bad }
      const { url } = await server(answer)
      const { pool, model, until } = watch(backendConfig({ url }))
      await until('unhealthy')
      expect(() => pool.pick(model, false)).throw('No healthy backend')
      answer.status = 200
      await until('up')
      pool.pick(model, false)
    })
  }

  it('eject a server that has stopped', async () => {
    const { url, stop } = await server({ status: 200 })
    stop()
    await watch(backendConfig({ url })).until('unhealthy')
  })

  it('eject a backend whose headers cannot be sent', async () => {
    const { url } = await server({ status: 200 })
    await watch(backendConfig({ url, api_key: 'a\nb' })).until('unhealthy')
  })

  it('accept any response but a server error', async () => {
    for (const status of [204, 301, 401, 404]) {
      const { seen, url } = await server({ status })
      const { changes } = watch(backendConfig({ url }))
      // A second request means that the first response was accepted.
      await eventually(() => seen.length > 1, 'a second check')
      expect(changes, String(status)).deep.equal([])
    }
  })

  it('end with the pool, and with a backend that left the configuration', async () => {
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

  it('continue across a new configuration, with its values', async () => {
    const { seen, url } = await server({ status: 200 })
    const { pool, model } = watch(backendConfig({ url, api_key: 'old' }))
    await eventually(() => seen.at(-1)?.headers.authorization === 'Bearer old', 'a check')
    pool.update([{ ...model, backends: [backendConfig({ url, api_key: 'new' })] }])
    await eventually(() => seen.at(-1)?.headers.authorization === 'Bearer new', 'a check with the new key')
  })
})
