/** HTTP requests to one backend, over kept-alive connections (docs/adr/0021-one-http-client.md). */
import type { BackendConfig } from '../config/config.ts'
import { Call } from './call.ts'
import { ConnectionPool } from './connection.ts'
import type { ResponseHandler, UpstreamCall, UpstreamRequest } from './transport.ts'
import { viaOf } from './via.ts'

export type { ResponseHandler, UpstreamCall, UpstreamRequest } from './transport.ts'
export { TransportError } from './transport.ts'

/** URL of a backend, the API key and headers that every request to it carries, and how its connections are opened. */
export type BackendAddress = Pick<BackendConfig, 'url' | 'api_key' | 'headers' | 'tls' | 'proxy'>

/** Sends requests to one backend. Each has the same headers, apart from its id and its trace context. */
export class BackendClient {
  readonly #connections: ConnectionPool
  readonly #basePath: string
  /** Names and values alternate. The second list is for requests that have a body. */
  readonly #headers: readonly string[]
  readonly #bodyHeaders: readonly string[]

  /** `connectMs`: time to open a connection, TLS included. `connections`: a pool that other clients share. */
  constructor(backend: BackendAddress, connectMs: number, connections?: ConnectionPool) {
    const url = new URL(backend.url)
    this.#connections = connections ?? new ConnectionPool(url.origin, connectMs, backend)
    this.#basePath = url.pathname.replace(/\/+$/, '')
    const headers = fixedHeaders(backend)
    this.#headers = Object.entries(headers).flat()
    this.#bodyHeaders = Object.entries({ 'content-type': 'application/json', ...headers }).flat()
  }

  /** The handler is not called before this returns. */
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamCall {
    const { method, path, requestId, trace = null, via, body, fresh = false } = request
    const headers = [...(body === null ? this.#headers : this.#bodyHeaders)]
    headers.push('via', viaOf(via))
    if (requestId !== undefined) headers.push('x-request-id', requestId)
    if (trace !== null) {
      headers.push('traceparent', trace.traceparent)
      if (trace.tracestate !== undefined) headers.push('tracestate', trace.tracestate)
    }
    const call = new Call(this.#connections, { method, path: this.#basePath + path, headers }, body, handler)
    call.send(fresh)
    return call
  }

  /** Closes every connection, including those in use. */
  close(): void {
    this.#connections.close()
  }
}

/** Headers of every request to a backend. Those of the configuration override the others. */
export function fixedHeaders({ api_key, headers }: BackendAddress): Record<string, string> {
  const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    // A compressed event stream cannot be read chunk by chunk.
    'accept-encoding': 'identity',
    'user-agent': 'sluiceway',
    ...(api_key === undefined ? null : { authorization: `Bearer ${api_key}` }),
    ...Object.fromEntries(configured),
  }
}
