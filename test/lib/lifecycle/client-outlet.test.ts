import { expect } from 'chai'
import { Transformer } from '../../../lib/canonical/reply.ts'
import { chat, target } from '../../../lib/core/slots.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { JsonOutlet, openOutlet, StreamOutlet } from '../../../lib/lifecycle/client-outlet.ts'
import { respond } from '../../../lib/lifecycle/respond.ts'
import { chatRequest, chunk, model, targetOf } from '../../support/canonical.ts'
import { contextOf } from '../../support/encoders.ts'
import { type NotedResponse, notedExchange } from '../../support/exchange.ts'

const scene = () => ({ ...notedExchange(), head: contextOf(chatRequest()) })

const error = failure('backend_timeout', { model: 'm' })
const words = (text: unknown) => [...String(text).matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word)

describe('lifecycle/client-outlet', () => {
  describe('of a stream', () => {
    it('sends the head when it is opened, not before', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.chunk(chunk({ start: true, text: 'a' }))
      expect([outlet.committed, res.steps]).deep.equal([false, []])
      outlet.open()
      expect(outlet.committed).equal(true)
      expect(res.steps).deep.equal([
        [
          'head',
          200,
          {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-cache',
            'x-accel-buffering': 'no',
          },
        ],
      ])
    })

    it('gathers events and sends them with one write', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      expect(outlet.waiting).equal(0)
      for (const text of ['a', 'b', 'c']) outlet.chunk(chunk({ text }))
      expect(outlet.waiting).above(0)
      expect(outlet.flush()).equal(true)
      expect(outlet.waiting).equal(0)
      expect(res.steps).lengthOf(2)
      expect(words(res.steps[1]![1])).deep.equal(['a', 'b', 'c'])
    })

    it('reports backpressure when the client does not keep up', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.chunk(chunk({ text: 'a' }))
      res.room = false
      expect(outlet.flush()).equal(false)
    })

    it('ends the exchange before the last byte leaves', () => {
      const { res, exchange, head, names } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
      expect([outlet.ended, names()]).deep.equal([true, ['head']])
      respond(exchange, outlet.ending())
      expect(names()).deep.equal(['head', 'finish', 'end'])
      expect(res.steps[2]![1]).match(/data: \[DONE\]\n\n$/)
      expect(exchange).include({ outcome: 'done', status: 200, brokeMidStream: false })
      expect(outlet.waiting, 'nothing is left to send').equal(0)
    })

    it('disconnects a client that leaves its end unread', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.end()
      res.room = false
      respond(exchange, outlet.ending())
      expect(res.idleMs).equal(exchange.host.clientIdleMs)
    })

    it('reports a failure in-band, after pending bytes', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.fail(error)
      respond(exchange, outlet.ending())
      const last = res.steps.at(-1)![1] as string
      expect(words(last)).deep.equal(['a'])
      expect(last).contain('"code":"backend_timeout"').and.match(/\n\n$/)
      expect(last).not.contain('[DONE]')
      expect(exchange).include({ outcome: 'failed', status: 200, brokeMidStream: true, error })
    })

    it('reports one failure, and nothing after it', () => {
      const { exchange, head } = scene()
      for (const outlet of [new StreamOutlet(exchange, head), new JsonOutlet(exchange, head)]) {
        const first = failure('backend_timeout', { model: 'm' })
        outlet.open()
        outlet.fail(first)
        outlet.fail(failure('shutting_down', {}))
        expect([outlet.ended, outlet.ending().error]).deep.equal([true, first])
        expect(first.refusedBy, 'nothing else was at work').equal('transformer')
      }
    })

    it('sends no content and no end after a failure', () => {
      for (const stream of [true, false]) {
        const { exchange, head, res } = scene()
        const outlet = stream ? new StreamOutlet(exchange, head) : new JsonOutlet(exchange, head)
        outlet.open()
        outlet.chunk(chunk({ text: 'a' }))
        outlet.fail(failure('shutting_down', {}))
        outlet.chunk(chunk({ choice: 1, text: 'AFTER', finish: 'stop' }))
        outlet.end()
        respond(exchange, outlet.ending())
        const last = String(res.steps.at(-1)![1])
        expect(last).contain('"code":"shutting_down"')
        expect(last).not.match(/AFTER|DONE/)
      }
    })

    it('closes the connection where the failure cannot even be reported', () => {
      const { exchange, head, faults, res, names } = scene()
      const broken = new TypeError('broken')
      const breaks = () => {
        throw broken
      }
      const format = { ...exchange.chain.format, encoder: () => ({ chunk() {}, end() {}, fail: breaks }) }
      Object.assign(exchange.chain, { format })
      let destroyed = 0
      Object.assign(res, { destroy: () => void destroyed++ })
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.fail(failure('shutting_down', {}))
      respond(exchange, outlet.ending())
      expect([faults, destroyed, names()]).deep.equal([[broken], 1, ['head', 'finish']])
      expect(exchange.outcome).equal('failed')
    })

    it('sends comments, which are no events', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head)
      outlet.open()
      outlet.comment()
      expect(res.steps.at(-1)).deep.equal(['write', ': keep-alive\n\n'])
    })
  })

  describe('of a JSON reply', () => {
    it('sends nothing before the end, then everything', () => {
      const { res, exchange, head, names } = scene()
      const outlet = new JsonOutlet(exchange, head)
      outlet.open()
      for (const text of ['a', 'b']) outlet.chunk(chunk({ text }))
      expect([outlet.committed, outlet.waiting, outlet.flush(), res.steps]).deep.equal([false, 0, true, []])
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
      expect([outlet.ended, names()]).deep.equal([true, []])
      respond(exchange, outlet.ending())
      expect(names()).deep.equal(['head', 'finish', 'end'])
      expect(res.steps[0]).deep.equal([
        'head',
        200,
        { 'content-type': 'application/json', 'content-length': String((res.steps[2]![1] as string).length) },
      ])
      expect(JSON.parse(res.steps[2]![1] as string)).nested.include({ 'choices[0].message.content': 'ab' })
      expect(exchange).include({ outcome: 'done', status: 200 })
    })

    it('still has its status for a failure', () => {
      const { res, exchange, head } = scene()
      const outlet = new JsonOutlet(exchange, head)
      outlet.open()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.fail(error)
      respond(exchange, outlet.ending())
      expect(res.steps[0]?.[1]).equal(504)
      expect(JSON.parse(res.steps[2]![1] as string)).nested.include({ 'error.code': 'backend_timeout' })
      expect(exchange).include({ outcome: 'failed', status: 504, brokeMidStream: false })
    })

    it('forgets what an earlier attempt has left', () => {
      const { res, exchange, head } = scene()
      const outlet = new JsonOutlet(exchange, head)
      for (const text of ['first', 'second']) {
        outlet.open()
        outlet.chunk(chunk({ text, finish: 'stop' }))
      }
      outlet.end()
      respond(exchange, outlet.ending())
      expect(JSON.parse(res.steps[2]![1] as string)).nested.include({ 'choices[0].message.content': 'second' })
    })
  })

  it('begins with the transformers of the chain', () => {
    class Shout extends Transformer {
      override chunk(one: Parameters<Transformer['chunk']>[0]): void {
        this.next.chunk({ ...one, text: one.text?.toUpperCase() })
      }
    }
    for (const stream of [true, false]) {
      const { exchange } = notedExchange({ hooks: [{ transform: () => new Shout() }] })
      exchange.set(chat, chatRequest({ stream }))
      exchange.set(target, targetOf(model()))
      const outlet = openOutlet(exchange, { ...contextOf(chatRequest()).options })
      expect([outlet.isStream, exchange.streaming]).deep.equal([stream, stream])
      const first = outlet.open()
      expect([outlet.committed, exchange.source]).deep.equal([stream, 'backend'])
      first.chunk(chunk({ start: true, text: 'hi', finish: 'stop' }))
      first.end()
      respond(exchange, outlet.ending())
      const { steps } = exchange.res as unknown as NotedResponse
      expect(steps.at(-1)![1]).contain('"HI"')
    }
  })
})
