import { expect } from 'chai'
import { slot } from '../../../lib/core/slots.ts'
import { ManualClock } from '../../support/clock.ts'
import { notedExchange, type Place } from '../../support/exchange.ts'

const note = slot('exchange-test').of<string | null>()

const exchangeWith = (place?: Place) => notedExchange(place).exchange

describe('core/exchange', () => {
  describe('slots', () => {
    it('keep their value, also null', () => {
      const exchange = exchangeWith()
      exchange.set(note, 'a')
      expect(exchange.get(note)).equal('a')
      exchange.set(note, null)
      expect(exchange.get(note)).equal(null)
    })

    it('that are empty return undefined from find(), and throw from get()', () => {
      const exchange = exchangeWith()
      expect(exchange.find(note)).equal(undefined)
      expect(() => exchange.get(note)).throw(
        "slot 'exchange-test' is empty: no plugin filled it. Does `needs` of this plugin name it?",
      )
    })

    it('belong to one exchange', () => {
      exchangeWith().set(note, 'a')
      expect(exchangeWith().find(note)).equal(undefined)
    })
  })

  describe('a client that disconnects', () => {
    it('aborts its signal, also if that is read later', () => {
      const before = exchangeWith()
      const { signal } = before
      let stopped = 0
      before.upstream.work = { cancel: () => void stopped++, fail: () => {} }
      before.disconnect()
      expect([signal.aborted, before.gone, stopped]).deep.equal([true, true, 1])
      const after = exchangeWith()
      after.disconnect()
      expect(after.signal.aborted).equal(true)
    })

    it('changes nothing after the end', () => {
      const { exchange } = notedExchange()
      exchange.finished = true
      exchange.disconnect()
      expect([exchange.gone, exchange.signal.aborted]).deep.equal([false, false])
    })

    it('leaves its signal alone while it is connected', () => {
      expect(exchangeWith().signal.aborted).equal(false)
    })
  })

  it('measures on the monotonic clock until its end', () => {
    const clock = new ManualClock()
    const exchange = exchangeWith({ clock })
    expect(exchange.upstreamMs).equal(null)
    clock.advance(10)
    exchange.upstream.startedMono = clock.monotonic()
    clock.advance(30)
    expect([exchange.durationMs, exchange.upstreamMs]).deep.equal([40, 30])
    exchange.upstream.endedMono = clock.monotonic()
    exchange.finishedMono = clock.monotonic() + 5
    clock.advance(1000)
    expect([exchange.durationMs, exchange.upstreamMs]).deep.equal([45, 30])
  })

  it('collects response headers in the order they were set', () => {
    const exchange = exchangeWith()
    exchange.setHeader('x-a', '1')
    exchange.setHeader('x-b', '2')
    expect(exchange.responseHeaders).deep.equal(['x-a', '1', 'x-b', '2'])
  })

  it('keeps a reply, by default JSON', () => {
    const exchange = exchangeWith()
    expect([exchange.ended, exchange.replyValue]).deep.equal([false, null])
    exchange.reply(200, { a: 1 })
    expect(exchange.ended).equal(true)
    expect(exchange.replyValue).deep.equal({ status: 200, body: { a: 1 }, contentType: 'application/json' })
  })
})
