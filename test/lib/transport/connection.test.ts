import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { expect } from 'chai'
import { outgoingJson } from '../../../lib/body/index.ts'
import { eventually } from '../../support/gateway.ts'
import { UpstreamBench } from '../../support/upstream.ts'

describe('transport/connection', () => {
  let bench: UpstreamBench
  beforeEach(() => {
    bench = new UpstreamBench()
  })
  afterEach(() => bench.close())

  it('serves one request after the other', async () => {
    const client = bench.client(await bench.server())
    for (let i = 0; i < 3; i++) await bench.answered(client)
    expect(bench.connections).equal(1)
  })

  it('is chosen by its last use: the latest first', async () => {
    const ports: (number | undefined)[] = []
    const waiting: ServerResponse[] = []
    const url = await bench.server((req, res) => {
      ports.push(req.socket.remotePort)
      waiting.push(res)
    })
    const client = bench.client(url)
    const answers = [bench.answered(client), bench.answered(client), bench.answered(client)]
    await eventually(() => waiting.length === 3, 'three requests')
    for (const i of [1, 0, 2]) {
      waiting[i]!.end('{}')
      await answers[i]
    }
    const last = bench.answered(client)
    await eventually(() => waiting.length === 4, 'the next request')
    expect(ports[3]).equal(ports[2])
    waiting[3]!.end('{}')
    await last
    expect(bench.connections).equal(3)
  })

  it('is not reused if the backend announces that it closes it', async () => {
    const client = bench.client(
      await bench.server((_req, res) => res.writeHead(200, { connection: 'close' }).end('{}')),
    )
    for (let i = 0; i < 3; i++) await bench.answered(client)
    expect(bench.connections).equal(3)
    expect(bench.seen).length(3)
  })

  it('is not reused after the backend has closed it, and no request fails', async () => {
    const client = bench.client(await bench.server())
    for (let i = 0; i < 3; i++) {
      await bench.answered(client)
      for (const socket of bench.sockets) socket.end()
      // Sent before the close has been read.
      if (i === 1) await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(bench.connections).equal(3)
    expect(bench.seen).length(3)
  })

  it('serves no second request while the backend, which has answered, has not read the first one', async () => {
    const url = await bench.listen(
      net.createServer({ pauseOnConnect: true }, socket => {
        socket.on('error', () => {})
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'), 20)
      }),
    )
    const client = bench.client(url)
    for (let i = 0; i < 2; i++) await bench.answered(client, { body: outgoingJson('x'.repeat(20_000_000)) })
    expect(bench.connections).equal(2)
  })

  it('serves one request if it was requested as a fresh one', async () => {
    const client = bench.client(await bench.server())
    await bench.answered(client)
    await bench.answered(client, { fresh: true })
    expect(bench.connections).equal(2)
    const { rawHeaders } = bench.seen[1]!
    expect(rawHeaders[rawHeaders.indexOf('connection') + 1]).equal('close')
    await eventually(() => bench.sockets.size === 1, 'the close')
  })
})
