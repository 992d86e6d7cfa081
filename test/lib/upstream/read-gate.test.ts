import net, { type AddressInfo, type Server, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { ReadableOptions } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ReadGate } from '../../../lib/upstream/read-gate.ts'
import { eventually } from '../../support/gateway.ts'

describe('upstream/read-gate', () => {
  const servers: Server[] = []
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) server.close()
  })

  /** A socket to a server that sends as many bytes at once. */
  const reading = (bytes: number) => connected(backend => backend.end(Buffer.alloc(bytes)))

  async function connected(send: (backend: Socket) => void) {
    const server = net.createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      send(socket)
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const options: TcpNetConnectOpts & ReadableOptions = { port, highWaterMark: 16 * 1024 }
    const socket = net.connect(options)
    sockets.push(socket)
    return { socket, gate: new ReadGate(socket) }
  }

  it('lets a socket be read to its end', async () => {
    const { socket } = await reading(1_000_000)
    let read = 0
    for await (const piece of socket) read += (piece as Buffer).length
    expect(read).equal(1_000_000)
  })

  it('reads nothing ahead of what is given back while it is closed, however often that is taken', async () => {
    const { socket, gate } = await reading(4_000_000)
    let most = 0
    let read = 0
    let rounds = 0
    /** As a parser does that may pass on 1000 bytes at a time. */
    const take = () => {
      gate.open()
      const data = socket.read() as Buffer | null
      if (data === null) return void socket.once('readable', take)
      rounds++
      read += Math.min(data.length, 1000)
      socket.unshift(data.subarray(1000))
      gate.close()
      most = Math.max(most, socket.readableLength)
      setImmediate(take)
    }
    socket.once('readable', take)
    await eventually(() => rounds > 1000, 'a thousand rounds')
    expect(most).within(16_384, 16_384 + 65_536)
    expect(read).least(1_000_000)
  })

  it('keeps hardly more memory than what is given back takes, and copies that no more often than it must', async () => {
    const { socket, gate } = await reading(4_000_000)
    await new Promise(resolve => socket.once('readable', resolve))
    gate.close()
    let rest = socket.read() as Buffer
    let copies = 0
    for (let left = rest.length; left > 0; left -= 100) {
      const { buffer } = rest
      socket.unshift(rest.subarray(rest.length - left))
      rest = socket.read() as Buffer
      expect(rest.length).equal(left)
      expect(rest.buffer.byteLength).most(left / 0.75 + 1)
      if (rest.buffer !== buffer) copies++
    }
    // Each of them has a quarter less.
    expect(copies).most(40)
  })

  it('leaves what comes to the system when it is stopped, also where the stream was not full', async () => {
    let sendMore!: () => void
    const { socket, gate } = await connected(backend => {
      backend.write('first')
      sendMore = () => backend.write(Buffer.alloc(4_000_000))
    })
    await new Promise(resolve => socket.once('readable', resolve))
    socket.read()
    await new Promise(resolve => setImmediate(resolve))
    gate.stop()
    sendMore()
    await sleep(50)
    expect(socket.readableLength).equal(0)
    gate.open()
    await eventually(() => socket.readableLength > 0, 'reading on')
  })

  it('reads nothing after the socket has been destroyed', async () => {
    const { socket, gate } = await reading(4_000_000)
    await new Promise(resolve => socket.once('readable', resolve))
    gate.close()
    socket.read()
    socket.destroy()
    gate.open()
    await new Promise(resolve => setImmediate(resolve))
    expect(socket.readableLength).equal(0)
  })
})
