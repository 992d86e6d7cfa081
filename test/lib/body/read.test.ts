import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, createZstdCompress, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect } from 'chai'
import { unlimitedBodies } from '../../../lib/body/bodies.ts'
import { discardBody, isUnread } from '../../../lib/body/discard.ts'
import { makeLazy } from '../../../lib/body/lazy-text.ts'
import type { BodyCharge } from '../../../lib/body/memory.ts'
import {
  abandonBody,
  breakBody,
  brokenBodyError,
  onBodyAbandoned,
  onBodyBroken,
  readBody,
} from '../../../lib/body/read.ts'
import { failure, GatewayError } from '../../../lib/errors/errors.ts'
import { RawConnection } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'

const LIMIT = 10

/** The result of readBody(): the value as JSON, or the refusal. */
type Outcome = { readonly text: string } | { readonly code: string; readonly message: string }

describe('body/read', () => {
  let server: Server
  let url: string
  let outcomes: Outcome[]
  let requests: IncomingMessage[]
  let limit = LIMIT
  const bodies = unlimitedBodies()

  const sourceOf = (req: IncomingMessage, res: ServerResponse) => ({ req, res, headers: req.headers })

  const charges: BodyCharge[] = []
  const host = () => {
    const charge = bodies.memory.open('a')
    charges.push(charge)
    return { charge, slowUploads: bodies.slowUploads }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests.push(req)
    try {
      const { value, texts } = await readBody(sourceOf(req, res), limit, true, host())
      const body = [value]
      if (texts !== null) makeLazy(body, texts)
      outcomes.push({ text: JSON.stringify(body[0]) })
    } catch (thrown) {
      const { code, message } = thrown as GatewayError
      outcomes.push({ code, message })
    }
    const unread = isUnread(req)
    res.writeHead(200, { 'content-length': 2 }).write('ok')
    if (unread) discardBody(req, () => res.end())
    else res.end()
  }

  before(async () => {
    server = http.createServer((req, res) => void serve(req, res))
    server.on('checkContinue', (req, res) => void serve(req, res))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  beforeEach(() => {
    outcomes = []
    requests = []
    limit = LIMIT
  })

  afterEach(() => {
    for (const charge of charges.splice(0)) charge.release()
  })

  after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  const head = (...lines: string[]) => `POST / HTTP/1.1\r\nhost: a\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`

  /** Sends these pieces with pauses, and waits for the outcome. */
  async function sent(...pieces: string[]): Promise<Outcome> {
    const connection = new RawConnection(url)
    for (const piece of pieces) {
      connection.write(piece)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    await eventually(() => outcomes.length > 0, 'an outcome')
    connection.socket.destroy()
    return outcomes[0]!
  }

  it('returns the value, framed by length or by chunks, for any pieces', async () => {
    expect(await sent(`${head('content-length: 5')}12345`)).deep.equal({ text: '12345' })
    outcomes = []
    expect(await sent(head('content-length: 5'), '12', '3', '45')).deep.equal({ text: '12345' })
    outcomes = []
    const chunks = ['2\r\n12\r\n', '3\r\n345\r\n', '0\r\n\r\n']
    expect(await sent(head('transfer-encoding: chunked'), ...chunks)).deep.equal({ text: '12345' })
    outcomes = []
    expect(await sent(head('content-length: 0'))).include({ code: 'invalid_json_request' })
  })

  it('reads a large body, and charges the memory that it uses', async () => {
    limit = 10_000_000
    const text = JSON.stringify([{ text: 'x'.repeat(1_000_000) }, 1])
    for (const framing of [`content-length: ${text.length}`, 'transfer-encoding: chunked']) {
      outcomes = []
      const body = framing.startsWith('c') ? text : `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
      expect(await sent(head(framing), body), framing).deep.equal({ text: JSON.stringify(JSON.parse(text)) })
      expect(charges.at(-1)!.held, framing).within(text.length, text.length + 500)
    }
  })

  it('does not parse the body of a client that has disconnected', async () => {
    limit = 10_000_000
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 1000000')}${'['.repeat(900_000)}`)
    await eventually(() => requests.length === 1, 'the request')
    connection.socket.resetAndDestroy()
    await eventually(() => outcomes.length === 1, 'the outcome')
    expect(outcomes[0]).deep.equal({ code: 'invalid_json_request', message: 'The body ended too early.' })
  })

  it('charges a body of unknown length as it arrives', async () => {
    limit = 10_000_000
    const connection = new RawConnection(url)
    connection.write(`${head('transfer-encoding: chunked')}186a0\r\n"${'x'.repeat(99_999)}\r\n`)
    await eventually(() => requests.length === 1, 'the request')
    await eventually(() => bodies.memory.used > 200_000, 'the charge')
    expect(bodies.memory.used).below(1_000_000)
    connection.write('1\r\n"\r\n0\r\n\r\n')
    await eventually(() => outcomes.length === 1, 'the outcome')
    expect(outcomes[0]).deep.equal({ text: JSON.stringify('x'.repeat(99_999)) })
    connection.socket.destroy()
  })

  it('refuses a body for which there is no memory, before it is read and while it grows', async () => {
    limit = 10_000_000
    bodies.memory.update({ bodiesBytes: 100_000, accountShare: 1, waitMs: 1 })
    const held = bodies.memory.open('b')
    held.grow(60_000)
    try {
      expect(await sent(head('content-length: 50000'))).include({ code: 'gateway_overloaded' })
      outcomes = []
      const chunk = `ea60\r\n"${'x'.repeat(59_999)}\r\n`
      expect(await sent(head('transfer-encoding: chunked'), chunk)).include({ code: 'gateway_overloaded' })
      outcomes = []
      expect(await sent(head('content-length: 200000'))).include({ code: 'request_body_too_large' })
      expect(requests.at(-1)!.readableFlowing, 'what was read').equal(true)
    } finally {
      held.release()
      bodies.memory.update({ bodiesBytes: Number.POSITIVE_INFINITY, accountShare: 1, waitMs: 0 })
    }
  })

  it('waits for memory before it reads, as long as the client is connected', async () => {
    limit = 10_000_000
    bodies.memory.update({ bodiesBytes: 100_000, accountShare: 1, waitMs: 60_000 })
    const held = bodies.memory.open('b')
    held.grow(90_000)
    try {
      const waiting = new RawConnection(url)
      waiting.write(`${head('content-length: 30002')}"${'x'.repeat(30_000)}"`)
      await eventually(() => bodies.memory.waiting === 1, 'the wait')
      const gone = new RawConnection(url)
      gone.write(head('content-length: 30002', 'expect: 100-continue'))
      await eventually(() => bodies.memory.waiting === 2, 'the second wait')
      expect(gone.received).equal('')
      gone.socket.resetAndDestroy()
      await eventually(() => outcomes.length === 1, 'the end of the second')
      expect(outcomes[0]).include({ code: 'invalid_json_request' })
      charges.at(-1)!.release()
      held.release()
      await eventually(() => outcomes.length === 2, 'the first')
      expect(outcomes[1]).deep.equal({ text: JSON.stringify('x'.repeat(30_000)) })
      waiting.socket.destroy()
    } finally {
      held.release()
      bodies.memory.update({ bodiesBytes: Number.POSITIVE_INFINITY, accountShare: 1, waitMs: 0 })
    }
  })

  it('rejects if the body does not progress', async () => {
    bodies.slowUploads.update(20)
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 9')}123`)
    try {
      await eventually(() => outcomes.length === 1, 'the outcome')
      expect(outcomes[0]).include({ code: 'http_408' })
      expect(bodies.slowUploads.count).equal(0)
    } finally {
      bodies.slowUploads.update(Number.POSITIVE_INFINITY)
    }
    connection.socket.destroy()
  })

  it('accepts a body of exactly the limit', async () => {
    expect(await sent(`${head(`content-length: ${LIMIT}`)}1234567890`)).deep.equal({ text: '1234567890' })
  })

  it('refuses a larger body by its Content-Length', async () => {
    const outcome = await sent(head(`content-length: ${LIMIT + 1}`))
    expect(outcome).deep.equal({ code: 'request_body_too_large', message: 'The body is larger than 10 bytes.' })
  })

  it('refuses a larger body of unknown length as soon as it exceeds the limit', async () => {
    const outcome = await sent(head('transfer-encoding: chunked'), '6\r\n123456\r\n', '5\r\n12345\r\n')
    expect(outcome).include({ code: 'request_body_too_large' })
  })

  describe('with a content coding', () => {
    const CODINGS = { gzip: gzipSync, 'X-GZIP': gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }
    /** The outcome of a body that is sent in two pieces, or with its length. */
    const coded = async (coding: string, body: Buffer, isChunked = true): Promise<Outcome> => {
      outcomes = []
      const pieces = [body.subarray(0, body.length / 2), body.subarray(body.length / 2)]
      const request = http.request(url, { method: 'POST', headers: { 'content-encoding': coding } })
      request.on('error', () => {})
      if (!isChunked) request.setHeader('content-length', body.length)
      for (const piece of pieces) {
        request.write(piece)
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      request.end()
      await eventually(() => outcomes.length > 0, 'an outcome')
      request.destroy()
      return outcomes[0]!
    }
    /** Text that compresses, but not by 200. */
    const prose = (bytes: number) => JSON.stringify(Array.from({ length: bytes / 8 }, (_, i) => (i * 7919) % 1_000_003))

    it('decodes it, and charges the decoded bytes', async () => {
      limit = 10_000_000
      const text = prose(1_000_000)
      for (const [coding, compress] of Object.entries(CODINGS)) {
        for (const isChunked of [true, false]) {
          expect(await coded(coding, compress(text), isChunked), coding).deep.equal({ text })
          expect(charges.at(-1)!.held, coding).above(text.length)
        }
      }
    })

    it('limits the decoded bytes', async () => {
      limit = 100_000
      for (const [coding, compress] of Object.entries(CODINGS)) {
        const body = compress(prose(200_000))
        expect(await coded(coding, body), coding).include({ code: 'request_body_too_large' })
      }
    })

    it('refuses a body of more than 200 times the sent bytes long before its end', async () => {
      limit = 100_000_000
      for (const [coding, compress] of Object.entries(CODINGS)) {
        const outcome = await coded(coding, compress(JSON.stringify('a'.repeat(50_000_000))))
        expect(outcome, coding).deep.equal({
          code: 'request_body_too_large',
          message: 'The body is more than 200 times as large as its compressed form.',
        })
        expect(charges.at(-1)!.held, coding).below(40_000_000)
      }
    })

    it('limits the sent bytes, which may have no content', async () => {
      // A block of deflate without content, which is not the last one.
      const empty = Buffer.from([0, 0, 0, 0xff, 0xff])
      const endless = Buffer.concat([gzipSync('').subarray(0, 10), ...new Array<Buffer>(100).fill(empty)])
      expect(await coded('gzip', endless)).include({ code: 'request_body_too_large' })
    })

    it('refuses what is not in the coding, and what is cut off', async () => {
      limit = 1000
      const problem = { code: 'invalid_json_request', message: 'The body is not valid in its Content-Encoding.' }
      for (const [coding, compress] of Object.entries(CODINGS)) {
        expect(await coded(coding, Buffer.from('{"a":1}')), coding).deep.equal(problem)
        const body = compress(prose(200))
        expect(await coded(coding, body.subarray(0, body.length - 12)), coding).deep.equal(problem)
      }
    })

    it('refuses a frame of zstd that needs a large window', async () => {
      limit = 1000
      const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 }
      const stream = createZstdCompress({ params })
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.write('[1]')
      await new Promise<void>(resolve => stream.flush(resolve))
      await new Promise<void>(resolve => stream.end(resolve).resume())
      expect(await coded('zstd', Buffer.concat(pieces))).include({ code: 'invalid_json_request' })
    })
  })

  it('refuses other content codings', async () => {
    for (const encoding of ['deflate', 'gzip, br', 'deflate, gzip', '__proto__', 'x'.repeat(100)]) {
      outcomes = []
      const outcome = await sent(`${head('content-length: 1', `content-encoding: ${encoding}`)}1`)
      expect(outcome, encoding).include({ code: 'http_415' })
      expect('message' in outcome && outcome.message.length).below(130)
    }
    for (const none of ['Identity', '']) {
      outcomes = []
      expect(await sent(`${head('content-length: 1', `content-encoding: ${none}`)}1`)).deep.equal({ text: '1' })
    }
  })

  it('sends 100 Continue only if the body is wanted', async () => {
    const connection = new RawConnection(url)
    connection.write(head('content-length: 2', 'expect: 100-continue'))
    await connection.until('HTTP/1.1 100 Continue\r\n\r\n')
    connection.write('12')
    await connection.until('ok')
    expect(outcomes).deep.equal([{ text: '12' }])
    connection.socket.destroy()

    const refused = new RawConnection(url)
    refused.write(head(`content-length: ${LIMIT + 1}`, 'expect: 100-continue'))
    await refused.until('ok')
    expect(refused.received).not.contain('100 Continue')
    refused.socket.destroy()
  })

  it('sends no 100 Continue to a client of HTTP/1.0', async () => {
    const connection = new RawConnection(url)
    connection.write('POST / HTTP/1.0\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n12')
    expect(await connection.closed).not.contain('100 Continue')
    expect(outcomes).deep.equal([{ text: '12' }])
  })

  it('rejects if the client disconnects in the middle', async () => {
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 9')}123`)
    await eventually(() => requests.length === 1)
    connection.socket.resetAndDestroy()
    await eventually(() => outcomes.length === 1)
    expect(outcomes[0]).include({ code: 'invalid_json_request' })
  })

  it('rejects with the error of a broken body, before or after reading has started', async () => {
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 9')}123`)
    await eventually(() => requests.length === 1)
    breakBody(requests[0]!, failure('http_408', {}))
    await eventually(() => outcomes.length === 1)
    expect(outcomes[0]).include({ code: 'http_408' })
    const again = await readBody(sourceOf(requests[0]!, {} as ServerResponse), LIMIT, true, host()).catch(
      (error: unknown) => error,
    )
    expect(again).instanceOf(GatewayError).and.include({ code: 'http_408' })
    connection.socket.destroy()
  })
})

const request = () => new EventEmitter() as unknown as IncomingMessage
const fault = failure('http_408', {})

describe('body/read: broken bodies', () => {
  it('notifies a listener once, and reports the error to later callers', () => {
    const req = request()
    let calls = 0
    onBodyBroken(req, () => calls++)
    expect(brokenBodyError(req)).equal(undefined)
    breakBody(req, fault)
    breakBody(req, fault)
    expect([calls, brokenBodyError(req)]).deep.equal([1, fault])
  })

  it('does not notify a removed listener', () => {
    const req = request()
    let calls = 0
    onBodyBroken(req, () => calls++)()
    breakBody(req, fault)
    expect(calls).equal(0)
  })

  it('does not affect other requests', () => {
    const broken = request()
    breakBody(broken, fault)
    expect(brokenBodyError(request())).equal(undefined)
  })

  it('notifies the listeners of an abandoned body once', () => {
    const req = request()
    const heard: string[] = []
    onBodyAbandoned(req, () => heard.push('first'))
    onBodyAbandoned(req, () => heard.push('second'))()
    abandonBody(req)
    abandonBody(req)
    expect(heard).deep.equal(['first'])
  })
})
