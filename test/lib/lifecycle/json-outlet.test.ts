import { expect } from 'chai'
import { respond } from '../../../lib/core/hooks.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { JsonOutlet } from '../../../lib/lifecycle/json-outlet.ts'
import { chatRequest, chunk } from '../../support/canonical.ts'
import { contextOf } from '../../support/encoders.ts'
import { notedExchange } from '../../support/exchange.ts'

const scene = () => ({ ...notedExchange(), head: contextOf(chatRequest()) })

const error = failure('backend_timeout', { model: 'm' })

describe('lifecycle/json-outlet', () => {
  it('sends the whole response at the end', () => {
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

  it('responds with the status of a failure', () => {
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

  it('discards the chunks of an earlier attempt', () => {
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
