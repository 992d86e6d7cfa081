import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { compile } from '../../../lib/chain.ts'
import { failure, type GatewayError } from '../../../lib/errors.ts'
import { Exchange } from '../../../lib/exchange.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { JsonOutlet, StreamOutlet } from '../../../lib/pipe/outlet.ts'
import { definePlugin, type FinishPhase } from '../../../lib/plugin.ts'
import { ROUTES } from '../../../lib/routes.ts'
import { slotCount } from '../../../lib/slots.ts'
import { chatRequest, chunk } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'
import { headOf } from '../../support/encoders.ts'

/** Notes what it is told to send, in order, with the end of the exchange among it. */
class Response extends EventEmitter {
  readonly sent: unknown[] = []
  room = true

  writeHead(status: number, headers: readonly string[]): void {
    this.sent.push(['head', status, headers[headers.indexOf('content-type') + 1]])
  }

  write(text: string): boolean {
    this.sent.push(['write', text])
    return this.room
  }

  end(text?: string | Buffer): void {
    this.sent.push(['end', String(text ?? '')])
  }
}

const route = ROUTES.find(({ name }) => name === 'chat')!
const unused = (error: GatewayError) => {
  throw error
}

function scene() {
  const res = new Response()
  const ended: FinishPhase[] = []
  const onFinish = (exchange: FinishPhase) => {
    ended.push(exchange)
    res.sent.push(['finish', exchange.outcome])
  }
  const hooks = { onFinish }
  const plugin = definePlugin({ name: 'notes', summary: '', setup: () => hooks })
  const chain = compile([{ plugin, hooks }], route, 'gateway', formatOf('chat'))
  const host = {
    clock: new ManualClock(),
    slots: slotCount(),
    docsBase: null,
    fault: (_exchange: Exchange, thrown: unknown) => {
      throw thrown
    },
    refused: () => {},
  }
  const req = Object.assign(new EventEmitter(), { method: 'POST', headers: {}, complete: true })
  const match = { route, surface: 'gateway', endpoint: null, chain } as const
  const exchange = new Exchange(
    host,
    match,
    req as unknown as IncomingMessage,
    res as unknown as ServerResponse,
    route.path,
    '',
  )
  return { res, exchange, ended, head: headOf(chatRequest()) }
}

const error = failure('backend_timeout', { model: 'm' })
const words = (text: unknown) => [...String(text).matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word)

describe('pipe/outlet', () => {
  describe('of a stream', () => {
    it('sends the status line when it is told to, not before', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.chunk(chunk({ start: true, text: 'a' }))
      expect([outlet.committed, res.sent]).deep.equal([false, []])
      outlet.commit()
      expect(outlet.committed).equal(true)
      expect(res.sent).deep.equal([['head', 200, 'text/event-stream; charset=utf-8']])
    })

    it('gathers events and sends them with one write', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      expect(outlet.waiting).equal(false)
      for (const text of ['a', 'b', 'c']) outlet.chunk(chunk({ text }))
      expect(outlet.waiting).equal(true)
      expect(outlet.flush()).equal(true)
      expect(outlet.waiting).equal(false)
      expect(res.sent).lengthOf(2)
      expect(words((res.sent[1] as string[])[1])).deep.equal(['a', 'b', 'c'])
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
      const { res, exchange, head, ended } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
      expect(res.sent.map(one => (one as string[])[0])).deep.equal(['head', 'finish', 'end'])
      expect((res.sent[2] as string[])[1]).match(/data: \[DONE\]\n\n$/)
      expect(ended[0]).include({ outcome: 'done', status: 200, brokeMidStream: false })
      expect(outlet.waiting, 'nothing is left to send').equal(false)
    })

    it('tells a failure in-band, after what was waiting', () => {
      const { res, exchange, head, ended } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.chunk(chunk({ text: 'a' }))
      outlet.tell(error)
      const last = (res.sent.at(-1) as string[])[1]!
      expect(words(last)).deep.equal(['a'])
      expect(last).contain('"code":"backend_timeout"').and.match(/\n\n$/)
      expect(last).not.contain('[DONE]')
      expect(ended[0]).include({ outcome: 'failed', status: 200, brokeMidStream: true, error })
    })

    it('leaves it to the reply what a failure of a stage means', () => {
      const failures: GatewayError[] = []
      const { res, exchange, head } = scene()
      new StreamOutlet(exchange, head, failed => void failures.push(failed)).fail(error)
      new JsonOutlet(exchange, head, failed => void failures.push(failed)).fail(error)
      expect(failures).deep.equal([error, error])
      expect(res.sent).deep.equal([])
    })

    it('gives signs of life that are no events', () => {
      const { res, exchange, head } = scene()
      const outlet = new StreamOutlet(exchange, head, unused)
      outlet.commit()
      outlet.comment()
      expect(res.sent.at(-1)).deep.equal(['write', ': keep-alive\n\n'])
    })
  })

  describe('of a JSON reply', () => {
    it('sends nothing before the end, then everything', () => {
      const { res, exchange, head, ended } = scene()
      const outlet = new JsonOutlet(exchange, head, unused)
      for (const text of ['a', 'b']) outlet.chunk(chunk({ text }))
      expect([outlet.committed, outlet.waiting, outlet.flush(), res.sent]).deep.equal([false, false, true, []])
      outlet.chunk(chunk({ finish: 'stop' }))
      outlet.end()
      expect(res.sent.map(one => (one as string[])[0])).deep.equal(['head', 'finish', 'end'])
      expect(res.sent[0]).deep.equal(['head', 200, 'application/json'])
      expect(JSON.parse((res.sent[2] as string[])[1]!)).nested.include({ 'choices[0].message.content': 'ab' })
      expect(ended[0]).include({ outcome: 'done', status: 200 })
    })

    it('still has its status for a failure', () => {
      const { res, exchange, head, ended } = scene()
      const outlet = new JsonOutlet(exchange, head, unused)
      outlet.chunk(chunk({ text: 'a' }))
      outlet.tell(error)
      expect(res.sent[0]).deep.equal(['head', 504, 'application/json'])
      expect(JSON.parse((res.sent[2] as string[])[1]!)).nested.include({ 'error.code': 'backend_timeout' })
      expect(ended[0]).include({ outcome: 'failed', status: 504, brokeMidStream: false })
    })
  })
})
