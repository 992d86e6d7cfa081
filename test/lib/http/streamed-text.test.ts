/** On real sockets: what Node decides about a connection depends on the request that its parser has read. */
import { readFileSync } from 'node:fs'
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { StreamedText } from '../../../lib/http/streamed-text.ts'
import { RawConnection } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
const CERTIFICATE = { cert: pem('cert'), key: pem('key') }

const ASKED = 'GET / HTTP/1.1\r\nHost: a\r\n'

/** The texts in the frames of a body, and what follows the last frame. Throws where the framing is not that of RFC 9112. */
function unframed(received: string): { readonly texts: string[]; readonly rest: string } {
  const texts: string[] = []
  let bytes = Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1')
  for (;;) {
    const end = bytes.indexOf('\r\n')
    const size = bytes.toString('latin1', 0, end)
    if (!/^[0-9a-f]+$/.test(size)) throw new Error(`not a size: ${size}`)
    const length = Number.parseInt(size, 16)
    const after = end + 2 + length
    if (bytes.toString('latin1', after, after + 2) !== '\r\n') throw new Error('a frame has another length')
    if (length === 0) return { texts, rest: bytes.toString('latin1', after + 2) }
    texts.push(bytes.toString('utf8', end + 2, after))
    bytes = bytes.subarray(after + 2)
  }
}

describe('http/streamed-text', () => {
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
      res.writeHead(200, ['content-type', 'text/event-stream'])
      const body = new StreamedText(res)
      for (const text of texts.slice(0, -1)) body.write(text)
      body.end(texts.at(-1))
    }
  afterEach(async () => {
    for (const { socket } of connections.splice(0)) socket.destroy()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })

  it('writes a frame for each text, with its length in bytes, and the end', async () => {
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
    expect(received.split('\r\n\r\n')[1]).equal(Buffer.from('one ü two').toString('latin1'))
  })

  it('sends no body and no frame for HEAD', async () => {
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
      res.writeHead(200, [])
      const body = new StreamedText(res)
      body.write('half')
      setImmediate(() => res.destroy())
    })
    const received = await ask(`${ASKED}\r\n`).closed
    expect(received).match(/4\r\nhalf\r\n$/)
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
      res.writeHead(200, [])
      const body = new StreamedText(res)
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
      res.writeHead(200, [])
      const body = new StreamedText(res)
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
    const bodies: StreamedText[] = []
    await serve((_req, res) => {
      res.writeHead(200, [])
      const body = new StreamedText(res)
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
    const bodies: StreamedText[] = []
    let isClosed = false
    let queued: ServerResponse | undefined
    await serve((_req, res) => {
      res.writeHead(200, [])
      const body = new StreamedText(res)
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
      res.writeHead(200, [])
      const body = new StreamedText(res)
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
    await eventually(() => connection.received.split('\r\n').filter(line => line === piece).length === 20)
    expect(connection.received).not.contain('late')
    expect(errors).deep.equal([])
  })

  it('ends behind texts that wait for the client', async () => {
    const piece = 'x'.repeat(1_000_000)
    let hasEnded = false
    await serve((_req, res) => {
      res.writeHead(200, [])
      const body = new StreamedText(res)
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

  it('is the same over TLS', async () => {
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
