import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import type { CanonicalRequest } from '../../../lib/canonical/request.ts'
import type { ModelConfig } from '../../../lib/config/config.ts'
import { Mirrors } from '../../../lib/dispatch/mirrors.ts'
import { release } from '../../../lib/engines/encode/request.ts'
import { type ResponseHandler, TransportError, type UpstreamRequest } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model, targetOf, tool } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'

const MAX_BYTES = 64 * 1024
const MAX_IN_FLIGHT = 64

type Offered = Parameters<Mirrors['offer']>[0]

interface Sent {
  readonly request: UpstreamRequest
  readonly handler: ResponseHandler
  readonly body: string
  cancelled: boolean
}

const tick = () => new Promise(resolve => setImmediate(resolve))

describe('dispatch/mirrors', () => {
  const open: Mirrors[] = []
  afterEach(() => {
    for (const mirrors of open.splice(0)) mirrors.close()
  })

  function setUp(percent: number, members: Partial<ModelConfig> = {}, firstByteMs = 60_000) {
    const own = model({}, { id: 'm', mirror: { to: 'next', percent } })
    const next = model({}, { id: 'next', backends: [backendConfig({ model: 'next-up' })], ...members })
    const pool = new BackendPool([own, next], new ManualClock(), { health: null })
    const sent: Sent[] = []
    const outcomes: string[] = []
    const timeouts = { first_byte_ms: firstByteMs } as never
    const mirrors = new Mirrors({
      config: { models: [own, next], timeouts },
      pool,
      client: () => ({
        send(request, handler) {
          const bytes = request.body!.open() as Buffer
          const one: Sent = { request, handler, body: bytes.toString(), cancelled: false }
          sent.push(one)
          const cancel = () => {
            one.cancelled = true
          }
          return { isSent: true, pause() {}, resume() {}, cancel, release() {} }
        },
      }),
      onMirrored: (of, outcome) => void outcomes.push(`${of} ${outcome}`),
    })
    open.push(mirrors)
    const offer = (members: Partial<Offered> = {}) =>
      mirrors.offer({
        request: chatRequest(),
        target: targetOf(own),
        path: '/chat/completions',
        id: '0123456789abcdef',
        bytes: 100,
        ...members,
      })
    const inFlight = () => pool.snapshot().find(({ model }) => model === 'next')!
    return { own, mirrors, sent, outcomes, offer, inFlight, pool }
  }

  it('sends every twentieth request for 5 percent, and all for 100', async () => {
    for (const [percent, count, expected] of [
      [5, 100, 5],
      [100, 7, 7],
      [0.1, 3000, 3],
      [33, 100, 33],
      [0, 100, 0],
    ] as const) {
      const { offer, sent } = setUp(percent)
      for (let i = 0; i < count; i++) {
        offer()
        await tick()
        sent.at(-1)?.handler.onEnd()
      }
      expect(sent, `${percent} %`).lengthOf(expected)
    }
  })

  it('sends the request in the form for the other backend, although the caller releases it', async () => {
    const { offer, sent, own } = setUp(100)
    const request: CanonicalRequest = chatRequest({ tools: [tool()], messages: [{ role: 'user', content: 'secret' }] })
    offer({ request, target: { ...targetOf(own), cacheSalt: 'salt', priority: 9 } })
    release(request)
    expect(sent, 'in the tick of the client').deep.equal([])
    await tick()
    expect(sent[0]!.request).include({ method: 'POST', path: '/chat/completions', requestId: 'mirror-456789abcdef' })
    const body = JSON.parse(sent[0]!.body)
    expect(body).include({ model: 'next-up', cache_salt: 'salt' }).and.not.have.property('priority')
    expect(body.messages).deep.equal([{ role: 'user', content: 'secret' }])
    expect(body.tools[0].function.parameters).deep.equal({ type: 'object', properties: {} })
  })

  it('mirrors no requests with zero data retention, and none to models without a mirror', async () => {
    const { offer, sent, own, outcomes } = setUp(100)
    offer({ target: targetOf(own, true) })
    offer({ target: targetOf(model({}, { id: 'other' })) })
    await tick()
    expect(sent).deep.equal([])
    expect(outcomes).deep.equal([])
  })

  it('drops and counts requests above its limits', async () => {
    const { offer, sent, outcomes, inFlight } = setUp(100)
    offer({ bytes: MAX_BYTES + 1 })
    expect(outcomes).deep.equal(['m too_large'])
    for (let i = 0; i < MAX_IN_FLIGHT + 3; i++) offer()
    await tick()
    expect(sent).lengthOf(MAX_IN_FLIGHT)
    expect(inFlight().inFlight).equal(MAX_IN_FLIGHT)
    expect(outcomes.filter(one => one === 'm dropped')).lengthOf(3)
    sent[0]!.handler.onEnd()
    offer()
    await tick()
    expect(sent).lengthOf(MAX_IN_FLIGHT + 1)
  })

  it('is no evidence about a backend, and releases its leases', async () => {
    const { offer, sent, outcomes, inFlight } = setUp(100)
    for (let i = 0; i < 10; i++) {
      offer()
      await tick()
      const { handler } = sent.at(-1)!
      if (i % 2 === 0) handler.onError(new TransportError('connect', new Error('refused')))
      else {
        handler.onHead(500, {})
        handler.onData(Buffer.from('{}'))
        handler.onEnd()
      }
    }
    expect(new Set(outcomes)).deep.equal(new Set(['m failed']))
    expect(inFlight()).deep.include({ inFlight: 0 })
    expect(inFlight().backends[0]).include({ state: 'up', inFlight: 0 })
    offer()
    await tick()
    sent.at(-1)!.handler.onHead(200, {})
    sent.at(-1)!.handler.onEnd()
    expect(outcomes.at(-1)).equal('m ok')
  })

  it('sends nothing without capacity', async () => {
    const { offer, sent, outcomes } = setUp(100, { max_concurrency: 1 })
    offer()
    offer()
    await tick()
    expect(sent).lengthOf(1)
    expect(outcomes).deep.equal(['m no_backend'])
  })

  it('cancels a reply that takes too long', async () => {
    const { offer, sent, outcomes } = setUp(100, {}, 5)
    offer()
    await eventually(() => outcomes.length === 1)
    expect(outcomes).deep.equal(['m timeout'])
    expect(sent[0]!.cancelled).equal(true)
  })

  it('cancels requests on close(), and sends no more', async () => {
    const { offer, sent, outcomes, mirrors } = setUp(100)
    offer()
    await tick()
    offer()
    mirrors.close()
    offer()
    await tick()
    expect(sent).lengthOf(1)
    expect(sent[0]!.cancelled).equal(true)
    expect(outcomes).deep.equal(['m cancelled', 'm cancelled'])
  })
})
