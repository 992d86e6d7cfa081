/** HTTP requests of byte pipes to one backend, by http-proxy-3 (docs/adr/0035-byte-pipe-routes.md). */
import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { BackendConfig } from '../config/config.ts'
import { type ClientExchange, PipeCall, type PipeConnections } from './pipe-call.ts'
import type { ResponseHandler, UpstreamCall, UpstreamRequest, UpstreamSender } from './transport.ts'

const IDLE_MS = 60_000

/** The connections to one server, which the clients of all its backends share. */
export class PipeServer implements PipeConnections {
  readonly kept: Agent
  readonly fresh: Agent
  readonly isSecure: boolean
  readonly connectMs: number
  isClosed = false

  /** `origin`: scheme, host and port. `connectMs`: time to open a connection, TLS included. */
  constructor(origin: string, connectMs: number) {
    this.isSecure = origin.startsWith('https:')
    this.connectMs = connectMs
    const agent = (options: AgentOptions) => (this.isSecure ? new HttpsAgent(options) : new HttpAgent(options))
    this.kept = agent({ keepAlive: true, timeout: IDLE_MS })
    this.fresh = agent({ keepAlive: false })
  }

  /** Closes every connection, those in use included. */
  close(): void {
    this.isClosed = true
    this.kept.destroy()
    this.fresh.destroy()
  }
}

/** Sends requests to one backend. Of a client's headers it sends those of its trace alone. */
export class PipeClient {
  readonly #server: PipeServer
  readonly #baseUrl: string
  readonly #rootUrl: string
  readonly #rootPaths: ReadonlySet<string>
  readonly #headers: Readonly<Record<string, string>>

  constructor({ url, api_key, headers, profile }: BackendConfig, server: PipeServer) {
    this.#server = server
    const { origin, pathname } = new URL(url)
    const basePath = pathname.replace(/\/+$/, '')
    this.#baseUrl = origin + basePath
    this.#rootUrl = origin + basePath.replace(/\/v\d+$/, '')
    this.#rootPaths = new Set(profile.root_paths)
    this.#headers = {
      // Also where the connection is not kept: some servers that are asked to close do so right after an early reply, and lose it.
      connection: 'keep-alive',
      'accept-encoding': 'identity',
      'user-agent': 'sluiceway',
      'content-type': 'application/json',
      ...(api_key === undefined ? null : { authorization: `Bearer ${api_key}` }),
      ...lowerCased(headers),
    }
  }

  /** For the requests of one exchange. */
  forExchange(exchange: ClientExchange): UpstreamSender {
    return { send: (request, handler) => this.#send(exchange, request, handler) }
  }

  /** The handler is called later, never before this returns. */
  #send(
    exchange: ClientExchange,
    { path, requestId, trace = null, body }: UpstreamRequest,
    handler: ResponseHandler,
  ): UpstreamCall {
    const headers: Record<string, string> = { ...this.#headers }
    if (requestId !== undefined) headers['x-request-id'] = requestId
    if (trace !== null) {
      headers.traceparent = trace.traceparent
      if (trace.tracestate !== undefined) headers.tracestate = trace.tracestate
    }
    if (body?.mediaType !== undefined) headers['content-type'] = body.mediaType
    if (body?.length !== undefined) headers['content-length'] = String(body.length)
    const url = (this.#rootPaths.has(path) ? this.#rootUrl : this.#baseUrl) + path
    const call = new PipeCall(this.#server, exchange, { url, headers, body }, handler)
    call.start()
    return call
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
