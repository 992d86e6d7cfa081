import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { discardBody, isUnread, isWorthReading } from '../../../lib/body/discard.ts'
import { RawConnection } from '../../support/connection.ts'
import { drained } from '../../support/drained.ts'
import { eventually } from '../../support/gateway.ts'

/** Answers every request before its body is read. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, { 'content-length': 2 }).write('ok')
  if (isUnread(req)) discardBody(req, () => res.end())
  else res.end()
}

const head = (...lines: string[]) => `POST / HTTP/1.1\r\nhost: a\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`
const answers = ({ received }: RawConnection) => received.split('HTTP/1.1 200 OK').length - 1

// docs/DESIGN.md#early-answers
describe('body/discard', () => {
  let server: Server
  let url: string

  before(async () => {
    server = http.createServer(answer)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  it('discards the bodies of many connections, some at a time', async () => {
    const connections = Array.from({ length: 30 }, () => {
      const connection = new RawConnection(url)
      connection.write(`${head('content-length: 1200000')}${'x'.repeat(1_200_000)}`)
      connection.write(`${head('content-length: 4')}true`)
      return connection
    })
    await eventually(() => connections.every(connection => answers(connection) === 2), 'all answers')
    for (const { socket } of connections) socket.destroy()
  })

  it('discards a body, then the connection serves the next request', async () => {
    const connection = new RawConnection(url)
    connection.write(`${head('content-length: 500000')}${'x'.repeat(500_000)}`)
    connection.write(`${head('content-length: 4')}true`)
    await eventually(() => answers(connection) === 2, 'both answers')
    connection.socket.destroy()
  })

  it('discards a body only up to a limit', async () => {
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
      if (!connection.socket.write(chunk, 'latin1')) await Promise.race([drained(connection.socket), connection.closed])
      else await new Promise(setImmediate)
    }
    expect(chunks).within(60, 199)
  })

  const message = (headers: http.IncomingHttpHeaders, complete = false) => ({ headers, complete }) as IncomingMessage

  it('is not unread after a whole body, and without a body', () => {
    expect(isUnread(message({}))).equal(false)
    expect(isUnread(message({ 'content-length': '0' }))).equal(false)
    expect(isUnread(message({ 'content-length': '1' }))).equal(true)
    expect(isUnread(message({ 'transfer-encoding': 'chunked' }))).equal(true)
    expect(isUnread(message({ 'content-length': '1' }, true))).equal(false)
  })

  it('reads short bodies instead of closing their connections', () => {
    expect(isWorthReading(message({ 'content-length': '1000' }))).equal(true)
    expect(isWorthReading(message({ 'content-length': '2000000' }))).equal(false)
    expect(isWorthReading(message({ 'transfer-encoding': 'chunked' }))).equal(false)
    expect(isWorthReading(message({ 'content-length': '1000', expect: '100-continue' }))).equal(false)
  })
})
