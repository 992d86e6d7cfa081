import http, { type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { RequestQueue } from '../../../lib/http/request-queue.ts'
import { RawConnection } from '../../support/connection.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { eventually } from '../../support/gateway.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

// docs/adr/0022-pipelined-requests-wait.md
describe('http/request-queue', () => {
  let server: Server | undefined
  /** Requests that have begun, and their responses. */
  const begun: string[] = []
  const responses: ServerResponse[] = []

  async function started(answer: RequestListener = () => {}) {
    const queue = new RequestQueue((req, res) => {
      begun.push(req.url!)
      responses.push(res)
      answer(req, res)
    })
    server = http.createServer(queue.add)
    await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
    return { queue, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  afterEach(async () => {
    begun.length = responses.length = 0
    server?.closeAllConnections()
    await new Promise(resolve => (server === undefined ? resolve(null) : server.close(resolve)))
  })

  it('begins a request at once where none runs on its connection', async () => {
    const { url } = await started((_req, res) => res.end('done'))
    const connection = new RawConnection(url)
    for (const path of ['/1', '/2']) {
      connection.write(get(path))
      await eventually(() => begun.at(-1) === path, path)
    }
    connection.socket.destroy()
  })

  it('begins a pipelined request when the response before it is complete', async () => {
    const { url } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2') + get('/3'))
    for (const count of [1, 2, 3]) {
      await eventually(() => begun.length === count, `request ${count}`)
      await new Promise(setImmediate)
      expect(begun).deep.equal(['/1', '/2', '/3'].slice(0, count))
      responses.at(-1)!.end(`answer ${count}`)
    }
    await connection.until('answer 3')
    connection.socket.destroy()
  })

  it('keeps nothing of a request on a connection that waits for the next one', async () => {
    const kept: WeakRef<object>[] = []
    const { url, queue } = await started((req, res) => {
      kept.push(new WeakRef(req), new WeakRef(res))
      res.end('done')
    })
    const connection = new RawConnection(url)
    connection.write(get('/1'))
    await connection.until('done')
    responses.length = 0
    await eventually(() => {
      collectGarbage()
      return kept.every(one => one.deref() === undefined)
    }, 'request and response are garbage')
    connection.write(get('/2'))
    await eventually(() => begun.length === 2, 'the connection is still of use')
    expect(queue).instanceof(RequestQueue)
    connection.socket.destroy()
  })

  it('keeps the connections apart', async () => {
    const { url } = await started()
    const connections = ['/1', '/2'].map(path => {
      const connection = new RawConnection(url)
      connection.write(get(path))
      return connection
    })
    await eventually(() => begun.length === 2, 'both requests')
    for (const { socket } of connections) socket.destroy()
  })

  it('begins no request whose client has disconnected', async () => {
    const { url } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2'))
    await eventually(() => begun.length === 1, 'the first request')
    connection.socket.destroy()
    await eventually(() => responses[0]!.destroyed, 'the close')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(begun).deep.equal(['/1'])
  })

  it('closes a connection on which more than a hundred requests wait', async () => {
    const { url } = await started()
    const kept = new RawConnection(url)
    kept.write(get('/').repeat(101))
    await eventually(() => begun.length === 1, 'the first request')
    const closed = new RawConnection(url)
    closed.write(get('/').repeat(102))
    expect(await closed.closed).equal('')
    expect(kept.socket.destroyed).equal(false)
    kept.socket.destroy()
  })

  it('returns the last incomplete response of a connection', async () => {
    const { url, queue } = await started()
    const connection = new RawConnection(url)
    connection.write(get('/1') + get('/2'))
    await eventually(() => begun.length === 1, 'the first request')
    const { socket } = responses[0]!.req
    expect(queue.unfinished(socket)?.req.url).equal('/2')
    responses[0]!.end()
    await eventually(() => begun.length === 2, 'the second request')
    expect(queue.unfinished(socket)).equal(responses[1])
    responses[1]!.end()
    await eventually(() => queue.unfinished(socket) === undefined, 'the end')
    connection.socket.destroy()
  })
})
