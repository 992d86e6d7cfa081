import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { parseConfig } from '../../../lib/config/read.ts'
import { RuntimeRequests } from '../../../lib/internal/requests.ts'
import { type Resources, startResources } from '../../../lib/process/resources.ts'
import { Runtime } from '../../../lib/process/runtime.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../../support/backend.ts'
import { configFile, eventually } from '../../support/gateway.ts'
import { keyOf } from '../../support/key.ts'

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })

describe('lines of batches at backends', () => {
  let dir: string
  let backend: ScriptedBackend
  let resources: Resources
  let runtime: Runtime
  let requests: RuntimeRequests
  /** Requests at the backend without a reply. */
  let open: { readonly priority: unknown; readonly res: ServerResponse; end(): void }[]

  /** Requests that the backend has received. */
  let seen: number

  before(async () => {
    backend = await scriptedBackend((res, request, req) => {
      const one = {
        priority: request.body.priority,
        res,
        end: () => {
          open.splice(open.indexOf(one), 1)
          void reply()(res, request, req)
        },
      }
      open.push(one)
      seen++
      res.on('close', () => open.includes(one) && open.splice(open.indexOf(one), 1))
    })
  })

  after(async () => {
    await backend?.close()
  })

  afterEach(async () => {
    for (const one of [...open]) one.end()
    await runtime.retire(resources.log)
    await resources.close()
    rmSync(dir, { recursive: true, force: true })
  })

  async function start(batches: JsonObject | undefined, at: JsonObject = {}, model: JsonObject = {}): Promise<void> {
    open = []
    seen = 0
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const backends = [{ url: backend.url, model: 'upstream-m', engine: 'vllm', ...at }]
    const file = configFile(dir, {
      backends: [],
      model: { backends, ...model },
      more: batches === undefined ? {} : { batches },
    })
    const config = parseConfig(JSON.stringify(file), { baseDir: dir, env: {}, fileName: 'test.json' })
    resources = await startResources(config)
    runtime = await Runtime.build(await resources.servicesFor(config), resources)
    requests = new RuntimeRequests()
    requests.connect(runtime)
  }

  /** A line. It is sent again if an interactive request has taken its place. */
  function line(number = 1) {
    const abort = new AbortController()
    const events: string[] = []
    const sent = requests.send({
      surface: 'batch',
      route: 'chat',
      body,
      key: keyOf({}),
      signal: abort.signal,
      line: {
        batch: 'batch_1',
        line: number,
        priceFactor: 0.5,
        keep: () => {},
        kept: Promise.resolve(true),
        preempt: () => {
          events.push('preempted')
          abort.abort()
        },
      },
    })
    const ended = sent.then(
      ({ status }) => void events.push(String(status)),
      () => void events.push('cancelled'),
    )
    return { events, ended, abort }
  }

  function interactive() {
    const events: string[] = []
    const ended = requests
      .send({ surface: 'internal', route: 'chat', body, key: keyOf({}) })
      .then(({ status }) => void events.push(String(status)))
    return { events, ended }
  }

  const lines = () => resources.backends.lines.gate

  it('take three quarters of the places of an offline model, and wait for the others', async () => {
    await start({}, { max_concurrency: 4 })
    expect(lines().isOffline('m')).equal(true)
    expect(lines().room('m')).equal(3)
    const all = [1, 2, 3, 4].map(line)
    await eventually(() => open.length === 3)
    await eventually(() => lines().heldBack('m') === 'room')
    expect(lines().waiting('m')).equal(1)
    open[0]!.end()
    await eventually(() => open.length === 3 && lines().waiting('m') === 0)
    while (open.length > 0) open[0]!.end()
    await Promise.all(all.map(({ ended }) => ended))
    expect(all.map(({ events }) => events)).deep.equal([['200'], ['200'], ['200'], ['200']])
  })

  it('wait while interactive requests leave no capacity, and can be cancelled', async () => {
    await start({})
    const question = interactive()
    await eventually(() => open.length === 1)
    expect(lines().isOffline('m')).equal(false)
    const one = line()
    await eventually(() => lines().heldBack('m') === 'growth')
    expect(open.length).equal(1)
    one.abort.abort()
    await one.ended
    expect(lines().waiting('m')).equal(0)
    open[0]!.end()
    await question.ended
  })

  it('have the lowest priority at engines that take one', async () => {
    await start({}, { profile: { priority: 'lower_first' } })
    const one = line()
    await eventually(() => open.length === 1)
    expect(open[0]!.priority).equal(1001)
    open[0]!.end()
    await one.ended
  })

  it('leave the place of the next that ends to an interactive request', async () => {
    await start({ max_share: 1 }, { max_concurrency: 1 })
    const [first, second] = [line(1), line(2)]
    await eventually(() => open.length === 1)
    const question = interactive()
    await eventually(() => resources.backends.pool.waiting('m') === 1)
    open[0]!.end()
    await first.ended
    await eventually(() => open.length === 1)
    expect(second.events).deep.equal([])
    open[0]!.end()
    await question.ended
    expect(question.events).deep.equal(['200'])
    second.abort.abort()
    await second.ended
  })

  it('lose their places at once with preempt, the youngest first', async () => {
    await start({ preempt: true }, { max_concurrency: 3 })
    const [first, second] = [line(1), line(2)]
    await eventually(() => open.length === 2)
    const questions = [interactive(), interactive()]
    await second.ended
    expect(second.events).deep.equal(['preempted', 'cancelled'])
    await eventually(() => seen === 4 && open.length === 3)
    expect(first.events).deep.equal([])
    while (open.length > 0) open[0]!.end()
    await Promise.all([first.ended, ...questions.map(({ ended }) => ended)])
    expect(questions.map(({ events }) => events)).deep.equal([['200'], ['200']])
  })

  it('lose a place to a request that has waited for as long as its queue allows', async () => {
    await start({}, { max_concurrency: 1 }, { queue: { max: 10, max_wait_ms: 300 } })
    const one = line()
    await eventually(() => open.length === 1)
    const question = interactive()
    await one.ended
    expect(one.events).deep.equal(['preempted', 'cancelled'])
    await eventually(() => seen === 2 && open.length === 1)
    open[0]!.end()
    await question.ended
    expect(question.events).deep.equal(['200'])
  })

  it('are counted by a metric', async () => {
    await start({ slots: 5 })
    const one = line()
    await eventually(() => open.length === 1)
    const text = await resources.metrics.registry.getSingleMetricAsString('sluiceway_batch_spare_slots')
    expect(text).contain('sluiceway_batch_spare_slots{model="m"} 4')
    open[0]!.end()
    await one.ended
  })
})
