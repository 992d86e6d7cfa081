import { expect } from 'chai'
import { answer, finish, refuse, writeHead } from '../../lib/answer.ts'
import { failure } from '../../lib/errors.ts'
import { ManualClock } from '../support/clock.ts'
import { notedExchange } from '../support/exchange.ts'

const broken = () => {
  throw new TypeError('broken')
}

describe('answer', () => {
  describe('the head', () => {
    it('has what plugins added, the lowest first, and what the answer itself needs', () => {
      const { exchange, res } = notedExchange({
        hooks: [
          { onResponse: one => one.setHeader('x-upper', `${one.status} ${one.source}`) },
          { onHeaders: one => one.setHeader('x-early', '1'), onResponse: one => one.setHeader('x-lower', '1') },
        ],
      })
      exchange.setHeader('x-early', '1')
      writeHead(exchange, 200, ['content-type', 'text/plain'])
      expect(res.steps).deep.equal([
        ['head', 200, { 'x-early': '1', 'x-lower': '1', 'x-upper': '200 gateway', 'content-type': 'text/plain' }],
      ])
      expect(Object.keys((res.steps[0] as readonly unknown[])[2] as object)).deep.equal([
        'x-early',
        'x-lower',
        'x-upper',
        'content-type',
      ])
    })

    it('is written whatever a plugin does', () => {
      const { exchange, res, faults } = notedExchange({
        hooks: [{ onResponse: one => one.setHeader('x-upper', '1') }, { onResponse: broken }],
      })
      writeHead(exchange, 204, [])
      expect(res.steps).deep.equal([['head', 204, { 'x-upper': '1' }]])
      expect(faults).lengthOf(1)
      expect(faults[0]).instanceOf(TypeError)
    })
  })

  describe('the end', () => {
    it('comes once, with what has become of the exchange', () => {
      const clock = new ManualClock()
      const { exchange, res } = notedExchange({ clock })
      const error = failure('backend_timeout', { model: 'm' })
      clock.advance(30)
      finish(exchange, 'failed', error)
      clock.advance(30)
      finish(exchange, 'done')
      expect(res.steps).deep.equal([['finish', 'failed']])
      expect(exchange).include({ finished: true, outcome: 'failed', error, durationMs: 30 })
    })

    it('of a client that left is a 499', () => {
      const { exchange } = notedExchange()
      exchange.status = 200
      finish(exchange, 'client_gone')
      expect(exchange.status).equal(499)
    })

    it('reaches every plugin, bottom to top, also behind one that fails', () => {
      const ended: string[] = []
      const { exchange, faults, names } = notedExchange({
        hooks: [
          { onFinish: () => void ended.push('upper') },
          { onFinish: broken },
          { onFinish: () => void ended.push('lower') },
        ],
      })
      finish(exchange, 'done')
      expect(ended).deep.equal(['lower', 'upper'])
      expect(names()).deep.equal(['finish'])
      expect(faults).lengthOf(1)
    })

    it('gives back what the core took', () => {
      const { exchange } = notedExchange()
      let released = 0
      exchange.lease = { release: () => void released++ }
      finish(exchange, 'done')
      finish(exchange, 'done')
      expect(released).equal(1)
    })
  })

  describe('a whole answer', () => {
    it('is head, end of the exchange, bytes', () => {
      const { exchange, res } = notedExchange()
      answer(exchange, 200, 'text/plain', 'Grüße', 'done')
      expect(res.steps).deep.equal([
        ['head', 200, { 'content-type': 'text/plain', 'content-length': '7' }],
        ['finish', 'done'],
        ['end', 'Grüße'],
      ])
    })

    it('has no bytes for HEAD, but their number', () => {
      const { exchange, res } = notedExchange({ method: 'HEAD' })
      answer(exchange, 200, 'text/plain', 'Grüße', 'done')
      expect(res.steps[0]?.[2]).include({ 'content-length': '7' })
      expect(res.steps.at(-1)).deep.equal(['end', ''])
    })

    it('is given once', () => {
      const { exchange, names } = notedExchange()
      answer(exchange, 200, 'text/plain', 'one', 'done')
      answer(exchange, 200, 'text/plain', 'two', 'done')
      expect(names()).deep.equal(['head', 'finish', 'end'])
    })

    it('does not end the response while the client is still sending', () => {
      const { exchange, res, names } = notedExchange({ headers: { 'content-length': '5' } })
      Object.assign(exchange.req, { complete: false, resume: () => {}, destroy: () => {} })
      answer(exchange, 413, 'text/plain', 'too much', 'failed')
      expect(names()).deep.equal(['head', 'finish', 'write'])
      exchange.req.emit('end')
      expect(res.steps.at(-1)).deep.equal(['end', ''])
    })

    it('ends the connection of a client that was never told to send its body', () => {
      const { exchange, res } = notedExchange({ headers: { 'content-length': '5', expect: '100-continue' } })
      Object.assign(exchange.req, { complete: false, resume: () => {}, destroy: () => {} })
      answer(exchange, 413, 'text/plain', 'too much', 'failed')
      expect(res.shouldKeepAlive).equal(false)
      exchange.req.emit('close')
    })
  })

  describe('a refusal', () => {
    it("is the envelope in the client's format, with the headers of its code", () => {
      const error = failure('backend_at_capacity', { model: 'm' }, { headers: { 'retry-after': '1' }, param: 'model' })
      const { exchange, res, refusals } = notedExchange({ route: 'messages', headers: { host: 'pass.test' } })
      refuse(exchange, error)
      const [head, , end] = res.steps
      expect(head?.[1]).equal(429)
      expect(head?.[2]).include({ 'content-type': 'application/json', 'retry-after': '1' })
      expect(JSON.parse(end![1] as string)).deep.equal({
        type: 'error',
        error: {
          type: 'rate_limit_error',
          code: 'backend_at_capacity',
          message: "Model 'm' is at capacity.",
          param: 'model',
          request_id: exchange.requestId,
          docs_url: 'http://pass.test/docs/errors/backend_at_capacity',
        },
      })
      expect(exchange).include({ error, outcome: 'failed', status: 429 })
      expect(refusals).deep.equal([error])
    })

    it('of anything else that is thrown hides what it was, and reports it', () => {
      const thrown = new TypeError('/etc/secret')
      const { exchange, res, faults } = notedExchange()
      refuse(exchange, thrown)
      expect(res.steps[0]?.[1]).equal(500)
      expect(res.steps.at(-1)?.[1]).contain('"code":"internal_error"').and.not.contain('secret')
      expect(faults).deep.equal([thrown])
    })

    it('that knows no cause is no fault', () => {
      const { exchange, faults } = notedExchange()
      refuse(exchange, failure('internal_error', {}, { status: 503 }))
      expect(faults).deep.equal([])
      expect(exchange.status).equal(503)
    })
  })
})
