import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { Queues } from '../../../lib/backends/queue/queues.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { LoopWriteQueue } from '../../../lib/base/write-queue.ts'
import { unlimitedBodies } from '../../../lib/body/bodies.ts'
import type { Config } from '../../../lib/config/config.ts'
import { Admission } from '../../../lib/core/admission.ts'
import { key } from '../../../lib/core/slots.ts'
import { Lines } from '../../../lib/dispatch/lines.ts'
import { failure, toGatewayError } from '../../../lib/errors/errors.ts'
import type { BootError } from '../../../lib/process/boot.ts'
import { Runtime, Runtimes, refusalCounter } from '../../../lib/process/runtime.ts'
import { Routing } from '../../../lib/routing/routing.ts'
import { testServices } from '../../../lib/testing.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { notedExchange } from '../../support/exchange.ts'
import { keyOf } from '../../support/key.ts'

/** A plugin that notes when it is set up and closed. */
const PLUGIN = `
export const seen = []
export default {
  name: 'a',
  summary: '',
  routes: { route: ['landing'] },
  setup() {
    seen.push('+a')
    return { close: async () => void seen.push('-a') }
  },
}
`

describe('runtime', () => {
  let dir: string
  let seen: string[]
  let lines: Record<string, unknown>[]
  let log: Logger

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    writeFileSync(join(dir, 'a.mjs'), PLUGIN)
    seen = ((await import(join(dir, 'a.mjs'))) as { seen: string[] }).seen
  })

  beforeEach(() => {
    seen.length = 0
    lines = []
    log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  })

  after(() => rmSync(dir, { recursive: true, force: true }))

  const sharedWith = (config: Config) => {
    const metrics = new Metrics()
    const pool = new BackendPool(config.models, systemClock, { health: null })
    const routing = new Routing({ clock: systemClock, metrics, tokens: new TokenRatios() })
    const queues = new Queues({ clock: systemClock, metrics })
    const lines = new Lines({ pool, routing, metrics, now: systemClock.monotonic })
    return {
      backends: { pool, routing, queues, lines },
      writes: new LoopWriteQueue(),
      bodies: unlimitedBodies(),
      admissionControl: { admission: new Admission() },
    }
  }

  /** A runtime with these plugins, and one that notes when it is set up and closed. */
  function build(more = '', chain = 'auth, validate, translate, model') {
    const plugins = [...chain.split(', '), './a.mjs'].map(use => ({ use }))
    const config = configOf(`${MODEL}\nplugins: ${JSON.stringify(plugins)}\n${more}`, {}, dir)
    return Runtime.build(testServices([], { config, log }), sharedWith(config))
  }

  it('sets nothing up where the chain cannot run', async () => {
    const error = await build('', 'auth, translate, validate, model').catch((thrown: unknown) => thrown)
    expect((error as BootError).problems.join('\n')).contain("'translate' must come after 'validate'")
    expect(seen).deep.equal([])
  })

  it('logs what is worth a line', async () => {
    await build()
    expect(lines.every(({ level }) => level === 40)).equal(true)
    expect(lines.map(({ msg }) => msg).join('\n')).contain("The built-in plugin 'zdr' is not in your chain")
  })

  it('waits for the last exchange before it closes', async () => {
    const runtime = await build()
    const [one, other] = [notedExchange().exchange, notedExchange().exchange]
    runtime.enter(one)
    runtime.enter(other)
    expect(runtime.exchanges).equal(2)
    const retired = runtime.retire(log)
    runtime.leave(one)
    await new Promise(setImmediate)
    expect(seen).deep.equal(['+a'])
    runtime.leave(other)
    await retired
    expect(seen).deep.equal(['+a', '-a'])
    expect(runtime.exchanges).equal(0)
  })

  it('waits for hooks of clients that have disconnected, but not without end', async () => {
    const runtime = await build()
    const [pending, streaming] = [notedExchange().exchange, notedExchange().exchange]
    for (const exchange of [pending, streaming]) runtime.enter(exchange)
    pending.gone = true
    lines.length = 0
    const retired = runtime.retire(log, 50)
    await new Promise(resolve => setTimeout(resolve, 150))
    expect(seen, 'another exchange has its client').deep.equal(['+a'])
    streaming.gone = true
    const started = performance.now()
    await retired
    expect(performance.now() - started).least(30)
    expect(seen).deep.equal(['+a', '-a'])
    expect(lines).lengthOf(1)
    expect(lines[0]).include({ level: 50, exchanges: 2 })
  })

  it('knows where errors are documented, with and without a slash at the end', async () => {
    expect((await build()).host.docsBase).equal(null)
    for (const url of ['https://docs.test/errors', 'https://docs.test/errors/'])
      expect((await build(`docs_url: ${url}`)).host.docsBase).equal('https://docs.test/errors/')
  })

  it('reports a fault with its stack and with what was running', async () => {
    const { host } = await build()
    const { exchange } = notedExchange()
    lines.length = 0
    host.fault(exchange, new TypeError('broken'), 'acme')
    expect(lines[0]).include({ level: 50, plugin: 'acme', route: 'chat', request_id: exchange.requestId })
    expect((lines[0]!.err as { stack: string }).stack).contain('runtime.test.ts')
  })

  it('counts refusals by who refused and by code', async () => {
    const metrics = new Metrics()
    const counter = refusalCounter(metrics)
    expect(refusalCounter(metrics)).equal(counter)
    const config = configOf(`${MODEL}\nplugins: [{ use: auth }, { use: validate }, { use: translate }, { use: model }]`)
    const { host } = await Runtime.build(testServices([], { config, metrics, log }), sharedWith(config))
    host.refused(toGatewayError(failure('invalid_api_key', {}), 'auth'))
    expect(await metrics.registry.metrics()).contain('sluiceway_refusals_total{plugin="auth",code="invalid_api_key"} 1')
  })

  it('has a chain for every route on every surface, and one for requests that match none', async () => {
    const { router } = await build('hosts: { gateway: [g.test], api: [a.test] }')
    const of = (method: string, path: string, host: string) => router.match(method, path, { host }).match
    expect(of('POST', '/v1/messages', 'g.test').chain.format.name).equal('messages')
    expect(of('POST', '/v1/messages', 'g.test').chain.body.map(({ plugin }) => plugin)).deep.equal([
      'validate',
      'translate',
      'model',
    ])
    expect(of('GET', '/', 'a.test').chain.headers).deep.equal([])
    expect(of('GET', '/none', 'a.test').route.name).equal('unmatched')
  })

  it('ends the exchanges of erased accounts: with an error if a backend works for them', async () => {
    const runtimes = new Runtimes(await build(), log)
    const ended: string[] = []
    const enter = (account: string, isSent: boolean) => {
      const { exchange } = notedExchange()
      exchange.set(key, keyOf({ id: account }))
      exchange.res.destroy = () => {
        ended.push(`${account} closed`)
        return exchange.res
      }
      if (isSent) exchange.upstream.work = { cancel() {}, fail: ({ code }) => void ended.push(`${account} ${code}`) }
      runtimes.current.enter(exchange)
      return exchange
    }
    const all = [enter('a', true), enter('a', false), enter('b', true), enter('b', false)]
    runtimes.endAccounts(new Set(['a', 'c']))
    await new Promise(setImmediate)
    expect(ended).have.members(['a invalid_api_key', 'a closed'])
    for (const exchange of all) runtimes.current.leave(exchange)
    await runtimes.close()
  })

  describe('of a gateway that reloads', () => {
    it('is replaced for new requests, and retires after its last exchange', async () => {
      const [first, second] = [await build(), await build()]
      const runtimes = new Runtimes(first, log)
      const { exchange } = notedExchange()
      first.enter(exchange)
      runtimes.replace(second)
      expect(runtimes.current).equal(second)
      await new Promise(setImmediate)
      expect(seen).deep.equal(['+a', '+a'])
      first.leave(exchange)
      await new Promise(setImmediate)
      expect(seen).deep.equal(['+a', '+a', '-a'])
      await runtimes.close()
      expect(seen).deep.equal(['+a', '+a', '-a', '-a'])
    })
  })
})
