/** Real receivers over sockets. Their signatures are verified as in the specification, by test/support/receiver.ts. */
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { customerWebhooks } from '../../../lib/process/customer-webhooks.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'

const MESSAGE = { id: 'msg_1', body: '{"type":"alert.test","data":{}}' }

describe("webhooks of customers' alerts", () => {
  let receiver: Receiver
  const servers: http.Server[] = []
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver.close()
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  const webhooks = (allow: string[] = ['127.0.0.1'], timeoutMs?: number, addresses: readonly string[] = []) =>
    customerWebhooks({ image_fetch: { allow } }, { resolve: async () => addresses, ...(timeoutMs && { timeoutMs }) })
  const serve = async (answer: RequestListener): Promise<string> => {
    const server = http.createServer(answer)
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  const failureOf = async (url: string, from = webhooks()): Promise<string> => {
    const seconds = Math.floor(Date.now() / 1000)
    return from.send(url, SECRET, MESSAGE, seconds).then(
      () => 'sent',
      error => (error as Error).message,
    )
  }

  it('are signed as Standard Webhooks', async () => {
    expect(await failureOf(receiver.url)).equal('sent')
    expect(receiver.deliveries).length(1)
    expect(receiver.deliveries[0]).deep.include({ id: 'msg_1', isSigned: true, body: JSON.parse(MESSAGE.body) })
  })

  it('reach public addresses alone, and do not tell which names the internal network has', async () => {
    const unknown = 'The host of the URL has no public address.'
    const closed = webhooks([])
    expect(await failureOf(receiver.url, closed)).equal(unknown)
    expect(await closed.problemOf(receiver.url)).equal(unknown)
    expect(await webhooks([], 5000, ['10.0.0.1']).problemOf('https://db.internal/')).equal(unknown)
    expect(await webhooks([], 5000, []).problemOf('https://none.internal/')).equal(unknown)
    expect(await webhooks([], 5000, ['8.8.8.8']).problemOf('https://hooks.test/')).equal(null)
    expect(receiver.deliveries).deep.equal([])
  })

  it('say in words why a URL cannot be used', async () => {
    const problems = ['no url', 'ftp://a.test', 'https://u:p@a.test', `https://${'a'.repeat(9000)}`].map(url =>
      webhooks().problemOf(url),
    )
    expect(await Promise.all(problems)).deep.equal([
      'This is no URL, such as https://example.com/alerts.',
      'The URL must begin with https:// or http://.',
      'The URL must not contain a user name or password: verify the signature instead.',
      'The URL is too long.',
    ])
  })

  it('fail with every answer but 2xx, and follow no redirect', async () => {
    receiver.answers.push(500, 410)
    expect(await failureOf(receiver.url)).equal('The answer had status 500 instead of 2xx.')
    expect(await failureOf(receiver.url)).equal('The answer had status 410 instead of 2xx.')
    const from = await serve((_req, res) => res.writeHead(307, { location: receiver.url }).end())
    expect(await failureOf(from)).equal('The answer was a redirect (307), which is not followed.')
    expect(receiver.deliveries).length(2)
  })

  it('fail when the receiver is slow, gone or no HTTP server', async () => {
    const slow = await serve(() => {})
    expect(await failureOf(slow, webhooks(undefined, 100))).equal('There was no answer within 0.1 s.')
    const { url } = receiver
    await receiver.close()
    expect(await failureOf(url)).equal('The connection was refused.')
    const broken = await serve((_req, res) => res.destroy())
    expect(await failureOf(broken)).equal('The connection failed (ECONNRESET).')
    expect(await failureOf(broken.replace('http:', 'https:'))).match(/^The connection failed \(|^The TLS certificate/)
  })

  it('have five seconds', async () => {
    const slow = await serve(() => {})
    const start = performance.now()
    expect(await failureOf(slow)).equal('There was no answer within 5 s.')
    expect(performance.now() - start).within(4900, 30_000)
  })
})
