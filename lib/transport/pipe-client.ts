/** HTTP requests of byte pipes to one backend, by http-proxy-3 (docs/adr/0035-byte-pipe-routes.md). */
import { once } from 'node:events'
import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'
import type { BackendConfig } from '../config/config.ts'
import { fixedHeaders } from './client.ts'
import type { Egress } from './egress.ts'
import { type ClientExchange, PipeCall, type PipeConnections } from './pipe-call.ts'
import type { ResponseHandler, UpstreamCall, UpstreamRequest, UpstreamSender } from './transport.ts'
import { authorityOf, openTunnel, TunnelError } from './tunnel.ts'
import { viaOf } from './via.ts'

/** An idle connection is closed after this time. */
const KEEP_ALIVE_MS = 60_000

/** The connections to one server. The clients of all its backends share them. */
export class PipeServer implements PipeConnections {
  readonly kept: Agent
  readonly fresh: Agent
  readonly isSecure: boolean
  readonly connectMs: number
  isClosed = false

  /** `origin`: scheme, host and port. `connectMs`: time to open a connection, TLS included. */
  constructor(origin: string, connectMs: number, { tls, proxy }: Egress = {}) {
    this.isSecure = origin.startsWith('https:')
    this.connectMs = connectMs
    const agent = (options: AgentOptions) => {
      const agent = this.isSecure ? new HttpsAgent({ ...options, ...tls }) : new HttpAgent(options)
      if (proxy !== undefined) {
        agent.createConnection = (to, done) => {
          const authority = authorityOf(new URL(origin))
          const opened = openThrough(proxy, authority, connectMs, this.isSecure ? (to as ConnectionOptions) : null)
          opened.then(
            socket => done!(null, socket),
            (error: Error) => done!(error, undefined as never),
          )
          return undefined
        }
      }
      return agent
    }
    this.kept = agent({ keepAlive: true, timeout: KEEP_ALIVE_MS })
    this.fresh = agent({ keepAlive: false })
  }

  /** Closes every connection, including those in use. */
  close(): void {
    this.isClosed = true
    this.kept.destroy()
    this.fresh.destroy()
  }
}

/** Opens a tunnel and, unless `tls` is null, TLS in it. Rejects if both together take more than `connectMs`. */
async function openThrough(
  proxy: string,
  authority: string,
  connectMs: number,
  tls: ConnectionOptions | null,
): Promise<Duplex> {
  const startedAt = performance.now()
  const tunnel = await openTunnel(proxy, authority, connectMs)
  if (tls === null) return tunnel
  const socket = connect({ ...tls, socket: tunnel })
  const timer = setTimeout(
    () => socket.destroy(new TunnelError(`the server has not finished the TLS handshake in ${connectMs} ms`, true)),
    connectMs - (performance.now() - startedAt),
  )
  try {
    await once(socket, 'secureConnect')
    return socket
  } finally {
    clearTimeout(timer)
  }
}

/** Sends requests to one backend. All have the same headers, apart from the id, the trace context and the body's. */
export class PipeClient {
  readonly #server: PipeServer
  readonly #baseUrl: string
  /** The base URL without its version prefix. */
  readonly #rootUrl: string
  readonly #rootPaths: ReadonlySet<string>
  readonly #headers: Readonly<Record<string, string>>

  constructor(backend: BackendConfig, server: PipeServer) {
    this.#server = server
    const { origin, pathname } = new URL(backend.url)
    const basePath = pathname.replace(/\/+$/, '')
    this.#baseUrl = origin + basePath
    this.#rootUrl = origin + basePath.replace(/\/v\d+$/, '')
    this.#rootPaths = new Set(backend.profile.root_paths)
    this.#headers = {
      // Sent on every connection: some servers close one too early when asked to, and the response is lost.
      connection: 'keep-alive',
      'content-type': 'application/json',
      ...fixedHeaders(backend),
    }
  }

  /** The sender for the requests of one exchange. */
  forExchange(exchange: ClientExchange): UpstreamSender {
    return { send: (request, handler) => this.#send(exchange, request, handler) }
  }

  /** The handler is not called before this returns. */
  #send(
    exchange: ClientExchange,
    { path, requestId, trace = null, via, body }: UpstreamRequest,
    handler: ResponseHandler,
  ): UpstreamCall {
    const headers: Record<string, string> = { ...this.#headers, via: viaOf(via) }
    if (requestId !== undefined) headers['x-request-id'] = requestId
    if (trace !== null) {
      headers.traceparent = trace.traceparent
      if (trace.tracestate !== undefined) headers.tracestate = trace.tracestate
    }
    if (body?.mediaType !== undefined) headers['content-type'] = body.mediaType
    if (body?.length !== undefined) headers['content-length'] = String(body.length)
    const url = (this.#rootPaths.has(path) ? this.#rootUrl : this.#baseUrl) + path
    const call = new PipeCall(this.#server, exchange, { url, headers, body }, handler)
    // Requests of one tick are sent together, like all writes of a tick (docs/adr/0013).
    setImmediate(() => call.start())
    return call
  }
}
