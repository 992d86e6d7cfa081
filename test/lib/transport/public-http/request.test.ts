import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { AddressGuard } from '../../../../lib/transport/public-http/addresses.ts'
import type { Resolve } from '../../../../lib/transport/public-http/dns.ts'
import { PublicHttp, publicUrl } from '../../../../lib/transport/public-http/request.ts'
import { testProxy } from '../../../support/tunnels.ts'

/** Allowed, unlike all other addresses of 127.0.0.0/8. */
const OUTSIDE = '127.0.0.2'

const names =
  (table: Readonly<Record<string, readonly string[]>>): Resolve =>
  host =>
    Promise.resolve(table[host] ?? [])

async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'not refused'
  } catch (thrown) {
    return (thrown as Error).message
  }
}

describe('requests to public addresses', () => {
  const servers: http.Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  const serve = async (
    answer: (req: IncomingMessage, res: ServerResponse) => void,
    host = OUTSIDE,
  ): Promise<number> => {
    const server = http.createServer(answer)
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, host, resolve))
    return (server.address() as AddressInfo).port
  }
  const client = (table: Readonly<Record<string, readonly string[]>> = {}, proxy?: string) =>
    new PublicHttp(new AddressGuard([OUTSIDE]), names(table), proxy)
  const post = (to: PublicHttp, url: string, signal = AbortSignal.timeout(60_000)) =>
    to.request(publicUrl(url), { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' }, signal)

  it('send a body to the address that was checked, with the name as host', async () => {
    const seen: string[] = []
    const port = await serve(async (req, res) => {
      let body = ''
      for await (const piece of req.setEncoding('utf8')) body += piece
      seen.push(`${req.method} ${req.headers.host} ${req.headers['content-length']} ${body}`)
      res.writeHead(204).end()
    })
    let asked = 0
    const rebinding: Resolve = () => Promise.resolve([asked++ === 0 ? OUTSIDE : '127.0.0.1'])
    const response = await post(new PublicHttp(new AddressGuard([OUTSIDE]), rebinding), `http://hooks.test:${port}/a`)
    response.destroy()
    expect(response.statusCode).equal(204)
    expect(seen).deep.equal([`POST hooks.test:${port} 5 hello`])
    expect(asked).equal(1)
  })

  it('are refused for every other address, without a connection', async () => {
    let reached = 0
    const port = await serve(() => void reached++, '127.0.0.1')
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
      '169.254.169.254',
    ])
      expect(await refusalOf(() => post(client(), `http://${host}:${port}/`)), host).equal('the address is not public')
    const table = { 'mixed.test': [OUTSIDE, '127.0.0.1'] }
    expect(await refusalOf(() => post(client(table), `http://mixed.test:${port}/`))).equal('the address is not public')
    expect(await refusalOf(() => post(client(), `http://none.test:${port}/`))).equal('the host has no address')
    expect(reached).equal(0)
  })

  it('are refused for URLs of another kind', async () => {
    const reasons = ['ftp://a.test/', 'https://user:pass@a.test/', 'no url', `https://a.test/${'a'.repeat(9000)}`].map(
      url => refusalOf(() => publicUrl(url)),
    )
    expect(await Promise.all(reasons)).deep.equal([
      'the scheme is not http or https',
      'the URL has credentials',
      'no URL',
      'the URL is too long',
    ])
  })

  it('follow no redirect', async () => {
    const port = await serve((_req, res) => res.writeHead(307, { location: 'http://127.0.0.1/' }).end())
    const response = await post(client(), `http://${OUTSIDE}:${port}/`)
    response.destroy()
    expect(response.statusCode).equal(307)
  })

  it('end with their signal', async () => {
    const port = await serve(() => {})
    const failed = await post(client(), `http://${OUTSIDE}:${port}/`, AbortSignal.timeout(50)).catch(error => error)
    expect(failed.name).equal('AbortError')
  })

  it('name the checked address to a proxy', async () => {
    const port = await serve((_req, res) => res.writeHead(204).end())
    const proxy = await testProxy()
    const response = await post(client({ 'hooks.test': [OUTSIDE] }, proxy.url), `http://hooks.test:${port}/a`)
    response.destroy()
    proxy.close()
    expect(response.statusCode).equal(204)
    expect(proxy.asked).deep.equal([{ target: `http://${OUTSIDE}:${port}/a`, host: `hooks.test:${port}` }])
  })
})
