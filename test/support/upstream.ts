/** Servers, and response handlers that record their calls. For tests of lib/transport. */
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { outgoingJson } from '../../lib/body/request-body.ts'
import type { BackendConfig } from '../../lib/config/config.ts'
import {
  BackendClient,
  type TransportError,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../lib/transport/client.ts'
import { backendConfig } from './backend-config.ts'
import { eventually } from './gateway.ts'

/** A request, as the server received it. */
export interface SeenRequest {
  readonly line: string
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** A handler that records its response. */
export class Heard {
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly chunks: Buffer[] = []
  /** Heads, ends and errors, in order. */
  readonly events: string[] = []
  error: TransportError | undefined
  call: UpstreamCall | undefined

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }

  get isOver(): boolean {
    return this.events.some(event => event !== 'head')
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.events.push('head')
    this.status = status
    this.headers = headers
  }

  onData(chunk: Buffer): void {
    this.chunks.push(chunk)
  }

  onEnd(): void {
    this.events.push('end')
  }

  onError(error: TransportError): void {
    this.events.push(error.kind)
    this.error = error
  }
}

/** Servers, their connections, and clients. close() closes all of them. */
export class UpstreamBench {
  readonly sockets = new Set<Socket>()
  readonly seen: SeenRequest[] = []
  /** Number of connections opened since the start. */
  connections = 0
  readonly #servers: net.Server[] = []
  readonly #clients: BackendClient[] = []

  async listen(server: net.Server, scheme: 'http' | 'https' = 'http'): Promise<string> {
    this.#servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.connections++
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Reads and records the request, then answers. */
  noting(answer: RequestListener): RequestListener {
    return (req, res) => {
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => parts.push(part))
      req.on('end', () => {
        const body = Buffer.concat(parts).toString()
        this.seen.push({ line: `${req.method} ${req.url} HTTP/${req.httpVersion}`, rawHeaders: req.rawHeaders, body })
        answer(req, res)
      })
    }
  }

  server(answer: RequestListener = (_req, res) => res.end('{}')): Promise<string> {
    return this.listen(http.createServer(this.noting(answer)))
  }

  /** Answers every connection with these bytes, written one by one, and closes it. */
  raw(...writes: readonly (string | Buffer)[]): Promise<string> {
    return this.listen(
      net.createServer(async socket => {
        socket.on('error', () => {})
        await new Promise(resolve => socket.once('data', resolve))
        for (const write of writes) {
          socket.write(write)
          await new Promise(resolve => setTimeout(resolve, 5))
        }
        socket.end()
      }),
    )
  }

  client(url: string, config: Partial<BackendConfig> = {}, connectMs = 2000): BackendClient {
    const client = new BackendClient(backendConfig({ url, ...config }), connectMs)
    this.#clients.push(client)
    return client
  }

  /** Sends one request. `heard` may be a handler with methods of its own. */
  send(client: BackendClient, more: Partial<UpstreamRequest> = {}, heard = new Heard()) {
    const call = client.send(
      { method: 'POST', path: '/chat/completions', requestId: '0123456789ab', body: outgoingJson('{}'), ...more },
      heard,
    )
    heard.call = call
    return { call, heard }
  }

  /** Sends one request and waits for its end. */
  async outcome(client: BackendClient, more: Partial<UpstreamRequest> = {}, heard = new Heard()): Promise<Heard> {
    this.send(client, more, heard)
    await eventually(() => heard.isOver, 'an outcome')
    return heard
  }

  /** Status and text of a response that must be complete. */
  async answered(client: BackendClient, more: Partial<UpstreamRequest> = {}): Promise<string> {
    const { events, status, text, error } = await this.outcome(client, more)
    if (events.join(' ') !== 'head end') throw new Error(`heard ${events.join(' ')}: ${error?.message}`)
    return `${status} ${text}`
  }

  async close(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close()
    for (const server of this.#servers.splice(0)) {
      for (const socket of this.sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
