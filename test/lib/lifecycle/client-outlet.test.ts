import { readFileSync } from 'node:fs'
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Format, ReplyContext } from '../../../lib/canonical/format.ts'
import { type Sink, Transformer } from '../../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../../lib/canonical/request.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { respond } from '../../../lib/core/hooks.ts'
import { chat, target } from '../../../lib/core/slots.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { type ClientOutlet, openOutlet } from '../../../lib/lifecycle/client-outlet.ts'
import { bodyOf } from '../../support/bodies.ts'
import { chatRequest, chunk, model, targetOf } from '../../support/canonical.ts'
import { RawConnection } from '../../support/connection.ts'
import { OPTIONS } from '../../support/encoders.ts'
import { type NotedResponse, notedExchange } from '../../support/exchange.ts'
import { eventually } from '../../support/gateway.ts'

/** The outlet of a chat, which is also the last sink. */
function outletOf(exchange: Exchange, stream = true): ClientOutlet & Sink {
  exchange.set(chat, chatRequest({ stream }))
  exchange.set(target, targetOf(model()))
  return openOutlet(exchange, OPTIONS) as ClientOutlet & Sink
}

const error = failure('backend_timeout', { model: 'm' })
const words = (text: unknown) => [...String(text).matchAll(/"content":"([^"]*)"/g)].map(([, word]) => word)

const responses = formatOf('responses')

const LARGE = 128 * 1024 + 1
const LONG = 'é'.repeat(64 * 1024)

/** The members of a request that its reply repeats. */
function echoOf(request: ChatRequest, bodyBytes: number): JsonObject {
  const { exchange } = notedExchange()
  let echo: JsonObject | undefined
  const collector = (context: ReplyContext) => {
    echo = context.echo
    return { chunk() {}, result: () => ({}) }
  }
  Object.assign(exchange.chain, { format: { ...exchange.chain.format, collector } })
  exchange.bodyBytes = bodyBytes
  exchange.set(chat, Object.assign(request, { stream: false }))
  exchange.set(target, targetOf(model()))
  openOutlet(exchange, OPTIONS).open()
  return echo!
}

describe('lifecycle/client-outlet', () => {
  describe('of a stream', () => {
    it('sends the head when it is opened', () => {
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
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

    it('collects events and sends them with one write', () => {
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
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
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
      outlet.open()
      outlet.chunk(chunk({ text: 'a' }))
      res.room = false
      expect(outlet.flush()).equal(false)
    })

    it('ends the exchange before the last byte is sent', () => {
      const { res, exchange, names } = notedExchange()
      const outlet = outletOf(exchange)
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

    it('disconnects a client that does not read the last bytes', () => {
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
      outlet.open()
      outlet.end()
      res.room = false
      respond(exchange, outlet.ending())
      expect(res.idleMs).equal(exchange.host.clientIdleMs)
    })

    it('reports a failure in-band, after pending bytes', () => {
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
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

    it('reports only the first failure', () => {
      const { exchange } = notedExchange()
      for (const outlet of [outletOf(exchange), outletOf(exchange, false)]) {
        const first = failure('backend_timeout', { model: 'm' })
        outlet.open()
        outlet.fail(first)
        outlet.fail(failure('shutting_down', {}))
        expect([outlet.ended, outlet.ending().error]).deep.equal([true, first])
        expect(first.refusedBy, 'the default').equal('transformer')
      }
    })

    it('sends no content and no end after a failure', () => {
      for (const stream of [true, false]) {
        const { exchange, res } = notedExchange()
        const outlet = outletOf(exchange, stream)
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

    it('closes the connection if the encoder cannot report the failure', () => {
      const { exchange, faults, res, names } = notedExchange()
      const broken = new TypeError('broken')
      const breaks = () => {
        throw broken
      }
      const format = { ...exchange.chain.format, encoder: () => ({ chunk() {}, end() {}, fail: breaks }) }
      Object.assign(exchange.chain, { format })
      let destroyed = 0
      Object.assign(res, { destroy: () => void destroyed++ })
      const outlet = outletOf(exchange)
      outlet.open()
      outlet.fail(failure('shutting_down', {}))
      respond(exchange, outlet.ending())
      expect([faults, destroyed, names()]).deep.equal([[broken], 1, ['head', 'finish']])
      expect(exchange.outcome).equal('failed')
    })

    it('sends comments, which are not events', () => {
      const { res, exchange } = notedExchange()
      const outlet = outletOf(exchange)
      outlet.open()
      outlet.comment()
      expect(res.steps.at(-1)).deep.equal(['write', ': keep-alive\n\n'])
    })
  })

  it('passes chunks through the transformers of the chain', () => {
    class Shout extends Transformer {
      override chunk(one: Parameters<Transformer['chunk']>[0]): void {
        this.next.chunk({ ...one, text: one.text?.toUpperCase() })
      }
    }
    for (const stream of [true, false]) {
      const { exchange } = notedExchange({ hooks: [{ transform: () => new Shout() }] })
      const outlet = outletOf(exchange, stream)
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

  describe('of a reply that repeats members of the request', () => {
    it('removes them from the request', () => {
      const echo = { temperature: 0, instructions: LONG }
      const request = chatRequest({ echo })
      expect(echoOf(request, LARGE - 1)).equal(echo)
      expect(request.echo).equal(undefined)
    })

    it('omits long members of a large body', () => {
      const tools = [{ type: 'function', name: 'f' }]
      const big = [{ type: 'function', name: 'f', description: LONG }]
      const many = Array.from({ length: 40_000 }, () => 1)
      const kept = { tools, temperature: 0, instructions: 'i' }
      expect(echoOf(chatRequest({ echo: kept }), LARGE)).deep.equal(kept)
      for (const metadata of [{ a: LONG }, { a: many }, { [LONG]: 1 }]) {
        expect(echoOf(chatRequest({ echo: { ...kept, metadata } }), LARGE)).deep.equal(kept)
      }
      expect(echoOf(chatRequest({ echo: { tools: big, instructions: LONG } }), LARGE)).deep.equal({})
    })

    it('decodes only the texts of a large body that are repeated', () => {
      for (const [length, isKept] of [
        [60_000, true],
        [70_000, false],
      ] as const) {
        const instructions = 'i'.repeat(length)
        const body = bodyOf({ model: 'm', instructions, input: 'a'.repeat(LARGE) })
        const request = body.translate(responses, OPTIONS)
        const echo = echoOf(request as ChatRequest, LARGE)
        expect(echo).deep.equal(isKept ? { instructions } : {})
        for (const each of Object.values(Object.getOwnPropertyDescriptors(echo))) expect(each).property('value')
      }
    })
  })
})

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
const CERTIFICATE = { cert: pem('cert'), key: pem('key') }

const ASKED = 'GET / HTTP/1.1\r\nHost: a\r\n'

/** The texts of a body's events, one per chunk, and the rest after the last chunk. Throws if it violates RFC 9112. */
function unframed(received: string): { readonly texts: string[]; readonly rest: string } {
  const texts: string[] = []
  let bytes = Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1')
  for (;;) {
    const end = bytes.indexOf('\r\n')
    const size = bytes.toString('latin1', 0, end)
    if (!/^[0-9a-f]+$/.test(size)) throw new Error(`not a size: ${size}`)
    const length = Number.parseInt(size, 16)
    const after = end + 2 + length
    if (bytes.toString('latin1', after, after + 2) !== '\r\n') throw new Error('a chunk has another length')
    if (length === 0) return { texts, rest: bytes.toString('latin1', after + 2) }
    texts.push(/^data: (.*)\n\n$/.exec(bytes.toString('utf8', end + 2, after))![1]!)
    bytes = bytes.subarray(after + 2)
  }
}

/** A stream to a client on a real socket. Each of its events is one text. */
class TextStream {
  readonly #outlet: ClientOutlet & Sink

  constructor(res: ServerResponse) {
    const { exchange } = notedExchange()
    const encoder: Format['encoder'] = (_context, emit) => ({
      chunk: ({ text = '' }) => emit(undefined, text),
      end() {},
      fail() {},
    })
    Object.assign(exchange, { res })
    Object.assign(exchange.chain, { format: { ...exchange.chain.format, encoder } })
    this.#outlet = outletOf(exchange)
    this.#outlet.open()
  }

  write(text: string): boolean {
    if (text !== '') this.#outlet.chunk(chunk({ text }))
    return this.#outlet.flush()
  }

  end(text = ''): void {
    if (text !== '') this.#outlet.chunk(chunk({ text }))
    this.#outlet.end()
    this.#outlet.ending().sendLast()
  }
}

/** Runs on real sockets, because Node's decisions about framing depend on the request that its parser has read. */
describe('the framing of a stream', () => {
  let server: Server
  let url = ''
  const connections: RawConnection[] = []

  const serve = async (listener: RequestListener, options?: https.ServerOptions) => {
    server = options === undefined ? http.createServer(listener) : https.createServer(options, listener)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `${options === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const ask = (text: string) => {
    const connection = new RawConnection(url)
    connections.push(connection)
    connection.write(text)
    return connection
  }
  const streaming =
    (...texts: readonly string[]): RequestListener =>
    (_req, res) => {
      const body = new TextStream(res)
      for (const text of texts.slice(0, -1)) body.write(text)
      body.end(texts.at(-1))
    }
  afterEach(async () => {
    for (const { socket } of connections.splice(0)) socket.destroy()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  it('writes a chunk for each text, with its length in bytes, and the end', async () => {
    const long = 'ü'.repeat(50_000)
    await serve(streaming('plain', '€ and 𝄞', '', long, 'last'))
    const connection = ask(`${ASKED}\r\n`)
    await connection.until('\r\n0\r\n\r\n')
    expect(connection.received)
      .match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.match(/\r\nTransfer-Encoding: chunked\r\n/)
    expect(unframed(connection.received)).deep.equal({ texts: ['plain', '€ and 𝄞', long, 'last'], rest: '' })
  })

  it('ends a body whose last text is empty', async () => {
    await serve(streaming('only', ''))
    const connection = ask(`${ASKED}\r\n`)
    await connection.until('\r\n0\r\n\r\n')
    expect(unframed(connection.received)).deep.equal({ texts: ['only'], rest: '' })
  })

  it('leaves the connection usable for the next request', async () => {
    await serve(streaming('first', 'second'))
    const connection = ask(`${ASKED}\r\n`)
    await connection.until('\r\n0\r\n\r\n')
    const before = connection.received.length
    connection.write(`${ASKED}Connection: close\r\n\r\n`)
    await connection.closed
    const next = connection.received.slice(before)
    expect(next)
      .match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.match(/\r\nConnection: close\r\n/)
    expect(unframed(next)).deep.equal({ texts: ['first', 'second'], rest: '' })
  })

  it('gives a client of HTTP/1.0 the text alone, up to the end of the connection', async () => {
    await serve(streaming('one ', 'ü ', 'two'))
    const received = await ask('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n').closed
    expect(received).not.match(/transfer-encoding/i)
    const body = received.slice(received.indexOf('\r\n\r\n') + 4)
    expect(Buffer.from(body, 'latin1').toString()).equal('data: one \n\ndata: ü \n\ndata: two\n\n')
  })

  it('sends no body and no chunk for HEAD', async () => {
    await serve(streaming('one', 'two'))
    const received = await ask('HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').closed
    expect(received)
      .match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.match(/\r\n\r\n$/)
  })

  it('sends no trailers, also to a client that takes them', async () => {
    await serve(streaming('one', 'two'))
    const received = await ask(`${ASKED}TE: trailers\r\nConnection: close, TE\r\n\r\n`).closed
    expect(unframed(received)).deep.equal({ texts: ['one', 'two'], rest: '' })
  })

  it('is not complete where the response is destroyed', async () => {
    await serve((_req, res) => {
      const body = new TextStream(res)
      body.write('half')
      setImmediate(() => res.destroy())
    })
    const received = await ask(`${ASKED}\r\n`).closed
    expect(received).match(/c\r\ndata: half\n\n\r\n$/)
    await new Promise<void>((resolve, reject) => {
      http.get(url, res =>
        res
          .resume()
          .on('error', () => resolve())
          .on('end', () => reject(new Error('complete'))),
      )
    })
  })

  it('writes nothing for a client that has disconnected', async () => {
    let write: (() => boolean) | undefined
    let isClosed = false
    await serve((_req, res) => {
      const body = new TextStream(res)
      body.write('first')
      write = () => body.write('more')
      res.on('close', () => (isClosed = true))
    })
    const connection = ask(`${ASKED}\r\n`)
    await connection.until('first')
    connection.socket.destroy()
    await eventually(() => isClosed)
    expect(write!()).equal(false)
  })

  it('reports backpressure, and when it is over; nothing is lost', async () => {
    const piece = 'ü'.repeat(32_768)
    let written = 0
    let drains = 0
    await serve((_req, res) => {
      const body = new TextStream(res)
      const go = () => {
        while (written < 400) {
          written++
          if (body.write(piece)) continue
          res.once('drain', () => {
            drains++
            go()
          })
          return
        }
        body.end()
      }
      go()
    })
    const connection = ask(`${ASKED}Connection: close\r\n\r\n`)
    connection.socket.pause()
    await eventually(() => written > 0)
    const held = written
    expect(held).lessThan(400)
    connection.socket.resume()
    const { texts, rest } = unframed(await connection.closed)
    expect([texts.length, texts.every(text => text === piece), rest]).deep.equal([400, true, ''])
    expect(drains).greaterThan(0)
  })

  it('holds the texts of a response until those before it on the connection have ended', async () => {
    const bodies: TextStream[] = []
    await serve((_req, res) => {
      const body = new TextStream(res)
      bodies.push(body)
      for (const text of ['first', 'second']) body.write(`${bodies.length} ${text}`)
    })
    const connection = ask(`${ASKED}\r\n${ASKED}Connection: close\r\n\r\n`)
    await eventually(() => bodies.length === 2)
    const [one, two] = bodies
    two!.write('2 third')
    one!.write('1 third')
    await connection.until('1 third')
    expect(connection.received).not.contain('2 first')
    one!.end('1 last')
    two!.write('2 fourth')
    await connection.until('2 fourth')
    two!.write('2 fifth')
    two!.end()
    const received = await connection.closed
    const { texts, rest } = unframed(received)
    expect(texts).deep.equal(['1 first', '1 second', '1 third', '1 last'])
    expect(unframed(rest)).deep.equal({
      texts: ['2 first', '2 second', '2 third', '2 fourth', '2 fifth'],
      rest: '',
    })
  })

  it('writes nothing for a client that has disconnected before the turn of its response came', async () => {
    const bodies: TextStream[] = []
    let isClosed = false
    let queued: ServerResponse | undefined
    await serve((_req, res) => {
      const body = new TextStream(res)
      bodies.push(body)
      body.write('first')
      if (bodies.length === 1) res.on('close', () => (isClosed = true))
      else queued = res
    })
    const connection = ask(`${ASKED}\r\n${ASKED}\r\n`)
    await eventually(() => bodies.length === 2)
    expect(queued!.socket).equal(null)
    connection.socket.destroy()
    await eventually(() => isClosed)
    for (const body of bodies) {
      body.write('more')
      body.end('last')
    }
    expect(queued!.socket).equal(null)
  })

  it('sends what waits to a client that has ended its side, and writes nothing more', async () => {
    const piece = 'x'.repeat(1_000_000)
    let response: ServerResponse | undefined
    let late: (() => void) | undefined
    const errors: unknown[] = []
    await serve((_req, res) => {
      response = res
      const body = new TextStream(res)
      for (let i = 0; i < 20; i++) body.write(piece)
      late = () => body.write('late')
    })
    server.on('clientError', (error, socket) => {
      errors.push(error)
      socket.destroy()
    })
    const connection = ask('')
    connection.socket.allowHalfOpen = true
    connection.socket.pause()
    connection.socket.end(`${ASKED}\r\n`)
    await eventually(() => response?.socket?.writableEnded === true)
    expect(response!.socket!.destroyed).equal(false)
    late!()
    connection.socket.resume()
    await eventually(() => response!.closed)
    await eventually(() => connection.received.split('\n').filter(line => line === `data: ${piece}`).length === 20)
    expect(connection.received).not.contain('late')
    expect(errors).deep.equal([])
  })

  it('ends behind texts that wait for the client', async () => {
    const piece = 'x'.repeat(1_000_000)
    let hasEnded = false
    await serve((_req, res) => {
      const body = new TextStream(res)
      for (let i = 0; i < 8; i++) body.write(piece)
      body.end('last')
      hasEnded = true
    })
    const connection = ask(`${ASKED}\r\n`)
    connection.socket.pause()
    await eventually(() => hasEnded)
    connection.socket.resume()
    await connection.until('\r\n0\r\n\r\n')
    const { texts, rest } = unframed(connection.received)
    expect([texts.length, texts.slice(0, -1).every(text => text === piece)]).deep.equal([9, true])
    expect([texts.at(-1), rest]).deep.equal(['last', ''])
    const before = connection.received.length
    connection.write(`${ASKED}Connection: close\r\n\r\n`)
    await connection.closed
    expect(unframed(connection.received.slice(before)).texts.length).equal(9)
  })

  it('works over TLS', async () => {
    await serve(streaming('first', '€', 'last'), CERTIFICATE)
    const connection = ask(`${ASKED}\r\n`)
    await connection.until('\r\n0\r\n\r\n')
    const before = connection.received.length
    connection.write(`${ASKED}Connection: close\r\n\r\n`)
    await connection.closed
    for (const received of [connection.received.slice(0, before), connection.received.slice(before)])
      expect(unframed(received)).deep.equal({ texts: ['first', '€', 'last'], rest: '' })
  })
})
