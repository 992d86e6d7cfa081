import { expect } from 'chai'
import { operatorKey } from '../../../lib/accounts/access.ts'
import { compile } from '../../../lib/core/chain.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { type BodyPhase, definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { batchLine, key } from '../../../lib/core/slots.ts'
import { fail } from '../../../lib/errors/errors.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { RuntimeRequests } from '../../../lib/internal/requests.ts'
import { readingSteps } from '../../../lib/lifecycle/lifecycle.ts'
import type { Route, Surface } from '../../../lib/routes/routes.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { notedExchange } from '../../support/exchange.ts'

/** A runtime whose chain is one plugin, and the exchanges that have entered and left it. */
function scene(hooks: Hooks<typeof key>) {
  const config = configOf(MODEL)
  const entered: Exchange[] = []
  const left: Exchange[] = []
  const plugin = definePlugin({ name: 'one', summary: '', setup: () => hooks })
  const runtime = {
    config,
    host: notedExchange().exchange.host,
    router: undefined as never,
    dispatcher: undefined as never,
    enter: (exchange: Exchange) => void entered.push(exchange),
    leave: (exchange: Exchange) => void left.push(exchange),
    chainOf: (route: Route, surface: Surface) =>
      compile([{ plugin, hooks: hooks as Hooks }], route, surface, formatOf(route.format), readingSteps(route, config)),
  }
  const requests = new RuntimeRequests()
  requests.connect(runtime)
  return { requests, entered, left }
}

const caller = operatorKey('guard', { zdrRequired: false })
const question = { surface: 'internal', route: 'chat', body: '{"model":"m"}', key: caller } as const

describe('internal requests', () => {
  it('run through the chain of their route and surface, with their key, headers and body', async () => {
    const seen: Partial<BodyPhase>[] = []
    const { requests, entered, left } = scene({
      onBody(exchange) {
        const { surface, route, endpoint, origin, body } = exchange
        expect(exchange.find(key)).equal(caller)
        seen.push({ surface, route, endpoint, origin, body })
        exchange.reply(201, { text: 'ä' })
      },
    })
    const reply = await requests.send({ ...question, headers: { host: 'api.test' } })
    expect(reply).include({ status: 201, body: '{"text":"ä"}' })
    expect(reply.requestId).match(/^req_[0-9a-f]{12}$/)
    expect(seen).length(1)
    expect(seen[0]).deep.include({
      surface: 'internal',
      endpoint: null,
      origin: 'http://api.test',
      body: { model: 'm' },
    })
    expect(seen[0]!.route!.name).equal('chat')
    expect(entered).length(1)
    expect(left).deep.equal(entered)
  })

  it('carry the line of a batch that they run', async () => {
    const line = { batch: 'batch_1', line: 3, priceFactor: 0.5, keep: () => {}, kept: Promise.resolve(true) }
    const { requests, entered } = scene({ onBody: exchange => exchange.reply(200, {}) })
    await requests.send(question)
    await requests.send({ ...question, surface: 'batch', line })
    expect(entered.map(exchange => exchange.find(batchLine))).deep.equal([undefined, line])
  })

  it('count for no admission limit', async () => {
    const { requests, entered } = scene({ onBody: exchange => exchange.reply(200, {}) })
    await requests.send(question)
    expect(entered[0]!.admitted).equal(null)
  })

  it('are answered with refusals, also with those of the body', async () => {
    const { requests } = scene({ onBody: () => fail('model_not_found', { model: 'm', available: 'none' }) })
    const refused = await requests.send(question)
    expect(refused.status).equal(404)
    expect(JSON.parse(refused.body)).nested.property('error.code', 'model_not_found')
    const broken = await requests.send({ ...question, body: '{' })
    expect(broken.status).equal(400)
    expect(JSON.parse(broken.body)).nested.property('error.code', 'invalid_json_request')
  })

  it('have the envelope of their format', async () => {
    const { requests } = scene({ onHeaders: () => fail('invalid_api_key', {}) })
    const refused = await requests.send({ ...question, route: 'messages' })
    expect(JSON.parse(refused.body)).include({ type: 'error' })
  })

  it('end when they are cancelled', async () => {
    const abort = new AbortController()
    let isGone = false
    const { requests, left } = scene({
      onBody: exchange =>
        new Promise(resolve => {
          exchange.signal.addEventListener('abort', () => {
            isGone = true
            resolve()
          })
          abort.abort()
        }),
    })
    const thrown: unknown = await requests.send({ ...question, signal: abort.signal }).catch(error => error)
    expect(thrown).instanceOf(Error)
    expect(isGone).equal(true)
    await new Promise(resolve => setImmediate(resolve))
    expect(left).length(1)
    expect(() => requests.send({ ...question, signal: abort.signal })).throw()
  })

  it('go to routes with a backend only, and not before there is a runtime', async () => {
    const { requests } = scene({})
    for (const [sent, route] of [
      [requests, 'model-list'],
      [requests, 'transcriptions'],
      [new RuntimeRequests(), 'chat'],
    ] as const) {
      const thrown: unknown = await sent.send({ ...question, route }).catch(error => error)
      expect(thrown).instanceOf(Error)
    }
  })
})
