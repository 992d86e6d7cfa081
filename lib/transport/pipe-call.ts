/** One request of a byte pipe and its response, by http-proxy-3. */
import type { EventEmitter } from 'node:events'
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createProxyServer } from 'http-proxy-3'
import type { OutgoingBody } from '../body/index.ts'
import { Decompression, type DecompressionListener } from './decompress.ts'
import { type ResponseHandler, STALE_WITHIN_MS, TransportError, type UpstreamCall } from './transport.ts'
import { TunnelError } from './tunnel.ts'

/** The client's request and the response to it. */
export interface ClientExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** The connections to one server, which all calls to it share. */
export interface PipeConnections {
  /** Reuses kept-alive connections. */
  readonly kept: Agent
  /** Opens a connection for each request. */
  readonly fresh: Agent
  readonly isSecure: boolean
  /** Time to open a connection, TLS included. */
  readonly connectMs: number
  readonly isClosed: boolean
}

interface PipedRequest {
  readonly url: string
  /** All headers for the backend, except `host`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: OutgoingBody | null
}

/** The request has the path of the target: `ignorePath` drops the client's path, and `toProxy` skips its parsing. */
const PROXY_OPTIONS = {
  method: 'POST',
  changeOrigin: true,
  ignorePath: true,
  toProxy: true,
  selfHandleResponse: true,
} as const

const EMPTY = Buffer.alloc(0)

/** Has the connect timeout only: the attempt cancels a call that takes too long. */
export class PipeCall implements UpstreamCall, DecompressionListener {
  readonly #connections: PipeConnections
  readonly #exchange: ClientExchange
  readonly #request: PipedRequest
  readonly #handler: ResponseHandler
  readonly #startedAt = performance.now()
  #isSent = false
  #outgoing: ClientRequest | null = null
  #incoming: IncomingMessage | null = null
  #decompression: Decompression | null = null
  #connectTimer: NodeJS.Timeout | undefined
  /** The handler must not be called any more. */
  #isSilent = false

  constructor(connections: PipeConnections, exchange: ClientExchange, request: PipedRequest, handler: ResponseHandler) {
    this.#connections = connections
    this.#exchange = exchange
    this.#request = request
    this.#handler = handler
  }

  start(): void {
    if (this.#isSilent) return
    const { kept, fresh } = this.#connections
    // A body that is still arriving cannot be sent again, and the backend may have closed a kept connection.
    this.#send(this.#request.body?.arriving === undefined ? kept : fresh)
  }

  #send(agent: Agent): void {
    const { url: target, headers, body } = this.#request
    const buffer = Readable.from(body?.open() ?? EMPTY, { objectMode: false })
    // A proxy per attempt, because its events do not identify the attempt. It costs half a microsecond.
    const proxy = createProxyServer()
    proxy.on('proxyReq', (outgoing, _req, _res, _options, socket) => {
      outgoing.once('close', () => buffer.destroy())
      this.#onSocket(outgoing, socket)
    })
    proxy.on('proxyRes', incoming => this.#onResponse(incoming))
    this.#isSent = false
    try {
      withHeaders(this.#exchange, headers, (req, res) => {
        proxy.web(req, res, { ...PROXY_OPTIONS, target, agent, buffer }, error => this.#onRequestError(error))
      })
    } catch (thrown) {
      // Node refuses the path or a header.
      buffer.destroy()
      queueMicrotask(() => this.#fail('connect', thrown as Error))
    }
  }

  // ------------------------------------------------------------ UpstreamCall

  get isSent(): boolean {
    return this.#isSent
  }

  pause(): void {
    if (this.#decompression !== null) this.#decompression.pause()
    else this.#incoming?.pause()
  }

  resume(): void {
    if (this.#decompression !== null) this.#decompression.resume()
    else this.#incoming?.resume()
  }

  cancel(): void {
    this.#silence()
    // No effect on a complete response. #onSocket() destroys a request that has no connection yet.
    this.#outgoing?.destroy()
  }

  /** The owner calls it after the end of the response: there is no rest to wait for. */
  release(): void {
    this.#silence()
  }

  #silence(): void {
    this.#isSilent = true
    clearTimeout(this.#connectTimer)
    this.#decompression?.close()
    this.#decompression = null
  }

  // ------------------------------------------------------------ events of the proxy

  #onSocket(outgoing: ClientRequest, socket: Socket): void {
    this.#outgoing = outgoing
    if (this.#isSilent) return void outgoing.destroy()
    if (!socket.connecting) {
      this.#isSent = true
      return
    }
    const { isSecure, connectMs } = this.#connections
    this.#connectTimer = setTimeout(() => {
      this.#fail('connect-timeout', new Error('connecting took too long'))
    }, connectMs)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(this.#connectTimer)
      this.#isSent = true
    })
  }

  #onResponse(incoming: IncomingMessage): void {
    if (this.#isSilent) return
    this.#incoming = incoming
    incoming.on('error', ignore)
    // The proxy does not report a connection that closes inside the body.
    incoming.on('close', () => {
      if (!incoming.complete) this.#fail('broken', new Error('the connection closed inside the body'))
    })
    const encoding = incoming.headers['content-encoding']
    if (encoding !== undefined) this.#decompression = Decompression.of(encoding, this)
    this.#handler.onHead(incoming.statusCode ?? 0, incoming.headers)
    incoming.on('data', (chunk: Buffer) => this.#onData(chunk))
    incoming.on('end', () => {
      if (!incoming.complete) return
      if (this.#decompression === null) this.onPlainEnd()
      else this.#decompression.end()
    })
  }

  #onData(chunk: Buffer): void {
    if (this.#isSilent) return
    if (this.#decompression === null) this.onPlainData(chunk)
    else if (!this.#decompression.write(chunk)) this.#incoming?.pause()
  }

  #onRequestError(error: Error): void {
    if (this.#isSilent) return
    if (this.#incoming !== null) return this.#fail('broken', error)
    if (this.#mayRepeat()) return this.#send(this.#connections.fresh)
    if (error instanceof TunnelError && error.isTimeout) return this.#fail('connect-timeout', error)
    this.#fail(this.#isSent ? 'reset' : 'connect', error)
  }

  /** A backend may close a connection at the moment that it is reused, which says nothing about the backend. */
  #mayRepeat(): boolean {
    if (this.#outgoing?.reusedSocket !== true || this.#connections.isClosed) return false
    return performance.now() - this.#startedAt < STALE_WITHIN_MS
  }

  // ------------------------------------------------------------ DecompressionListener

  onPlainData(chunk: Buffer): void {
    if (this.#isSilent) return
    try {
      this.#handler.onData(chunk)
    } catch (thrown) {
      this.onPlainError(thrown as Error)
    }
  }

  onPlainDrain(): void {
    this.#incoming?.resume()
  }

  onPlainEnd(): void {
    if (this.#isSilent) return
    this.#silence()
    // The backend answered before the end of the request, and does not read the rest.
    if (!this.#outgoing!.writableFinished) this.#outgoing!.destroy()
    this.#handler.onEnd()
  }

  onPlainError(error: Error): void {
    this.#fail('broken', error)
  }

  #fail(kind: TransportError['kind'], error: Error): void {
    if (this.#isSilent) return
    this.cancel()
    this.#handler.onError(new TransportError(kind, error))
  }
}

/**
 * Calls the proxy with `headers` in place of the client's, because it sends all headers of the request. Removes the
 * listeners that it adds to both objects: the exchange cancels the call when its client disconnects.
 */
function withHeaders(
  { req, res }: ClientExchange,
  headers: PipedRequest['headers'],
  callProxy: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  const { headers: own } = req
  const ofRequest = req.listenerCount('error')
  const ofResponse = res.listenerCount('close')
  req.headers = headers
  try {
    callProxy(req, res)
  } finally {
    req.headers = own
    removeAdded(req, 'error', ofRequest)
    removeAdded(res, 'close', ofResponse)
  }
}

/** Removes all listeners of this event but the first `kept`. */
function removeAdded(emitter: EventEmitter, event: string, kept: number): void {
  for (const added of emitter.listeners(event).slice(kept)) emitter.off(event, added as () => void)
}

function ignore(): void {}
