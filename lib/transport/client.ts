/**
 * HTTP requests to one backend: kept-alive connections, fixed headers, one handler for the whole response
 * (docs/adr/0021-one-http-client.md).
 */
import type { BackendConfig } from '../config/config.ts'
import { Call } from './call.ts'
import { ConnectionPool, endpointOf } from './connection.ts'
import type { ResponseHandler, UpstreamCall, UpstreamRequest } from './transport.ts'

export type { ResponseHandler, UpstreamCall, UpstreamRequest } from './transport.ts'
export { TransportError } from './transport.ts'

/** URL of a backend, and the API key and headers that every request to it carries. */
export type BackendAddress = Pick<BackendConfig, 'url' | 'api_key' | 'headers'>

/** Sends requests to one backend. Of a client's headers it sends those of its trace alone. */
export class BackendClient {
  readonly #connections: ConnectionPool
  readonly #basePath: string
  /** Names and values alternate. The second list is for requests that have a body. */
  readonly #headers: readonly string[]
  readonly #bodyHeaders: readonly string[]

  /**
   * `connectMs`: time to open a connection, TLS included. `connections`: those of the backend's server, where they are shared
   * with other clients; close() closes them for all.
   */
  constructor(backend: BackendAddress, connectMs: number, connections?: ConnectionPool) {
    const url = new URL(backend.url)
    this.#connections = connections ?? new ConnectionPool(endpointOf(url.origin, connectMs))
    this.#basePath = url.pathname.replace(/\/+$/, '')
    const headers = {
      // A compressed event stream cannot be read chunk by chunk.
      'accept-encoding': 'identity',
      'user-agent': 'sluiceway',
      ...(backend.api_key === undefined ? null : { authorization: `Bearer ${backend.api_key}` }),
      ...lowerCased(backend.headers),
    }
    this.#headers = Object.entries(headers).flat()
    this.#bodyHeaders = Object.entries({ 'content-type': 'application/json', ...headers }).flat()
  }

  /** Sends a request. The handler is never called before this returns. */
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamCall {
    const { method, path, requestId, trace = null, body, fresh = false } = request
    const headers = [...(body === null ? this.#headers : this.#bodyHeaders)]
    if (requestId !== undefined) headers.push('x-request-id', requestId)
    if (trace !== null) {
      headers.push('traceparent', trace.traceparent)
      if (trace.tracestate !== undefined) headers.push('tracestate', trace.tracestate)
    }
    const call = new Call(this.#connections, { method, path: this.#basePath + path, headers }, body, handler)
    call.start(fresh)
    return call
  }

  /** Closes every connection, those in use included. */
  close(): void {
    this.#connections.close()
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
