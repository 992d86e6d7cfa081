import { readFileSync } from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { AddressGuard } from '../../../lib/transport/public-http/addresses.ts'
import type { Resolve } from '../../../lib/transport/public-http/dns.ts'
import { PublicHttp } from '../../../lib/transport/public-http/request.ts'
import { ImageFetcher } from '../../../plugins/images/fetch.ts'
import { testProxy } from '../../support/tunnels.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_URL = `data:image/png;base64,${PNG.toString('base64')}`

/** Allowed for the fetcher, unlike all other addresses of 127.0.0.0/8. */
const OUTSIDE = '127.0.0.2'

interface Server {
  readonly port: number
  connections: number
  close(): void
}

function serve(host: string, answer: (req: IncomingMessage, res: ServerResponse) => void, port = 0): Promise<Server> {
  const server = http.createServer(answer)
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, host, () => {
      const state = {
        port: (server.address() as AddressInfo).port,
        connections: 0,
        close: () => {
          server.closeAllConnections()
          server.close()
        },
      }
      server.on('connection', () => state.connections++)
      resolve(state)
    })
  })
}

const noNames: Resolve = () => Promise.resolve([])
const names =
  (table: Readonly<Record<string, readonly string[]>>): Resolve =>
  host =>
    Promise.resolve(table[host] ?? [])

function fetcher(resolve: Resolve = noNames, allow: readonly string[] = [OUTSIDE], proxy?: string) {
  const images = new ImageFetcher(new PublicHttp(new AddressGuard(allow), resolve, proxy))
  return (url: string, bytes = 1_000_000, signal = AbortSignal.timeout(60_000)) =>
    images.fetch(url, { bytes, charge() {} }, signal)
}

/** The reason of the refusal. */
async function reasonOf(pending: Promise<string>): Promise<string> {
  try {
    return `not refused: ${(await pending).slice(0, 40)}`
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.message.startsWith('image: '))) throw thrown
    return thrown.message
  }
}

describe('images: fetch', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  async function outside(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
    const server = await serve(OUTSIDE, answer)
    servers.push(server)
    return `http://${OUTSIDE}:${server.port}`
  }

  /** An image that must not be reachable, on both loopbacks under one port. */
  async function canary(): Promise<{ port: number; reached: () => number }> {
    const four = await serve('127.0.0.1', (_req, res) => res.end(PNG))
    const both = [four]
    try {
      both.push(await serve('::1', (_req, res) => res.end(PNG), four.port))
    } catch {
      // This machine has no IPv6, or the port is in use there.
    }
    servers.push(...both)
    return { port: four.port, reached: () => both.reduce((sum, { connections }) => sum + connections, 0) }
  }

  it('returns the image as a data: URL of the type that its bytes show', async () => {
    const base = await outside((_req, res) => res.setHeader('content-type', 'text/html').end(PNG))
    expect(await fetcher()(`${base}/a.jpg?x=1#y`)).equal(PNG_URL)
  })

  it('sends no credentials, and requests no compression', async () => {
    let seen: IncomingMessage | undefined
    const base = await outside((req, res) => {
      seen = req
      res.end(PNG)
    })
    await fetcher()(`${base}/a?b=c`)
    expect(seen?.url).equal('/a?b=c')
    expect(seen?.method).equal('GET')
    const { host, ...headers } = seen!.headers
    expect(host).equal(base.slice('http://'.length))
    expect(headers).deep.equal({
      accept: 'image/png, image/jpeg, image/gif, image/webp',
      'accept-encoding': 'identity',
      'user-agent': 'sluiceway',
      connection: 'close',
    })
  })

  it('asks a proxy for the checked address, never for a name', async () => {
    const proxy = await testProxy()
    const base = await outside((_req, res) => res.end(PNG))
    const { port } = new URL(base)
    const fetch = fetcher(names({ 'images.test': [OUTSIDE], 'inner.test': ['127.0.0.1'] }), [OUTSIDE], proxy.url)
    expect(await fetch(`http://images.test:${port}/a?b=c`)).equal(PNG_URL)
    expect(proxy.asked).deep.equal([{ target: `${base}/a?b=c`, host: `images.test:${port}` }])
    expect(await reasonOf(fetch(`http://inner.test:${port}/a`))).equal('image: the address is not public')
    proxy.asked.length = 0
    // No TLS is there: only the way to it counts.
    expect(await reasonOf(fetch(`https://images.test:${port}/a`))).match(/^image: the connection failed/)
    expect(proxy.asked).deep.equal([{ target: `${OUTSIDE}:${port}`, host: `${OUTSIDE}:${port}` }])
    proxy.status = 403
    expect(await reasonOf(fetch(`https://images.test:${port}/a`))).match(/^image: the connection failed/)
    proxy.close()
  })

  it('checks the certificate for the host of the URL behind a proxy', async () => {
    const proxy = await testProxy()
    const file = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url))
    let name: unknown
    const options = {
      ...{ cert: file('cert.pem'), key: file('key.pem') },
      SNICallback: (requested: string, done: (error: null) => void) => {
        name = requested
        done(null)
      },
    }
    const secure = https.createServer(options, (_req, res) => res.end(PNG))
    await new Promise<void>(resolve => secure.listen(0, OUTSIDE, resolve))
    const { port } = secure.address() as AddressInfo
    const fetch = fetcher(names({ localhost: [OUTSIDE] }), [OUTSIDE], proxy.url)
    // Nobody has signed it.
    expect(await reasonOf(fetch(`https://localhost:${port}/a`))).equal(
      'image: the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    )
    expect(name).equal('localhost')
    secure.closeAllConnections()
    secure.close()
    proxy.close()
  })

  it('resolves a name once and connects to the address that it checked', async () => {
    const base = await outside((_req, res) => res.end(PNG))
    let asked = 0
    // A second lookup would return another address, as in DNS rebinding.
    const rebinding: Resolve = () => Promise.resolve(asked++ === 0 ? [OUTSIDE] : ['127.0.0.1'])
    expect(await fetcher(rebinding)(base.replace(OUTSIDE, 'images.example.com'))).equal(PNG_URL)
    expect(asked).equal(1)
  })

  describe('refuses internal addresses', () => {
    /** Ways to write 127.0.0.1, ::1 and other internal addresses, and names for them. */
    const hosts = [
      ...['127.0.0.1', '127.1', '127.0.1', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '017700000001'],
      ...['0x7f.1', '127.0.0.1.', '127.000.000.001', '0', '0.0.0.0', '0x0', '00', '127.255.255.254', '127.0.0.3'],
      ...['①②⑦.⓪.⓪.①', '127。0。0。1', '127｡0｡0｡1', '１２７.０.０.１', '%31%32%37.0.0.1', '127%2e0%2e0%2e1'],
      ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0:127.0.0.1]'],
      ...['[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[::ffff:0.0.0.0]'],
      ...['[2001:0:7f00:1::1]', '[fe80::1]', '[fc00::1]', '[ff02::1]', '[::FFFF:7F00:0001]', '[0000::1]'],
      ...['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'loopback.example.com', 'six.example.com'],
      ...['mixed.example.com', 'mapped.example.com', 'empty.example.com', 'ｌｏｃａｌｈｏｓｔ', 'zero.example.com'],
      ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.100.100.200', '[fd00:ec2::254]'],
      ...['metadata.example.com', 'garbage.example.com', 'scoped.example.com'],
    ]
    const resolve = names({
      localhost: ['127.0.0.1', '::1'],
      'localhost.': ['127.0.0.1'],
      'foo.localhost': ['127.0.0.1'],
      'loopback.example.com': ['127.0.0.1'],
      'six.example.com': ['::1'],
      'mixed.example.com': [OUTSIDE, '127.0.0.1'],
      'mapped.example.com': ['::ffff:127.0.0.1'],
      'zero.example.com': ['0.0.0.0'],
      'metadata.example.com': ['169.254.169.254'],
      'garbage.example.com': ['127.1'],
      'scoped.example.com': ['fe80::1%lo'],
    })

    it(`by any spelling of an address or by any name (${hosts.length} of them)`, async () => {
      const { port, reached } = await canary()
      const get = fetcher(resolve)
      for (const host of hosts) {
        expect(await reasonOf(get(`http://${host}:${port}/a.png`)), host).match(/not public|no address|no URL/)
      }
      expect(reached()).equal(0)
    })

    it('by a redirect, written in any of these ways', async () => {
      const { port, reached } = await canary()
      let host = ''
      const base = await outside((_req, res) =>
        res.writeHead(302, { location: encodeURI(`http://${host}:${port}/`) }).end(),
      )
      const get = fetcher(resolve)
      for (host of hosts) expect(await reasonOf(get(base)), host).match(/not public|no address|no URL/)
      for (const location of [
        `//127.0.0.1:${port}/`,
        `\\\\127.0.0.1:${port}/`,
        `http:127.0.0.1:${port}`,
        `///127.0.0.1:${port}/`,
      ]) {
        const other = await outside((_req, res) => res.writeHead(301, { location }).end())
        expect(await reasonOf(get(other)), location).not.match(/^not refused/)
      }
      expect(reached()).equal(0)
    })

    it('by other schemes, credentials and odd texts', async () => {
      const { port, reached } = await canary()
      const inner = `127.0.0.1:${port}`
      const urls = [`ftp://${inner}/`, `file://${inner}/etc/passwd`, 'file:///etc/passwd', `gopher://${inner}/_GET`, '']
      urls.push(`ws://${inner}/`, `//${inner}/`, inner, `javascript:fetch('http://${inner}')`, `blob:http://${inner}/x`)
      urls.push(`http://user:pass@${inner}/`, `http://${OUTSIDE}@${inner}/`, `http://@${inner}/`, `http:\\\\${inner}/`)
      urls.push(`http://${OUTSIDE}:80@${inner}/`, `http://${inner}#@${OUTSIDE}/`, `http://${inner}?@${OUTSIDE}/`)
      urls.push(
        `http://${OUTSIDE}\\@${inner}/`,
        ` http://${inner}/`,
        `ht\ntp://${inner}/`,
        `http:///${inner}/`,
        `HTTP:${inner}`,
      )
      urls.push(
        `http://[::1%25lo]:${port}/`,
        `http://${inner}\u0000.example.com/`,
        `http://${OUTSIDE}:x@${inner}/`,
        'http://',
      )
      urls.push(`http://${OUTSIDE}/${'x'.repeat(9000)}`, `unix:/var/run/x`, 'null')
      const get = fetcher(resolve)
      for (const url of urls) expect(await reasonOf(get(url)), url.slice(0, 60)).not.match(/^not refused/)
      expect(reached()).equal(0)
    })

    it('for an invalid URL, also if its host is public', async () => {
      const base = await outside((_req, res) => res.end(PNG))
      const host = base.replace(/^http:\/\/|\/$/g, '')
      const reasons: Readonly<Record<string, string>> = {
        [`ftp://${host}/`]: 'the scheme is not http or https',
        [`ws://${host}/`]: 'the scheme is not http or https',
        [`http://user@${host}/`]: 'the URL has credentials',
        [`http://:word@${host}/`]: 'the URL has credentials',
        [`http://${host}/${'x'.repeat(9000)}`]: 'the URL is too long',
      }
      const get = fetcher(resolve)
      for (const [url, reason] of Object.entries(reasons)) {
        expect(await reasonOf(get(url)), url.slice(0, 60)).equal(`image: ${reason}`)
      }
      expect(await get(`http://${host}/`)).equal(PNG_URL)
    })

    it('by a name whose answers are only partly public', async () => {
      const { port, reached } = await canary()
      const get = fetcher(names({ 'a.example.com': [OUTSIDE, OUTSIDE, '10.0.0.1'] }))
      expect(await reasonOf(get(`http://a.example.com:${port}/`))).equal('image: the address is not public')
      expect(reached()).equal(0)
    })

    it('through a proxy of the environment', async () => {
      const { port, reached } = await canary()
      const before = { ...process.env }
      process.env.http_proxy = process.env.HTTP_PROXY = `http://127.0.0.1:${port}`
      process.env.NODE_USE_ENV_PROXY = '1'
      try {
        const base = await outside((_req, res) => res.end(PNG))
        expect(await fetcher()(base)).equal(PNG_URL)
      } finally {
        process.env = before
      }
      expect(reached()).equal(0)
    })
  })

  it('follows at most three redirects', async () => {
    const base = await outside((req, res) => {
      const left = Number(req.url!.slice(1))
      if (left === 0) res.end(PNG)
      else res.writeHead(307, { location: `/${left - 1}` }).end('moved')
    })
    expect(await fetcher()(`${base}/3`)).equal(PNG_URL)
    expect(await reasonOf(fetcher()(`${base}/4`))).equal('image: too many redirects')
  })

  it('refuses every answer but 200', async () => {
    for (const status of [201, 204, 206, 300, 304, 400, 401, 403, 404, 500]) {
      const base = await outside((_req, res) => res.writeHead(status).end(PNG))
      expect(await reasonOf(fetcher()(base)), String(status)).equal('image: the status is not 200')
    }
    const base = await outside((_req, res) => res.writeHead(302).end())
    expect(await reasonOf(fetcher()(base))).equal('image: the status is not 200')
  })

  it('refuses content that is no image or is compressed', async () => {
    const text = await outside((_req, res) => res.setHeader('content-type', 'image/png').end('<html>'))
    expect(await reasonOf(fetcher()(text))).equal('image: the bytes are no image')
    const empty = await outside((_req, res) => res.end())
    expect(await reasonOf(fetcher()(empty))).equal('image: the bytes are no image')
    const gzip = await outside((_req, res) => res.setHeader('content-encoding', 'gzip').end(PNG))
    expect(await reasonOf(fetcher()(gzip))).equal('image: the image is compressed')
  })

  it('stops at the limit of bytes, announced or not', async () => {
    let sent = 0
    const announced = await outside((_req, res) =>
      res.writeHead(200, { 'content-length': 5000 }).end(Buffer.alloc(5000)),
    )
    const endless = await outside((_req, res) => {
      res.writeHead(200)
      const more = () => {
        while (res.write(Buffer.alloc(10_000))) sent += 10_000
      }
      res.on('drain', more)
      more()
    })
    expect(await reasonOf(fetcher()(announced, 4999))).equal('image: too many bytes')
    expect(await reasonOf(fetcher()(endless, 100_000))).equal('image: too many bytes')
    expect(sent).lessThan(20_000_000)
  })

  it('counts the bytes of several images together', async () => {
    const base = await outside((_req, res) => res.end(PNG))
    const images = new ImageFetcher(new PublicHttp(new AddressGuard([OUTSIDE]), noNames))
    const limit = { bytes: PNG.length * 2, charge() {} }
    const signal = AbortSignal.timeout(5000)
    await images.fetch(base, limit, signal)
    await images.fetch(base, limit, signal)
    expect(limit.bytes).equal(0)
    expect(await reasonOf(images.fetch(base, limit, signal))).equal('image: too many bytes')
  })

  it('refuses an image that is incomplete', async () => {
    const base = await outside((_req, res) => {
      res.writeHead(200, { 'content-length': 100 })
      res.write(PNG, () => res.destroy())
    })
    expect(await reasonOf(fetcher()(base))).match(/connection failed|incomplete/)
  })

  it('refuses a server that changes the protocol: Node reports no response for it', async () => {
    const upgrading = http.createServer()
    upgrading.on('connection', socket => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      )
      socket.on('error', () => {})
    })
    await new Promise<void>(resolve => upgrading.listen(0, OUTSIDE, resolve))
    try {
      const { port } = upgrading.address() as AddressInfo
      expect(await reasonOf(fetcher()(`http://${OUTSIDE}:${port}/`))).match(/^image: the connection failed/)
    } finally {
      upgrading.close()
      upgrading.closeAllConnections()
    }
  })

  it('refuses a host that does not answer, without naming it', async () => {
    const server = await serve(OUTSIDE, () => {})
    server.close()
    const get = fetcher(names({ 'secret.example.com': [OUTSIDE] }))
    expect(await reasonOf(get(`http://secret.example.com:${server.port}/`))).equal(
      'image: the connection failed (ECONNREFUSED)',
    )
  })

  it('stops in every phase when it is aborted, and closes the connection', async () => {
    const silent = await outside(() => {})
    const headOnly = await outside((_req, res) => res.writeHead(200).flushHeaders())
    const trickling = await outside((_req, res) => {
      res.writeHead(200).write(PNG)
      const timer = setInterval(() => res.write('x'), 5)
      res.on('close', () => clearInterval(timer))
    })
    for (const base of [silent, headOnly, trickling]) {
      expect(await reasonOf(fetcher()(base, 1_000_000, AbortSignal.timeout(100)))).match(/connection failed/)
    }
    const never: Resolve = (_host, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    expect(await reasonOf(fetcher(never)('http://slow.example.com/', 1000, AbortSignal.timeout(50)))).match(/failed/)
  })

  it('refuses a server that does not speak HTTP', async () => {
    const server = net.createServer(socket => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    await new Promise<void>(resolve => server.listen(0, OUTSIDE, resolve))
    const { port } = server.address() as AddressInfo
    expect(await reasonOf(fetcher()(`http://${OUTSIDE}:${port}/`))).match(/connection failed \(HPE_/)
    server.close()
  })
})
