import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Connections } from '../../../lib/http/connections.ts'
import { RequestQueue } from '../../../lib/http/incoming.ts'
import { RawConnection } from '../../support/connection.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { eventually } from '../../support/gateway.ts'

const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url)))
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

describe('connections of an address', () => {
  let server: Server | undefined
  const closed: string[] = []
  let opened: RawConnection[] = []

  /** A server that allows this many. */
  async function started(limit: number, begin: RequestListener = (_req, res) => res.end('ok'), isTls = false) {
    const connections = new Connections(limit)
    connections.onClosed = reason => void closed.push(reason)
    const requests = new RequestQueue(begin)
    server = isTls
      ? https.createServer({ cert: fixture('cert.pem'), key: fixture('key.pem') }, requests.add)
      : http.createServer(requests.add)
    connections.watch(server, socket => requests.isIdle(socket))
    await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
    const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
    const open = () => {
      const connection = new RawConnection(url)
      opened.push(connection)
      return connection
    }
    return { connections, open }
  }

  afterEach(async () => {
    closed.length = 0
    for (const { socket } of opened) socket.destroy()
    opened = []
    server?.closeAllConnections()
    await new Promise(resolve => server?.close(resolve))
  })

  for (const isTls of [false, true]) {
    it(`closes the oldest idle one for a new one${isTls ? ', with TLS' : ''}`, async () => {
      const { connections, open } = await started(2, undefined, isTls)
      const [first, second] = [open(), open()]
      for (const one of [first, second]) {
        one.write(GET)
        await one.until('ok')
      }
      const third = open()
      third.write(GET)
      await third.until('ok')
      await first.closed
      expect(closed).deep.equal(['idle'])
      second.write(GET)
      await eventually(() => second.received.split('ok').length === 3)
      for (const { socket } of opened) socket.destroy()
      await eventually(() => connections.open === 0)
    })
  }

  it('refuses a new one where the others have requests, or have sent nothing yet', async () => {
    const responses: ServerResponse[] = []
    const { connections, open } = await started(2, (_req, res) => void responses.push(res))
    const busy = open()
    busy.write(GET)
    open()
    await eventually(() => responses.length === 1 && connections.open === 2)
    expect(await open().closed).equal('')
    expect(closed).deep.equal(['refused'])
    responses[0]!.end('ok')
    await busy.until('ok')
    const next = open()
    next.write(GET)
    await eventually(() => responses.length === 2)
    expect(closed).deep.equal(['refused', 'idle'])
  })

  it('keeps none that is closed, however long the address has others', async () => {
    const { open } = await started(100)
    const sockets: WeakRef<object>[] = []
    server!.on('connection', socket => void sockets.push(new WeakRef(socket)))
    open()
    await eventually(() => sockets.length === 1)
    // Several at once: as many as let a Set make a larger table, and a smaller one again.
    for (let round = 0; round < 4; round++) {
      const others = Array.from({ length: 10 }, open)
      await eventually(() => sockets.length === 1 + 10 * (round + 1))
      for (const { socket } of others) socket.destroy()
      for (const { closed } of others) await closed
    }
    await eventually(() => {
      collectGarbage()
      return sockets.filter(one => one.deref() !== undefined).length === 1
    }, 'all but the first are garbage')
  })

  it('goes on with the next one where the last search has ended, also if that is closed', async () => {
    const { open, connections } = await started(3)
    const first = [open(), open(), open()]
    for (const one of first) {
      one.write(GET)
      await one.until('ok')
    }
    const [a, b, c] = first as [RawConnection, RawConnection, RawConnection]
    open()
    await a.closed
    // The next search would begin here.
    b.socket.destroy()
    await eventually(() => connections.open === 2)
    open()
    await eventually(() => connections.open === 3)
    open()
    await c.closed
    expect(closed).deep.equal(['idle', 'idle'])
  })

  it('applies a new limit to the next connection', async () => {
    const { connections, open } = await started(1)
    open()
    await eventually(() => connections.open === 1)
    connections.update(2)
    const second = open()
    second.write(GET)
    await second.until('ok')
    expect(closed).deep.equal([])
  })

  it('counts IPv4 by address and IPv6 by network', () => {
    const sameNetwork = (first: string, second: string) => {
      const connections = new Connections(1)
      const emitter = new http.Server()
      connections.watch(emitter, () => false)
      for (const remoteAddress of [first, second])
        emitter.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy: () => {} }))
      return connections.open === 1
    }
    const same: readonly (readonly [string, string])[] = [
      ['10.1.2.3', '10.1.2.3'],
      ['::ffff:10.1.2.3', '10.1.2.3'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::6'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:7:8:9:a'],
      ['2001:db8::6', '2001:db8:0:0:1:2:3:4'],
      ['2001:db8::1:2:3:4:5', '2001:db8:0:1::5'],
      ['::1', '0:0:0:0:1:2:3:4'],
      ['fe80::1%eth0', 'fe80::2%eth1'],
    ]
    for (const [first, second] of same) expect(sameNetwork(first, second), `${first} ${second}`).equal(true)
    const different: readonly (readonly [string, string])[] = [
      ['10.1.2.3', '10.1.2.4'],
      ['2001:db8:1:2::6', '2001:db8:1:3::6'],
      ['2001:db8::6', '2001:db8::1:2:3:4:5'],
    ]
    for (const [first, second] of different) expect(sameNetwork(first, second), `${first} ${second}`).equal(false)
  })

  it('does not count a connection that has no address any more', () => {
    const connections = new Connections(1)
    const emitter = new http.Server()
    connections.watch(emitter, () => false)
    emitter.emit('connection', new EventEmitter())
    expect(connections.open).equal(0)
  })
})
