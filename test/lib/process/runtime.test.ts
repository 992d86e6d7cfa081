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
import { Admission } from '../../../lib/core/admission.ts'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { failure, toGatewayError } from '../../../lib/errors/errors.ts'
import { BootError, Runtime, refusalCounter, trySetUp } from '../../../lib/process/runtime.ts'
import { Routing } from '../../../lib/routing/routing.ts'
import { testServices } from '../../../lib/testing.ts'
import { TokenRatios } from '../../../lib/tokens/token-ratios.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { notedExchange } from '../../support/exchange.ts'

/** A plugin that notes when it is set up and closed, and fails where `fault` says so. */
const PLUGIN = `
export const seen = []
export const plugin = name => ({
  name,
  summary: '',
  routes: { route: ['landing'] },
  options: { type: 'object', properties: { fails: { enum: ['setup', 'close', 'misspelt', 'async'] } } },
  async setup({ fails }, services) {
    if (fails === 'setup') throw new Error('no licence')
    seen.push('+' + name)
    return {
      ...(fails === 'misspelt' && { onRequest() {} }),
      ...(fails === 'async' && { async onFinish() {} }),
      async close() {
        seen.push('-' + name)
        if (fails === 'close') throw new Error('cannot close')
      },
    }
  },
})
`

describe('runtime', () => {
  let dir: string
  let seen: string[]
  let lines: Record<string, unknown>[]
  let log: Logger

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    writeFileSync(join(dir, 'shared.mjs'), PLUGIN)
    for (const name of ['a', 'b', 'c'])
      writeFileSync(
        join(dir, `${name}.mjs`),
        `import { plugin } from './shared.mjs'\nexport default plugin('${name}')\n`,
      )
    seen = ((await import(join(dir, 'shared.mjs'))) as { seen: string[] }).seen
  })

  beforeEach(() => {
    seen.length = 0
    lines = []
    log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  })

  after(() => rmSync(dir, { recursive: true, force: true }))

  /** The default chain and these plugins, with where each fails. */
  function build(
    own: Readonly<Record<string, string | undefined>> = {},
    more = '',
    chain = 'auth, validate, translate, model',
  ) {
    const plugins = [
      ...chain.split(', ').map(use => ({ use })),
      ...Object.entries(own).map(([name, fails]) => ({
        use: `./${name}.mjs`,
        options: fails === undefined ? {} : { fails },
      })),
    ]
    const config = configOf(`${MODEL}\nplugins: ${JSON.stringify(plugins)}\n${more}`, {}, dir)
    const pool = new BackendPool(config.models, systemClock, { health: null })
    return Runtime.build(testServices([], { config, log }), {
      pool,
      writes: new LoopWriteQueue(),
      bodies: unlimitedBodies(),
      admissionControl: { admission: new Admission() },
      routing: new Routing({ clock: systemClock, metrics: new Metrics(), tokens: new TokenRatios() }),
      queues: new Queues({ clock: systemClock, metrics: new Metrics() }),
    })
  }

  it('sets plugins up from top to bottom and closes them from bottom to top', async () => {
    const runtime = await build({ a: undefined, b: undefined, c: undefined })
    expect(seen).deep.equal(['+a', '+b', '+c'])
    await runtime.retire(log)
    expect(seen.slice(3)).deep.equal(['-c', '-b', '-a'])
  })

  it('closes what was set up when another cannot be', async () => {
    const error = await build({ a: undefined, b: 'close', c: 'setup' }).catch((thrown: unknown) => thrown)
    expect(error).instanceOf(BootError)
    expect((error as BootError).problems).deep.equal(["line 6: plugin 'c' could not be set up: no licence"])
    expect(seen).deep.equal(['+a', '+b', '-b', '-a'])
  })

  it('refuses hooks that would never run, or whose promise would not be awaited', async () => {
    const problemsOf = async (fails: string) =>
      ((await build({ a: fails }).catch((thrown: unknown) => thrown)) as BootError).problems
    expect(await problemsOf('misspelt')).deep.equal([
      "line 6: plugin 'a' could not be set up: there is no hook 'onRequest'; there are onHeaders, onBody, onAttempt, onSend, onFinish.",
    ])
    expect(await problemsOf('async')).deep.equal([
      "line 6: plugin 'a' could not be set up: 'onFinish' is not awaited: make it an ordinary function.",
    ])
    expect(seen).deep.equal(['+a', '-a', '+a', '-a'])
  })

  it('logs what fails to close, and closes the rest', async () => {
    const runtime = await build({ a: undefined, b: 'close' })
    lines.length = 0
    await runtime.retire(log)
    expect(seen.slice(2)).deep.equal(['-b', '-a'])
    expect(lines).lengthOf(1)
    expect(lines[0]).include({ level: 50, plugin: 'b', msg: 'a plugin failed to close' })
  })

  describe('a plugin that does not return', () => {
    const patience = { setupMs: 30, closeMs: 30 }
    const planned = (name: string, setup: () => Hooks | Promise<Hooks>) => ({
      plugin: definePlugin({ name, summary: '', setup }),
      options: {},
    })

    it('from setup is abandoned, and closed when it returns too late', async () => {
      let come: (hooks: Hooks) => void = () => {}
      const late = planned('late', () => new Promise<Hooks>(resolve => (come = resolve)))
      const error = await trySetUp([late], testServices([], { log }), patience).catch((thrown: unknown) => thrown)
      expect((error as BootError).problems).deep.equal([
        "plugin 'late' could not be set up: it did not finish within 0.03 s.",
      ])
      const closed = new Promise<void>(resolve => come({ close: async () => resolve() }))
      await closed
    })

    it('from close does not keep others from closing', async () => {
      const first = planned('first', () => ({ close: async () => void seen.push('-first') }))
      const stuck = planned('stuck', () => ({ close: () => new Promise<void>(() => {}) }))
      await trySetUp([first, stuck], testServices([], { log }), patience)
      expect(seen).deep.equal(['-first'])
      expect(lines.at(-1)).include({ plugin: 'stuck', msg: 'a plugin failed to close' })
    })
  })

  it('requires setup to return hooks, even if none', async () => {
    const nothing = definePlugin({ name: 'nothing', summary: '', setup: () => undefined as unknown as Hooks })
    const error = await trySetUp([{ plugin: nothing, options: {} }], testServices([], { log })).catch(thrown => thrown)
    expect((error as BootError).problems).deep.equal([
      "plugin 'nothing' could not be set up: its setup returned no hooks; return {} where there are none.",
    ])
  })

  it('sets nothing up where the chain cannot run', async () => {
    const error = await build({ a: undefined }, '', 'auth, translate, validate, model').catch(
      (thrown: unknown) => thrown,
    )
    expect((error as BootError).problems.join('\n')).contain("'translate' must come after 'validate'")
    expect(seen).deep.equal([])
  })

  it('logs what is worth a line', async () => {
    await build()
    expect(lines.every(({ level }) => level === 40)).equal(true)
    expect(lines.map(({ msg }) => msg).join('\n')).contain("The built-in plugin 'zdr' is not in your chain")
  })

  it('waits for the last exchange before it closes', async () => {
    const runtime = await build({ a: undefined })
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
    const runtime = await build({ a: undefined })
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
      expect((await build({}, `docs_url: ${url}`)).host.docsBase).equal('https://docs.test/errors/')
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
    const pool = new BackendPool(config.models, systemClock, { health: null })
    const { host } = await Runtime.build(testServices([], { config, metrics, log }), {
      pool,
      bodies: unlimitedBodies(),
      admissionControl: { admission: new Admission() },
      routing: new Routing({ clock: systemClock, metrics: new Metrics(), tokens: new TokenRatios() }),
      writes: new LoopWriteQueue(),
      queues: new Queues({ clock: systemClock, metrics: new Metrics() }),
    })
    host.refused(toGatewayError(failure('invalid_api_key', {}), 'auth'))
    expect(await metrics.registry.metrics()).contain('sluiceway_refusals_total{plugin="auth",code="invalid_api_key"} 1')
  })

  it('has a chain for every route on every surface, and one for requests that match none', async () => {
    const { router } = await build({ a: undefined }, 'hosts: { gateway: [g.test], api: [a.test] }')
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
})
