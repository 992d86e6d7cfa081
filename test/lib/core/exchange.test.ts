import { expect } from 'chai'
import { docsUrl } from '../../../lib/core/exchange.ts'
import { slot } from '../../../lib/core/slots.ts'
import { failure } from '../../../lib/errors/errors.ts'
import type { Surface } from '../../../lib/routes/routes.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'

const note = slot('exchange-test').of<string | null>()

const exchangeWith = (place?: Place) => notedExchange(place).exchange

const HEX = /^[0-9a-f]{12}$/
const idOf = (surface: Surface, fromClient?: string) =>
  exchangeWith({ surface, ...(fromClient === undefined ? null : { headers: { 'x-request-id': fromClient } }) })
    .requestId

describe('exchange', () => {
  // docs/api/README.md#request-ids, docs/DESIGN.md#request-ids
  describe('request id', () => {
    it('is req_ and 12 hex digits on the gateway and the management API, the last 12 of its UUID', () => {
      for (const surface of ['gateway', 'api'] as const) {
        const { id, requestId } = exchangeWith({ surface })
        expect(requestId).match(/^req_[0-9a-f]{12}$/)
        expect(id).match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(id.slice(-12)).equal(requestId.slice(4))
      }
    })

    it('is bare on a dedicated host, whatever the client sends', () => {
      expect(idOf('dedicated')).match(HEX)
      expect(idOf('dedicated', 'mine')).match(HEX)
    })

    it("is the client's own with client_ before it", () => {
      for (const own of ['a', 'A-b_c.9', 'x'.repeat(128)]) expect(idOf('gateway', own)).equal(`client_${own}`)
      expect(idOf('api', 'mine')).equal('client_mine')
    })

    it('is our own when the client sends anything else', () => {
      for (const own of ['', 'x'.repeat(129), 'a b', 'a\tb', 'é', 'a/b', 'a,b', 'a\n', 'req:1', '<script>'])
        expect(idOf('gateway', own), own).match(/^req_[0-9a-f]{12}$/)
    })

    it('keeps our own UUID beside the one of the client', () => {
      const one = exchangeWith({ headers: { 'x-request-id': 'mine' } })
      const two = exchangeWith({ headers: { 'x-request-id': 'mine' } })
      expect(one.id).not.equal(two.id)
    })
  })

  describe('slots', () => {
    it('hold what was put in, null included', () => {
      const exchange = exchangeWith()
      exchange.set(note, 'a')
      expect(exchange.get(note)).equal('a')
      exchange.set(note, null)
      expect(exchange.get(note)).equal(null)
    })

    it('that are empty can be looked for, and are a fault when needed', () => {
      const exchange = exchangeWith()
      expect(exchange.find(note)).equal(undefined)
      expect(() => exchange.get(note)).throw("slot 'exchange-test' is empty")
    })

    it('belong to one exchange', () => {
      exchangeWith().set(note, 'a')
      expect(exchangeWith().find(note)).equal(undefined)
    })
  })

  describe('decisions that it is held for', () => {
    const refusal = (problem: string) => failure('http_404', { problem })
    const problemOf = async (work: Promise<void> | void) => {
      try {
        await work
      } catch (error) {
        return error
      }
    }

    it('are none where nothing has to be waited for', () => {
      const exchange = exchangeWith()
      exchange.holdUntil(undefined)
      expect([exchange.held, exchange.decided()]).deep.equal([false, undefined])
    })

    it('are over when all of them have come', async () => {
      const exchange = exchangeWith()
      const come: (() => void)[] = []
      for (let i = 0; i < 2; i++) exchange.holdUntil(new Promise(resolve => come.push(resolve)))
      const decided = exchange.decided()
      for (const one of come.reverse()) {
        expect(exchange.held).equal(true)
        one()
        await new Promise(setImmediate)
      }
      await decided
      expect(exchange.held).equal(false)
    })

    it('refuse with the topmost, and are waited for to the last', async () => {
      const exchange = exchangeWith()
      let last = false
      exchange.plugin = 'first'
      exchange.holdUntil(new Promise((_, reject) => setTimeout(() => reject(refusal('/a')), 20)))
      exchange.plugin = 'second'
      exchange.holdUntil(Promise.reject(refusal('/b')))
      exchange.holdUntil(
        new Promise(resolve =>
          setTimeout(() => {
            last = true
            resolve()
          }, 40),
        ),
      )
      // Also when it is asked again.
      for (let i = 0; i < 2; i++) {
        exchange.plugin = 'another'
        expect(await problemOf(exchange.decided())).include({ message: refusal('/a').message })
        expect([exchange.plugin, last]).deep.equal(['first', true])
      }
    })
  })

  describe('a client that leaves', () => {
    it('aborts what waits, whether the signal was asked for before or after', () => {
      const before = exchangeWith()
      const { signal } = before
      let stopped = 0
      before.waiting = { abandon: () => void stopped++, giveUp: () => {} }
      before.leave()
      expect([signal.aborted, before.gone, stopped]).deep.equal([true, true, 1])
      const after = exchangeWith()
      after.leave()
      expect(after.signal.aborted).equal(true)
    })

    it('aborts nothing while it is there', () => {
      expect(exchangeWith().signal.aborted).equal(false)
    })
  })

  it('measures on the clock that never jumps, and stops at its end', () => {
    const clock = new ManualClock()
    const exchange = exchangeWith({ clock })
    expect(exchange.upstreamMs).equal(null)
    clock.advance(10)
    exchange.upstreamStartedMono = clock.monotonic()
    clock.advance(30)
    expect([exchange.durationMs, exchange.upstreamMs]).deep.equal([40, 30])
    exchange.upstreamEndedMono = clock.monotonic()
    exchange.finishedMono = clock.monotonic() + 5
    clock.advance(1000)
    expect([exchange.durationMs, exchange.upstreamMs]).deep.equal([45, 30])
  })

  // docs/api/errors.md#envelope
  describe('error body', () => {
    const refusal = failure('unsupported_feature', { model: 'm', feature: 'n' }, { param: 'n' })

    it('has every member of the envelope', () => {
      const exchange = exchangeWith({ headers: { host: 'pass.test:8080', 'x-request-id': 'mine' } })
      expect(exchange.errorBody(refusal)).deep.equal({
        type: 'invalid_request_error',
        code: 'unsupported_feature',
        message: "Model 'm' does not support n.",
        param: 'n',
        request_id: 'client_mine',
        docs_url: 'http://pass.test:8080/docs/errors/unsupported_feature',
      })
    })

    it('has no param where none applies, and the members of its code beside the others', () => {
      const body = exchangeWith().errorBody(failure('backend_timeout', { model: 'm' }, { extra: { model: 'm' } }))
      expect(body).not.have.property('param')
      expect(body).include({ code: 'backend_timeout', model: 'm' })
    })

    it("names the member in the client's own format, unless it already does", () => {
      const canonical = failure('unsupported_feature', { model: 'm', feature: 'x' }, { param: 'tools.0.function.name' })
      expect(exchangeWith({ route: 'messages' }).errorBody(canonical).param).equal('tools.0.name')
      expect(exchangeWith({ route: 'chat' }).errorBody(canonical).param).equal('tools.0.function.name')
      const own = failure(
        'unsupported_feature',
        { model: 'm', feature: 'x' },
        { param: 'tools.0.function.name', ownParam: true },
      )
      expect(exchangeWith({ route: 'messages' }).errorBody(own).param).equal('tools.0.function.name')
    })

    it('points to the configured documentation, else to the host the client has reached', () => {
      const exchange = exchangeWith({ docsBase: 'https://docs.test/errors/', headers: { host: 'pass.test' } })
      expect(exchange.errorBody(refusal).docs_url).equal('https://docs.test/errors/unsupported_feature')
      const own = (secure: boolean) => docsUrl({ docsBase: null, secure }, undefined, 'http_400')
      expect(own(false)).equal('http://localhost/docs/errors/http_400')
      expect(own(true)).equal('https://localhost/docs/errors/http_400')
    })
  })

  it('collects response headers in the order they were set', () => {
    const exchange = exchangeWith()
    exchange.setHeader('x-a', '1')
    exchange.setHeader('x-b', '2')
    expect(exchange.responseHeaders).deep.equal(['x-a', '1', 'x-b', '2'])
  })

  it('takes a reply, JSON unless it says otherwise', () => {
    const exchange = exchangeWith()
    expect([exchange.replied, exchange.replyValue]).deep.equal([false, null])
    exchange.reply(200, { a: 1 })
    expect(exchange.replied).equal(true)
    expect(exchange.replyValue).deep.equal({ status: 200, body: { a: 1 }, contentType: 'application/json' })
  })
})
