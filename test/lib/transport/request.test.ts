import { expect } from 'chai'
import { TransportError } from '../../../lib/transport/client.ts'
import { ResponseTooLargeError, request } from '../../../lib/transport/request.ts'
import { eventually } from '../../support/gateway.ts'
import { deadAddress } from '../../support/stub.ts'
import { UpstreamBench } from '../../support/upstream.ts'

const NEVER = new AbortController().signal

describe('transport/request', () => {
  let bench: UpstreamBench
  beforeEach(() => {
    bench = new UpstreamBench()
  })
  afterEach(() => bench.close())

  const ask = (url: string, limits: { signal?: AbortSignal; maxBytes?: number } = {}) =>
    request(
      bench.client(url),
      { method: 'POST', path: '/x', json: { a: 'é' } },
      { signal: NEVER, maxBytes: 1000, ...limits },
    )
  const failure = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

  it('sends JSON and resolves with the whole response, whatever its status', async () => {
    const url = await bench.server((_req, res) => {
      res.writeHead(404, { 'content-type': 'text/x' }).write('not ')
      setTimeout(() => res.end('found'), 10)
    })
    const { status, headers, body } = await ask(url)
    expect([status, headers['content-type'], body.toString()]).deep.equal([404, 'text/x', 'not found'])
    expect(bench.seen[0]).include({ line: 'POST /x HTTP/1.1', body: '{"a":"é"}' })
  })

  it('sends no body without JSON', async () => {
    const client = bench.client(await bench.server())
    await request(client, { method: 'GET', path: '/x' }, { signal: NEVER, maxBytes: 1000 })
    expect(bench.seen[0]).include({ line: 'GET /x HTTP/1.1', body: '' })
  })

  it('rejects with the failure of the transport', async () => {
    expect(await failure(ask(await deadAddress())))
      .instanceOf(TransportError)
      .property('kind', 'connect')
    const url = await bench.server((_req, res) => {
      res.writeHead(200, { 'content-length': 10 }).write('{')
      setTimeout(() => res.destroy(), 10)
    })
    expect(await failure(ask(url)))
      .instanceOf(TransportError)
      .property('kind', 'broken')
  })

  it('rejects if the response is too large, and closes the connection', async () => {
    const url = await bench.server((_req, res) => void res.write('x'.repeat(1001)))
    expect(await failure(ask(url))).instanceOf(ResponseTooLargeError)
    await eventually(() => bench.sockets.size === 0, 'the close')
  })

  it('rejects with the reason of its signal, and closes the connection', async () => {
    const url = await bench.server(() => {})
    const controller = new AbortController()
    const asked = failure(ask(url, { signal: controller.signal }))
    await eventually(() => bench.seen.length === 1, 'the request')
    controller.abort(new Error('enough'))
    expect(await asked).property('message', 'enough')
    await eventually(() => bench.sockets.size === 0, 'the close')
    expect(await failure(ask(url, { signal: AbortSignal.timeout(50) }))).property('name', 'TimeoutError')
    expect(await failure(ask(url, { signal: AbortSignal.abort(new Error('before')) }))).property('message', 'before')
    expect(bench.seen).length(2)
  })
})
