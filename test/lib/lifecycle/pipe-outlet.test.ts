import { expect } from 'chai'
import { respond } from '../../../lib/core/hooks.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { PipeOutlet } from '../../../lib/lifecycle/pipe-outlet.ts'
import { notedExchange } from '../../support/exchange.ts'

describe('lifecycle/pipe-outlet', () => {
  it('sends a head with only the content type of the backend, then bytes with one write', () => {
    const { exchange, res } = notedExchange()
    const outlet = new PipeOutlet(exchange)
    outlet.open('text/vtt')
    outlet.bytes(Buffer.from('a'))
    outlet.bytes(Buffer.from('b'))
    expect([outlet.committed, outlet.waiting]).deep.equal([true, 2])
    expect(outlet.flush()).equal(true)
    expect(outlet.waiting).equal(0)
    expect(res.steps).deep.equal([
      ['head', 200, { 'content-type': 'text/vtt' }],
      ['write', 'ab'],
    ])
    res.room = false
    outlet.bytes(Buffer.from('c'))
    expect(outlet.flush()).equal(false)
  })

  it('asks proxies not to buffer server-sent events', () => {
    for (const type of ['text/event-stream', 'Text/Event-Stream; charset=utf-8']) {
      const { exchange, res } = notedExchange()
      new PipeOutlet(exchange).open(type)
      expect(res.steps[0]).deep.equal([
        'head',
        200,
        { 'content-type': type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
      ])
    }
  })

  it('keeps the last bytes of a known length until the finish hooks have run', () => {
    const { exchange, res } = notedExchange()
    const outlet = new PipeOutlet(exchange)
    const first = outlet.open('application/json', 4)
    outlet.bytes(Buffer.from('ab'))
    expect([outlet.waiting, outlet.flush()]).deep.equal([2, true])
    outlet.bytes(Buffer.from('cd'))
    expect(outlet.waiting).equal(0)
    first.end()
    respond(exchange, outlet.ending())
    expect(res.steps).deep.equal([
      ['head', 200, { 'content-type': 'application/json', 'content-length': '4' }],
      ['write', 'ab'],
      ['finish', 'done'],
      ['end', 'cd'],
    ])
  })

  it('sends the remaining bytes after the finish hooks', () => {
    const { exchange, res, names } = notedExchange()
    const outlet = new PipeOutlet(exchange)
    const first = outlet.open()
    outlet.bytes(Buffer.from('rest'))
    first.end()
    respond(exchange, outlet.ending())
    expect(exchange.source).equal('backend')
    expect(res.steps.at(-1)).deep.equal(['end', 'rest'])
    expect(names().slice(-2)).deep.equal(['finish', 'end'])
  })

  it('closes the connection after a failure, because bytes cannot carry an error', () => {
    const { exchange, res } = notedExchange()
    let closed = 0
    Object.assign(res, { destroy: () => closed++ })
    const outlet = new PipeOutlet(exchange)
    const first = outlet.open('application/json')
    first.fail(failure('backend_timeout', { model: 'm' }))
    first.fail(failure('shutting_down', {}))
    respond(exchange, outlet.ending())
    expect([closed, exchange.brokeMidStream, exchange.outcome]).deep.equal([1, true, 'failed'])
    expect(exchange.error?.code).equal('backend_timeout')
  })

  it('responds with the envelope if the head has not been sent', () => {
    const { exchange, res } = notedExchange()
    const outlet = new PipeOutlet(exchange)
    outlet.fail(failure('backend_timeout', { model: 'm' }))
    respond(exchange, outlet.ending())
    expect(res.steps[0]!.slice(0, 2)).deep.equal(['head', 504])
    expect(exchange.brokeMidStream).equal(false)
  })
})
