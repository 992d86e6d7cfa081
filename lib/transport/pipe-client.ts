/** HTTP requests of byte pipes to one backend, by http-proxy-3 (docs/adr/0035-byte-pipe-routes.md). */
import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createProxyServer } from 'http-proxy-3'
import { SwapRemoveList } from '../base/swap-remove-list.ts'
import type { BackendConfig } from '../config/config.ts'
import { PipeCall, type PipeLine, type ProxiedResponse } from './pipe-call.ts'
import type { ResponseHandler, UpstreamCall, UpstreamRequest } from './transport.ts'

const IDLE_MS = 60_000

/** The connections to one server, which the clients of all its backends share. */
export class PipeServer {
  readonly line: PipeLine
  readonly #calls = new SwapRemoveList<PipeCall>()

  /** `origin`: scheme, host and port. `connectMs`: time to open a connection, TLS included. */
  constructor(origin: string, connectMs: number) {
    const target = new URL(origin)
    const agent = (more: AgentOptions = {}) => {
      const options = { keepAlive: true, timeout: IDLE_MS, ...more }
      return origin.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options)
    }
    const proxy = createProxyServer()
    // Given as URL, with a path that is used as it is: otherwise the proxy parses three URLs for each request.
    const common = { target, toProxy: true, prependPath: false, selfHandleResponse: true, connectTimeout: connectMs }
    proxy.on('proxyRes', (incoming, _req, res) => (res as unknown as ProxiedResponse).call.onResponse(incoming))
    this.line = {
      proxy,
      host: target.host,
      isSecure: target.protocol === 'https:',
      kept: { ...common, agent: agent() },
      // `Connection: close` would make some servers close after an early reply, and the reset that follows overtakes it.
      fresh: { ...common, agent: agent({ maxFreeSockets: 0 }) },
      onOver: call => this.#calls.delete(call),
    }
  }

  start(call: PipeCall): void {
    this.#calls.add(call)
    call.start()
  }

  /** Closes every connection, those in use included. */
  close(): void {
    this.line.kept.agent.destroy()
    this.line.fresh.agent.destroy()
    for (const call of this.#calls.values()) call.cancel()
  }
}

/** Sends requests to one backend. Of a client's headers it sends those of its trace alone. */
export class PipeClient {
  readonly #server: PipeServer
  readonly #basePath: string
  readonly #rootPath: string
  readonly #rootPaths: ReadonlySet<string>
  readonly #headers: Readonly<Record<string, string>>

  constructor({ url, api_key, headers, profile }: BackendConfig, server: PipeServer) {
    this.#server = server
    this.#basePath = new URL(url).pathname.replace(/\/+$/, '')
    this.#rootPath = this.#basePath.replace(/\/v\d+$/, '')
    this.#rootPaths = new Set(profile.root_paths)
    this.#headers = {
      'accept-encoding': 'identity',
      'user-agent': 'sluiceway',
      'content-type': 'application/json',
      ...(api_key === undefined ? null : { authorization: `Bearer ${api_key}` }),
      ...lowerCased(headers),
    }
  }

  /** Sends a request. The handler is called later, never before this returns. */
  send({ method, path, requestId, trace = null, body }: UpstreamRequest, handler: ResponseHandler): UpstreamCall {
    const headers: Record<string, string> = { ...this.#headers }
    if (requestId !== undefined) headers['x-request-id'] = requestId
    if (trace !== null) {
      headers.traceparent = trace.traceparent
      if (trace.tracestate !== undefined) headers.tracestate = trace.tracestate
    }
    if (body?.mediaType !== undefined) headers['content-type'] = body.mediaType
    const base = this.#rootPaths.has(path) ? this.#rootPath : this.#basePath
    const request = { method, path: base + path, headers, body }
    const call = new PipeCall(this.#server.line, request, handler)
    this.#server.start(call)
    return call
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
