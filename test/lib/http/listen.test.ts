import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { pino } from 'pino'
import { closeServer, listen, urlOf } from '../../../lib/http/listen.ts'
import { RawConnection } from '../../support/connection.ts'
import { eventually } from '../../support/gateway.ts'
import { silent } from '../../support/stores.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

const SOMAXCONN = '/proc/sys/net/core/somaxconn'

/** Opens connections, and counts those that are open. */
const CROWD = `
const net = require('node:net')
const { parentPort, workerData: { port, count, connected } } = require('node:worker_threads')
parentPort.postMessage('ready')
for (let i = 0; i < count; i++) {
  net.connect(port, '127.0.0.1', () => {
    Atomics.add(connected, 0, 1)
    Atomics.notify(connected, 0)
  }).on('error', () => {})
}`

describe('listening', () => {
  const open: Server[] = []
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const started = async (host = '127.0.0.1', listener?: Parameters<typeof createServer>[1]) => {
    const server = createServer(listener ?? ((_req, res) => void res.end('answer')))
    open.push(server)
    await listen(server, { host, port: 0 }, log)
    return server
  }
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  it('returns the address of a server, also on IPv6', async () => {
    const server = await started()
    expect(await (await fetch(urlOf(server, 'http'))).text()).equal('answer')
    const six = await started('::1')
    expect(urlOf(six, 'https')).match(/^https:\/\/\[::1\]:\d+$/)
  })

  it('keeps more connections than Node does while the event loop is busy', async function () {
    const COUNT = 1000
    const allowed = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0
    if (allowed < COUNT) return this.skip()
    const { port } = new URL(urlOf(await started(), 'http'))
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const crowd = new Worker(CROWD, { eval: true, workerData: { port: Number(port), count: COUNT, connected } })
    await once(crowd, 'message')
    // Nothing is accepted before this returns: what is connected by then waits in the backlog.
    for (let seen = 0; seen < COUNT && Atomics.wait(connected, 0, seen, 5000) !== 'timed-out'; )
      seen = Atomics.load(connected, 0)
    const waiting = Atomics.load(connected, 0)
    await crowd.terminate()
    expect(waiting).equal(COUNT)
  })

  it('rejects where the port is taken', async () => {
    const { port } = new URL(urlOf(await started(), 'http'))
    const other = createServer()
    const problem = await listen(other, { host: '127.0.0.1', port: Number(port) }, log).catch((error: unknown) => error)
    expect(problem).include({ code: 'EADDRINUSE' })
  })

  it('survives connections that cannot be accepted, and logs that at intervals', async () => {
    const server = await started()
    lines.length = 0
    for (let i = 0; i < 3; i++) server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }))
    expect(lines).lengthOf(1)
    expect(lines[0]).contain('a connection could not be accepted').and.contain('ENFILE')
    expect(await (await fetch(urlOf(server, 'http'))).text()).equal('answer')
  })

  it('closes idle connections at once, and lets a response in progress end', async () => {
    const held = Promise.withResolvers<void>()
    const server = await started(undefined, async (req, res) => {
      if (req.url === '/now') return void res.end('answer')
      res.write('begun')
      await held.promise
      res.end('ended')
    })
    const idle = new RawConnection(urlOf(server, 'http'))
    idle.write(REQUEST.replace('/', '/now'))
    await idle.until('answer')
    const busy = new RawConnection(urlOf(server, 'http'))
    busy.write(REQUEST)
    await busy.until('begun')
    const closed = closeServer(server, 60_000, silent)
    await idle.closed
    held.resolve()
    expect(await busy.closed).contain('ended')
    await closed
  })

  it('answers what waits to be accepted when it closes', async () => {
    const server = await started()
    const url = urlOf(server, 'http')
    // The kernel has accepted all of these before the event loop turns.
    const waiting = Array.from({ length: 20 }, () => new RawConnection(url))
    for (const connection of waiting) connection.write(REQUEST)
    await closeServer(server, 60_000, silent)
    for (const connection of waiting) expect(await connection.closed).contain('answer')
  })

  it('when the time is up, lets the responses be ended, then closes what is left', async () => {
    const server = await started(undefined, (_req, res) => void res.write('begun'))
    const connection = new RawConnection(urlOf(server, 'http'))
    connection.write(REQUEST)
    await connection.until('begun')
    let givenUp = 0
    const closed = closeServer(server, 20, silent, () => void givenUp++)
    await eventually(() => givenUp === 1, 'the end of the time')
    expect(connection.socket.closed).equal(false)
    await closed
    await connection.closed
    expect(givenUp).equal(1)
  })
})
