import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { turns } from '../../../lib/base/turns.ts'
import { unlimitedBodies } from '../../../lib/body/bodies.ts'
import type { BodyCharge } from '../../../lib/body/budget.ts'
import { LARGE_BYTES } from '../../../lib/body/intake.ts'
import { discardBody, isUnread, readBody } from '../../../lib/body/read.ts'
import { breakBody, brokenBodyError, onBodyBroken } from '../../../lib/body/reading.ts'
import { failure, GatewayError } from '../../../lib/errors/errors.ts'
import { RawConnection } from '../../support/connection.ts'
import { drained } from '../../support/drained.ts'
import { eventually } from '../../support/gateway.ts'
import { holdTurns } from '../../support/held-turns.ts'

const LIMIT = 10

/** What readBody() made of a request: its bytes as text, or the refusal's code. */
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
    const { budget, watch } = bodies
    const charge = budget.open('a')
    charges.push(charge)
    return { charge, watch }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests.push(req)
    try {
      outcomes.push({ text: String((await readBody(sourceOf(req, res), limit, true, host())).value) })
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

  /** Sends these pieces, each a moment after the one before, and waits for the outcome. */
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

  it('returns the value, framed by length or by chunks, however the pieces arrive', async () => {
    expect(await sent(`${head('content-length: 5')}12345`)).deep.equal({ text: '12345' })
    outcomes = []
    expect(await sent(head('content-length: 5'), '12', '3', '45')).deep.equal({ text: '12345' })
    outcomes = []
    const chunks = ['2\r\n12\r\n', '3\r\n345\r\n', '0\r\n\r\n']
    expect(await sent(head('transfer-encoding: chunked'), ...chunks)).deep.equal({ text: '12345' })
    outcomes = []
    expect(await sent(head('content-length: 0'))).include({ code: 'invalid_json_request' })
  })

  it('parses nothing of a large body while others have the time of each tick', async () => {
    limit = 10 * LARGE_BYTES
    const text = JSON.stringify(['x'.repeat(2 * LARGE_BYTES), 1])
    const release = holdTurns(turns)
    const connection = new RawConnection(url)
    // What makes the body large is refused as soon as it is parsed.
    connection.write(`${head(`content-length: ${text.length}`)}}${text.slice(1)}`)
    try {
      await eventually(() => requests.length === 1, 'the request')
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(outcomes).deep.equal([])
      expect(bodies.watch.count, 'bodies that have begun').equal(0)
    } finally {
      release()
    }
    await eventually(() => outcomes.length === 1, 'the outcome')
    expect(outcomes[0]).include({ code: 'invalid_json_request' })
    connection.socket.destroy()
  })

  it('takes all parts of a large body, although its end is known before they have had their turns', async () => {
    limit = 10 * LARGE_BYTES
    // As on a busy machine: each part has to wait for its turn.
    Object.defineProperty(turns, 'isFree', { configurable: true, get: () => false })
    try {
      for (let extra = 0; extra < 8; extra++) {
        outcomes = []
        const numbers = (2 * LARGE_BYTES + extra * 20_000) / 7
        const text = JSON.stringify(Array.from({ length: numbers }, (_, i) => 100_000 + i))
        const connection = new RawConnection(url)
        connection.write(`${head(`content-length: ${text.length}`)}${text}`)
        await eventually(() => outcomes.length === 1, 'the outcome')
        expect(outcomes[0]).deep.equal({ text: String(JSON.parse(text)) })
        connection.socket.destroy()
      }
    } finally {
      Reflect.deleteProperty(turns, 'isFree')
    }
  })

  it('asks for turns in the name of its account', async () => {
    limit = 10 * LARGE_BYTES
    const text = JSON.stringify(['x'.repeat(2 * LARGE_BYTES)])
    const accounts = new Set<string | undefined>()
    const connection = new RawConnection(url)
    Object.defineProperty(turns, 'isFree', { configurable: true, get: () => false })
    turns.next = async account => void accounts.add(account)
    try {
      connection.write(`${head(`content-length: ${text.length}`)}${text}`)
      await eventually(() => outcomes.length === 1, 'the outcome')
    } finally {
      Reflect.deleteProperty(turns, 'isFree')
      Reflect.deleteProperty(turns, 'next')
    }
    expect([...accounts]).deep.equal(['a'])
    connection.socket.destroy()
  })

  describe('a dense body', () => {
    const objects = 100_000
    const text = `[${Array<string>(objects).fill('{}').join(',')}]`
    const weightSoFar = () => bodies.budget.used - text.length

    beforeEach(() => {
      limit = 10 * LARGE_BYTES
    })

    /** Sends all of it but the end, and waits until it has come. */
    async function begun(): Promise<RawConnection> {
      const connection = new RawConnection(url)
      connection.write(`${head(`content-length: ${text.length}`)}${text.slice(0, -1)}`)
      await eventually(() => requests.length === 1, 'the request')
      await eventually(() => weightSoFar() > 0, 'the first values')
      await new Promise(resolve => setTimeout(resolve, 100))
      return connection
    }

    it('is charged for few values until all of it is there, and parsed then', async () => {
      const connection = await begun()
      expect(weightSoFar()).below(1_500_000)
      connection.write(']')
      await eventually(() => outcomes.length === 1, 'the outcome')
      expect(outcomes[0]).deep.equal({ text: String(JSON.parse(text)) })
      expect(weightSoFar(), 'charged in the end').above(objects * 64)
      connection.socket.destroy()
    })

    it('is read in turns, although it is only kept', async () => {
      limit = 100 * LARGE_BYTES
      const connection = new RawConnection(url)
      connection.write(`${head(`content-length: ${limit}`)}${text.slice(0, -1)}`)
      await eventually(() => requests.length === 1 && requests[0]!.socket.bytesRead > text.length, 'the first values')
      const release = holdTurns(turns)
      try {
        connection.write(' '.repeat(limit / 2))
        await eventually(() => requests[0]!.isPaused(), 'a pause')
        const { bytesRead } = requests[0]!.socket
        await new Promise(resolve => setTimeout(resolve, 100))
        // What the parser and the stream hold already: a piece of 64 KB each.
        expect(requests[0]!.socket.bytesRead - bytesRead).most(128 * 1024)
        expect(bytesRead).below(limit / 4)
      } finally {
        release()
      }
      await eventually(() => requests[0]!.socket.bytesRead > limit / 2, 'what comes next')
      connection.socket.destroy()
      await eventually(() => outcomes.length === 1, 'the outcome')
    })

    it('is not parsed for a client that has gone', async () => {
      const connection = await begun()
      const release = holdTurns(turns)
      try {
        connection.write(']')
        await eventually(() => requests[0]!.complete, 'the end')
        connection.socket.destroy()
        await eventually(() => requests[0]!.socket.destroyed, 'the close')
      } finally {
        release()
      }
      await eventually(() => outcomes.length === 1, 'the outcome')
      expect(outcomes[0]).include({ code: 'invalid_json_request', message: 'The body ended too early.' })
      expect(weightSoFar()).below(1_500_000)
    })
  })

  it('takes a body of exactly the limit', async () => {
    expect(await sent(`${head(`content-length: ${LIMIT}`)}1234567890`)).deep.equal({ text: '1234567890' })
  })

  it('refuses a larger one by its length alone', async () => {
    const outcome = await sent(head(`content-length: ${LIMIT + 1}`))
    expect(outcome).deep.equal({ code: 'request_body_too_large', message: 'The body is larger than 10 bytes.' })
  })

  it('refuses a larger one by its bytes, as soon as they are too many', async () => {
    const outcome = await sent(head('transfer-encoding: chunked'), '6\r\n123456\r\n', '5\r\n12345\r\n')
    expect(outcome).include({ code: 'request_body_too_large' })
  })

  it('takes bodies as they are: no content encoding', async () => {
    for (const encoding of ['gzip', 'br', 'deflate, gzip', 'x'.repeat(100)]) {
      outcomes = []
      const outcome = await sent(`${head('content-length: 1', `content-encoding: ${encoding}`)}1`)
      expect(outcome, encoding).include({ code: 'http_415' })
      expect('message' in outcome && outcome.message.length).below(120)
    }
    for (const none of ['Identity', '']) {
      outcomes = []
      expect(await sent(`${head('content-length: 1', `content-encoding: ${none}`)}1`)).deep.equal({ text: '1' })
    }
  })

  it('asks for the body only when it is wanted', async () => {
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

  it('asks nothing of a client that speaks HTTP/1.0', async () => {
    const connection = new RawConnection(url)
    connection.write('POST / HTTP/1.0\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n12')
    expect(await connection.closed).not.contain('100 Continue')
    expect(outcomes).deep.equal([{ text: '12' }])
  })

  it('ends when the client disconnects in the middle', async () => {
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 9')}123`)
    await eventually(() => requests.length === 1)
    connection.socket.resetAndDestroy()
    await eventually(() => outcomes.length === 1)
    expect(outcomes[0]).include({ code: 'invalid_json_request' })
  })

  it('ends with the reason when the body cannot be read on, before or after reading began', async () => {
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

  // docs/DESIGN.md#early-answers
  describe('what was not read', () => {
    it('is discarded from many connections, some at a time', async () => {
      const connections = Array.from({ length: 30 }, () => {
        const connection = new RawConnection(url)
        connection.write(`${head('content-length: 1200000')}${'x'.repeat(1_200_000)}`)
        connection.write(`${head('content-length: 4')}true`)
        return connection
      })
      await eventually(() => outcomes.length === 60)
      expect(outcomes.filter(outcome => 'text' in outcome)).lengthOf(30)
      for (const { socket } of connections) socket.destroy()
    })

    it('is discarded from the connection, which then serves the next request', async () => {
      const connection = new RawConnection(url)
      connection.write(`${head('content-length: 500000')}${'x'.repeat(500_000)}`)
      connection.write(`${head('content-length: 4')}true`)
      await eventually(() => outcomes.length === 2)
      expect(outcomes).deep.equal([
        { code: 'request_body_too_large', message: 'The body is larger than 10 bytes.' },
        { text: 'true' },
      ])
      await eventually(() => connection.received.split('HTTP/1.1 200 OK').length === 3)
      connection.socket.destroy()
    })

    it('is discarded up to a limit only', async () => {
      const connection = new RawConnection(url)
      const chunk = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`
      connection.write(head('transfer-encoding: chunked'))
      let chunks = 0
      let open = true
      void connection.closed.then(() => {
        open = false
      })
      while (open && chunks < 200) {
        chunks++
        if (!connection.socket.write(chunk, 'latin1'))
          await Promise.race([drained(connection.socket), connection.closed])
        else await new Promise(setImmediate)
      }
      expect(chunks).within(60, 199)
    })

    it('is nothing after a whole body, and without one', async () => {
      await sent(`${head('content-length: 1')}1`)
      expect(isUnread(requests[0]!)).equal(false)
      const message = (headers: http.IncomingHttpHeaders, complete = false) =>
        ({ headers, complete }) as IncomingMessage
      expect(isUnread(message({}))).equal(false)
      expect(isUnread(message({ 'content-length': '0' }))).equal(false)
      expect(isUnread(message({ 'content-length': '1' }))).equal(true)
      expect(isUnread(message({ 'transfer-encoding': 'chunked' }))).equal(true)
      expect(isUnread(message({ 'content-length': '1' }, true))).equal(false)
    })
  })
})

const request = () => new EventEmitter() as unknown as IncomingMessage
const fault = failure('http_408', {})

describe('body/broken', () => {
  it('notifies a listener once, and reports the error to later callers', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)
    expect(brokenBodyError(req)).equal(undefined)
    breakBody(req, fault)
    breakBody(req, fault)
    expect([told, brokenBodyError(req)]).deep.equal([1, fault])
  })

  it('does not notify a removed listener', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)()
    breakBody(req, fault)
    expect(told).equal(0)
  })

  it('keeps requests apart', () => {
    const broken = request()
    breakBody(broken, fault)
    expect(brokenBodyError(request())).equal(undefined)
  })
})
