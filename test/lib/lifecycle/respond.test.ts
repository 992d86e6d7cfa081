import http, { type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Exchange } from '../../../lib/core/exchange.ts'
import type { Reply } from '../../../lib/core/exchange-types.ts'
import { respond } from '../../../lib/core/hooks.ts'
import { failure, toGatewayError } from '../../../lib/errors/errors.ts'
import { abandon, CLIENT_GONE, errorBody, refusal, replyOf, WholeResponse } from '../../../lib/lifecycle/respond.ts'
import { type NotedExchange, notedExchange } from '../../support/exchange.ts'
import { eventually } from '../../support/gateway.ts'

/** Sends a whole response. `failed`: the response to an error. */
function answer(exchange: Exchange, status: number, type: string, text: string, failed = false): void {
  const error = failed ? failure('request_body_too_large', { limit: 1 }) : undefined
  respond(exchange, new WholeResponse(exchange, status, type, text, error))
}

const answerReply = (exchange: Exchange, reply: Reply) => respond(exchange, replyOf(exchange, reply))

const refuse = (exchange: Exchange, thrown: unknown) =>
  respond(exchange, refusal(exchange, toGatewayError(thrown, 'acme')))

describe('lifecycle/respond', () => {
  describe('a stream that a plugin has replied with', () => {
    it('is destroyed if it is not sent', () => {
      const ends = [
        (exchange: Exchange) => respond(exchange, CLIENT_GONE),
        (exchange: Exchange) => respond(exchange, refusal(exchange, failure('http_403', { problem: 'No.' }))),
        (exchange: Exchange) => abandon(exchange, new TypeError('bad header')),
      ]
      for (const end of ends) {
        const { exchange, res } = notedExchange()
        Object.assign(res, { destroy() {} })
        const body = Readable.from(['a'])
        exchange.reply(200, body, 'text/plain')
        end(exchange)
        expect(body.destroyed).equal(true)
      }
    })
  })

  describe('a whole response', () => {
    it('has no type and no length if its status has no content', () => {
      for (const status of [204, 304]) {
        const { exchange, res } = notedExchange()
        answer(exchange, status, 'text/plain', '')
        expect(res.steps[0], String(status)).deep.equal(['head', status, {}])
      }
    })

    it('sends the head, ends the exchange, then sends the body', () => {
      const { exchange, res } = notedExchange()
      answer(exchange, 200, 'text/plain', 'Grüße')
      expect(res.steps).deep.equal([
        ['head', 200, { 'content-type': 'text/plain', 'content-length': '7' }],
        ['finish', 'done'],
        ['end', 'Grüße'],
      ])
    })

    it('has an idle timeout only if the socket did not accept all bytes at once', () => {
      for (const room of [true, false]) {
        const { exchange, res } = notedExchange({ clientIdleMs: 700 })
        res.room = room
        answer(exchange, 200, 'text/plain', 'Grüße')
        expect(res.idleMs).equal(room ? undefined : 700)
      }
    })

    it('has a Content-Length and no body for HEAD', () => {
      const { exchange, res } = notedExchange({ method: 'HEAD' })
      answer(exchange, 200, 'text/plain', 'Grüße')
      expect(res.steps[0]?.[2]).include({ 'content-length': '7' })
      expect(res.steps.at(-1)).deep.equal(['end', ''])
    })

    it('does not end the response while the client is still sending', () => {
      const { exchange, res, names } = notedExchange({ headers: { 'content-length': '5' } })
      Object.assign(exchange.req, { complete: false, resume: () => {}, pause: () => {}, destroy: () => {} })
      answer(exchange, 413, 'text/plain', 'too much', true)
      expect(names()).deep.equal(['head', 'finish', 'write'])
      exchange.req.emit('end')
      expect(res.steps.at(-1)).deep.equal(['end', ''])
    })

    it('closes the connection of a client that was never sent 100 Continue', () => {
      const { exchange, res } = notedExchange({ headers: { 'content-length': '5', expect: '100-continue' } })
      Object.assign(exchange.req, { complete: false, resume: () => {}, pause: () => {}, destroy: () => {} })
      answer(exchange, 413, 'text/plain', 'too much', true)
      expect(res.shouldKeepAlive).equal(false)
      exchange.req.emit('close')
    })
  })

  describe("a plugin's reply", () => {
    it('is sent unchanged if it is text, otherwise as JSON', () => {
      for (const [body, text] of [
        ['as it is', 'as it is'],
        [{ a: [1] }, '{"a":[1]}'],
      ] as const) {
        const { exchange, res, names } = notedExchange()
        answerReply(exchange, { status: 201, body: body as string, contentType: 'x/y' })
        expect(names()).deep.equal(['head', 'finish', 'end'])
        expect([res.steps[0]?.[1], res.steps[2]?.[1]]).deep.equal([201, text])
      }
    })

    describe('that is a stream', () => {
      let server: Server
      let url: string
      let body: Readable
      let idleMs: number
      let noted: NotedExchange

      before(async () => {
        server = http.createServer((req, res) => {
          noted = notedExchange({ clientIdleMs: idleMs })
          Object.assign(noted.exchange, { req, res })
          noted.exchange.setHeader('content-length', '300000')
          answerReply(noted.exchange, { status: 200, body, contentType: 'image/png' })
        })
        await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
        url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      })
      beforeEach(() => {
        idleMs = 5000
      })
      after(() => {
        server.closeAllConnections()
        return new Promise(resolve => server.close(resolve))
      })

      const pieces = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(1000)))

      it('is sent while it is read', async () => {
        body = pieces(300)
        const response = await fetch(url)
        expect(response.headers.get('content-type')).equal('image/png')
        expect((await response.arrayBuffer()).byteLength).equal(300_000)
        expect(noted.exchange).include({ finished: true, outcome: 'done', status: 200 })
      })

      it('is destroyed unread for HEAD', async () => {
        const unread = pieces(3)
        body = unread
        const response = await fetch(url, { method: 'HEAD' })
        expect([response.status, response.headers.get('content-type')]).deep.equal([200, 'image/png'])
        expect(unread).include({ destroyed: true, readableDidRead: false })
      })

      it('closes the connection if it fails', async () => {
        body = Readable.from(
          (async function* () {
            yield Buffer.alloc(1000)
            throw new Error('disk')
          })(),
        )
        const read = async () => (await fetch(url)).arrayBuffer()
        expect(await read().catch((error: unknown) => error)).instanceOf(Error)
      })

      it('is destroyed if the client does not read', async () => {
        idleMs = 50
        body = Readable.from(
          (function* () {
            for (;;) yield Buffer.alloc(100_000)
          })(),
        )
        const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.pause()
        socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
        await eventually(() => body.destroyed, 'the destroyed stream')
        socket.destroy()
      })
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

    it('names the plugin whose hook threw', () => {
      const broken = () => {
        throw new TypeError('broken')
      }
      for (const hook of ['onSend', 'onFinish']) {
        const { exchange, faults, sources } = notedExchange({ hooks: [{}, { [hook]: broken }, {}] })
        answer(exchange, 200, 'text/plain', 'ok')
        expect(faults).lengthOf(1)
        expect(sources, hook).deep.equal(['plugin-2'])
      }
    })

    it('hides the cause of a fault from the client, and reports it', () => {
      const thrown = new TypeError('/etc/secret')
      const { exchange, res, faults, sources } = notedExchange()
      refuse(exchange, thrown)
      expect(res.steps[0]?.[1]).equal(500)
      expect(res.steps.at(-1)?.[1]).contain('"code":"internal_error"').and.not.contain('secret')
      expect(faults).deep.equal([thrown])
      expect(sources).deep.equal(['acme'])
    })

    it('without a cause is not reported as a fault', () => {
      const { exchange, faults } = notedExchange()
      refuse(exchange, failure('internal_error', {}, { status: 503 }))
      expect(faults).deep.equal([])
      expect(exchange.status).equal(503)
    })
  })

  // docs/api/errors.md#envelope
  describe('the envelope', () => {
    const exchangeOn = (route: 'chat' | 'messages') =>
      notedExchange({ route, headers: { 'x-request-id': 'mine' } }).exchange

    it('contains the request id and the URL of the page about the error', () => {
      const refused = failure('unsupported_feature', { model: 'm', feature: 'n' }, { param: 'n' })
      const place = { docsBase: 'https://docs.test/errors/', headers: { host: 'pass.test', 'x-request-id': 'mine' } }
      expect(errorBody(notedExchange(place).exchange, refused)).include({
        param: 'n',
        request_id: 'client_mine',
        docs_url: 'https://docs.test/errors/unsupported_feature',
      })
    })

    it("names the member in the client's own format, unless it already does", () => {
      const blanks = { model: 'm', feature: 'x' }
      const canonical = failure('unsupported_feature', blanks, { param: 'tools.0.function.name' })
      expect(errorBody(exchangeOn('messages'), canonical).param).equal('tools.0.name')
      expect(errorBody(exchangeOn('chat'), canonical).param).equal('tools.0.function.name')
      const own = failure('unsupported_feature', blanks, { param: 'tools.0.function.name', ownParam: true })
      expect(errorBody(exchangeOn('messages'), own).param).equal('tools.0.function.name')
      expect(errorBody(exchangeOn('chat'), failure('shutting_down', {}))).not.have.property('param')
    })
  })
})
