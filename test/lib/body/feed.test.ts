import http, { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { discardBody, isUnread } from '../../../lib/body/discard.ts'
import { feedBody, type PipedSource } from '../../../lib/body/feed.ts'
import { SlowUploads } from '../../../lib/body/memory.ts'
import { breakBody } from '../../../lib/body/read.ts'
import { failure, GatewayError } from '../../../lib/errors/errors.ts'
import { RawConnection } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'

const LIMIT = 1_000_000

/** Records what is written to it. `work` is called for each piece. */
class RecordingSink extends Writable {
  text = ''
  readonly #work: (done: (error?: Error) => void) => void

  constructor(work: (done: (error?: Error) => void) => void = done => done()) {
    super({ highWaterMark: 1000 })
    this.#work = work
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.text += piece.toString('latin1')
    this.#work(done)
  }
}

describe('body/feed', () => {
  let server: Server
  let url: string
  let sink: RecordingSink
  let sinkMs: number
  let slowUploads: SlowUploads
  let exchange: PipedSource | undefined
  let outcome: string | undefined

  before(async () => {
    server = http.createServer(async (req, res) => {
      exchange = { req, res, headers: req.headers, bodyBytes: 0, gone: false, host: { bodies: { slowUploads } } }
      outcome = await feedBody(exchange, sink, LIMIT, sinkMs).then(
        () => 'fed',
        (thrown: unknown) => (thrown instanceof GatewayError ? thrown.code : String(thrown)),
      )
      res.writeHead(200, { 'content-length': 2 }).write('ok')
      if (isUnread(req)) discardBody(req, () => res.end())
      else res.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  beforeEach(() => {
    sink = new RecordingSink()
    sinkMs = 5000
    slowUploads = new SlowUploads(Number.POSITIVE_INFINITY)
    exchange = undefined
    outcome = undefined
  })

  after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  const post = async (body: string) => (await fetch(url, { method: 'POST', body })).text()
  const begin = (...lines: string[]) => {
    const connection = new RawConnection(url)
    connection.write(`POST / HTTP/1.1\r\nhost: a\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`)
    return connection
  }

  it('passes on every byte and counts them, also to a slow sink', async () => {
    sink = new RecordingSink(done => setTimeout(done, 1))
    const body = 'abcdefghij'.repeat(50_000)
    expect(await post(body)).equal('ok')
    expect(outcome).equal('fed')
    expect(sink.text).equal(body)
    expect(exchange?.bodyBytes).equal(body.length)
  })

  it('reads no more from the client than the sink accepts', async () => {
    let go = () => {}
    sink = new RecordingSink(done => {
      go = done
    })
    const answer = post('a'.repeat(LIMIT))
    await eventually(() => sink.text !== '')
    await sleep(30)
    expect(sink.writableLength).below(300_000)
    expect(exchange?.req.isPaused()).equal(true)
    sink.destroy(new Error('enough'))
    go()
    await answer
    expect(outcome).equal('Error: enough')
  })

  it('refuses a body that is too large, by its length or by its bytes', async () => {
    expect(await post('a'.repeat(LIMIT + 1))).equal('ok')
    expect([outcome, sink.text]).deep.equal(['request_body_too_large', ''])
    const connection = begin('transfer-encoding: chunked')
    const chunk = 'a'.repeat(100_000)
    for (let i = 0; i < 11; i++) connection.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    await connection.until('ok')
    expect(outcome).equal('request_body_too_large')
    connection.socket.destroy()
  })

  it("rejects with the sink's own error, and the client still gets an answer", async () => {
    sink = new RecordingSink(done => done(new Error('full')))
    expect(await post('a'.repeat(500_000))).equal('ok')
    expect(outcome).equal('Error: full')
  })

  it('limits the wait for a sink, in the middle and at the end', async () => {
    sinkMs = 30
    sink = new RecordingSink(() => {})
    expect(await post('a'.repeat(500_000))).equal('ok')
    expect(outcome).equal('http_408')
    sink = new RecordingSink(() => {})
    expect(await post('a')).equal('ok')
    expect(outcome).equal('http_408')
  })

  it('refuses a client that hardly sends anything, and waits for a slow sink', async () => {
    slowUploads = new SlowUploads(40)
    const connection = begin('content-length: 10')
    connection.write('abc')
    await eventually(() => outcome === 'http_408')
    outcome = undefined
    sink = new RecordingSink(done => void setTimeout(done, 150))
    expect(await post('a'.repeat(100_000))).equal('ok')
    expect(outcome).equal('fed')
    slowUploads.close()
  })

  it('ends if the client disconnects or the body breaks', async () => {
    const connection = begin('content-length: 10')
    connection.write('abc')
    await eventually(() => sink.text === 'abc')
    connection.socket.resetAndDestroy()
    await eventually(() => outcome === 'http_400')

    outcome = undefined
    sink = new RecordingSink()
    const broken = begin('content-length: 10')
    broken.write('abc')
    await eventually(() => sink.text === 'abc')
    breakBody(exchange!.req, failure('http_408', {}))
    await eventually(() => outcome === 'http_408')
    broken.socket.destroy()
  })

  it('does not start for a client that has disconnected', async () => {
    const gone = { req: { destroyed: false }, gone: true } as PipedSource
    const thrown = await feedBody(gone, sink, LIMIT).catch((error: unknown) => error)
    expect(thrown).instanceOf(GatewayError).include({ code: 'http_400' })
  })
})
