import { expect } from 'chai'
import { failure, type GatewayError } from '../../../lib/errors/errors.ts'
import { JsonOutlet, StreamOutlet } from '../../../lib/lifecycle/outlet.ts'
import { chatRequest, chunk } from '../../support/canonical.ts'
import { contextOf } from '../../support/encoders.ts'
import { notedExchange } from '../../support/exchange.ts'

const unused = (error: GatewayError) => {
  throw error
}

const scene = () => ({ ...notedExchange(), head: contextOf(chatRequest()) })

const error = failure('backend_timeout', { model: 'm' })
const words = (text: unknown) => [...String(text).matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word)

describe('pipe/outlet', () => {
  describe('of a stream', () => {
    it('sends the status line when it is told to, not before', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.chunk(chunk({ start: true, text: 'a' }))
      expect([outlet.committed, res.steps]).deep.equal([false, []])
      outlet.commit()
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
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      expect(outlet.waiting).equal(0)
      for (const text of ['a', 'b', 'c']) outlet.chunk(chunk({ text }))
      expect(outlet.waiting).above(0)
      expect(outlet.flush()).equal(true)
      expect(outlet.waiting).equal(0)
      expect(res.steps).lengthOf(2)
      expect(words(res.steps[1]![1])).deep.equal(['a', 'b', 'c'])
    })

    it('says when the client does not keep up', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.chunk(chunk({ text: 'a' }))
      res.room = false
      expect(outlet.flush()).equal(false)
    })

    it('ends the exchange before the last byte leaves', () => {
      const { res, exchange, head, names } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
      expect(names()).deep.equal(['head', 'finish', 'end'])
      expect(res.steps[2]![1]).match(/data: \[DONE\]\n\n$/)
      expect(exchange).include({ outcome: 'done', status: 200, brokeMidStream: false })
      expect(outlet.waiting, 'nothing is left to send').equal(0)
    })

    it('tells a failure in-band, after what was waiting', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.tell(error)
      const last = res.steps.at(-1)![1] as string
      expect(words(last)).deep.equal(['a'])
      expect(last).contain('"code":"backend_timeout"').and.match(/\n\n$/)
      expect(last).not.contain('[DONE]')
      expect(exchange).include({ outcome: 'failed', status: 200, brokeMidStream: true, error })
    })

    it('leaves it to the reply what a failure of a stage means', () => {
      const failures: GatewayError[] = []
      const { res, exchange, head } = scene()
      new StreamOutlet(exchange, head, failed => void failures.push(failed)).fail(error)
      new JsonOutlet(exchange, head, failed => void failures.push(failed)).fail(error)
      expect(failures).deep.equal([error, error])
      expect(res.steps).deep.equal([])
    })

    it('gives signs of life that are no events', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.comment()
      expect(res.steps.at(-1)).deep.equal(['write', ': keep-alive\n\n'])
    })
  })

  describe('of a JSON reply', () => {
    it('sends nothing before the end, then everything', () => {
      const { res, exchange, head, names } = scene()
      const outlet = new JsonOutlet(exchange, head, unused)
      for (const text of ['a', 'b']) outlet.chunk(chunk({ text }))
      expect([outlet.committed, outlet.waiting, outlet.flush(), res.steps]).deep.equal([false, 0, true, []])
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
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
      const outlet = new JsonOutlet(exchange, head, unused)
      outlet.chunk(chunk({ text: 'a' }))
      outlet.tell(error)
      expect(res.steps[0]?.[1]).equal(504)
      expect(JSON.parse(res.steps[2]![1] as string)).nested.include({ 'error.code': 'backend_timeout' })
      expect(exchange).include({ outcome: 'failed', status: 504, brokeMidStream: false })
    })
  })
})
