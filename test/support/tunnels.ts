/** An HTTP proxy that opens tunnels and passes requests on, and notes what it is asked for. */
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface TestProxy {
  readonly url: string
  /** Authorities of CONNECT and URLs of other requests, with their host header. */
  readonly asked: { readonly target: string; readonly host: string | undefined }[]
  /** Local ports of its connections to servers. */
  readonly ports: Set<number | undefined>
  /** The status of its next answers to CONNECT. null: it does not answer. */
  status: number | null
  close(): void
}

export async function testProxy(): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }
  const server = createServer((req, res) => {
    proxy.asked.push({ target: req.url!, host: req.headers.host })
    const { hostname, port, pathname, search } = new URL(req.url!)
    const sent = request({ host: hostname, port, path: pathname + search, headers: req.headers }, answer => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    sent.on('error', () => res.destroy())
    sent.end()
  })
  server.on('connection', keep)
  server.on('connect', (req, client: Socket, head: Buffer) => {
    proxy.asked.push({ target: req.url!, host: req.headers.host })
    if (proxy.status === null) return
    if (proxy.status !== 200) return void client.end(`HTTP/1.1 ${proxy.status} No\r\ncontent-length: 0\r\n\r\n`)
    const { hostname, port } = new URL(`http://${req.url}`)
    const upstream = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => {
      proxy.ports.add(upstream.localPort)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client)
      client.pipe(upstream)
    })
    keep(upstream)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: TestProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    ports: new Set(),
    status: 200,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return proxy
}
