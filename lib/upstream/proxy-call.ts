/**
 * One HTTP request to a backend, by http-proxy-3. The only file that imports it.
 *
 * The proxy is not shown the client's request and response but this object in their place. So no header of the client
 * can travel on by itself, a retry leaves no listeners behind, and the framing is ours: one content-length, computed
 * from the bytes that are sent (docs/adr/0004-the-proxy-sees-a-stand-in.md).
 */
import { EventEmitter } from 'node:events'
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { createProxyServer } from 'http-proxy-3'
import type { OutgoingBody } from '../body/outgoing.ts'
import type { BackendConfig } from '../config/config.ts'

/** What whoever called learns. Exactly one of the two, at most once; nothing after destroy(). */
export interface CallHandler {
  onHead(message: IncomingMessage): void
  /** No answer came. connect: no connection could be opened, nothing was sent. reset: it broke before the head. */
  onLost(kind: 'connect' | 'connect-timeout' | 'reset', cause: Error, reusedSocket: boolean): void
}

const proxy = createProxyServer({ selfHandleResponse: true, ignorePath: false, toProxy: true, prependPath: false })
proxy.on('proxyReq', (request, call, _res, _options, socket) => asCall(call).opened(request, socket))
proxy.on('proxyRes', (message, call) => asCall(call).answered(message))
// Every call brings its own callback; the proxy throws unless somebody listens here as well.
proxy.on('error', () => {})
const onError = (cause: Error, call: unknown) => asCall(call).failed(cause)

const asCall = (call: unknown) => call as BackendCall

/** Connections and fixed headers of one backend. */
export class BackendClient {
  readonly target: URL
  readonly agent: http.Agent
  /** Opens a connection for each request. */
  readonly single: http.Agent
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  readonly connectMs: number

  constructor(backend: BackendConfig, connectMs: number) {
    const url = new URL(backend.url)
    this.target = new URL(url.origin)
    this.basePath = url.pathname.replace(/\/+$/, '')
    this.connectMs = connectMs
    const Agent = url.protocol === 'https:' ? https.Agent : http.Agent
    // Without an agent each request would open a connection of its own: 3.3 times the CPU (docs/BENCHMARKS.md).
    this.agent = new Agent({ keepAlive: true, maxFreeSockets: 1024, scheduling: 'lifo' })
    this.single = new Agent({ keepAlive: false })
    this.headers = {
      'content-type': 'application/json',
      // A compressed event stream cannot be read chunk by chunk.
      'accept-encoding': 'identity',
      'user-agent': 'sluiceway',
      ...(backend.api_key === undefined ? null : { authorization: `Bearer ${backend.api_key}` }),
      ...lowerCased(backend.headers),
    }
  }

  close(): void {
    this.agent.destroy()
    this.single.destroy()
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Stands in for the request and the response that the proxy wants: the members it reads, and nothing of the client's. */
export class BackendCall extends EventEmitter {
  readonly method = 'POST'
  readonly url: string
  readonly headers: Record<string, string>
  readonly httpVersionMajor = 1
  readonly socket = NO_SOCKET
  readonly headersSent = false
  readonly finished = false
  /**
   * Always false: the proxy then destroys its request at every 'close', as it should when the client has left early. After
   * a whole answer there is nothing left to destroy, and Node ignores it.
   */
  readonly writableFinished = false
  readonly #client: BackendClient
  #body: OutgoingBody | null
  readonly #handler: CallHandler
  #request: ClientRequest | null = null
  #timer: NodeJS.Timeout | undefined
  #connected = false
  #over = false

  constructor(client: BackendClient, path: string, requestId: string, body: OutgoingBody, handler: CallHandler) {
    super()
    this.#client = client
    this.#body = body
    this.#handler = handler
    this.url = client.basePath + path
    this.headers = { ...client.headers, 'content-length': String(body.length), 'x-request-id': requestId }
  }

  /** Sends the request. The handler hears of the answer later, never from inside this call. */
  send(): void {
    this.#sendBy(this.#client.agent)
  }

  /** The same over a new connection that serves no other request. */
  sendAlone(): void {
    this.#sendBy(this.#client.single)
  }

  #sendBy(agent: http.Agent): void {
    if (this.#over) return
    try {
      proxy.web(
        this as unknown as IncomingMessage,
        this as unknown as ServerResponse,
        { target: this.#client.target, agent, buffer: this as never },
        onError as never,
      )
    } catch (cause) {
      queueMicrotask(() => this.failed(cause as Error))
    }
  }

  /** The proxy pipes the body of what it takes for the client's request into its own. */
  pipe(request: ClientRequest): void {
    this.#body?.sendTo(request)
    this.#body = null
  }

  opened(request: ClientRequest, socket: Socket): void {
    this.#request = request
    if (!socket.connecting) {
      this.#connected = true
      return
    }
    const secure = this.#client.target.protocol === 'https:'
    this.#timer = setTimeout(() => {
      const lost = new Error('connecting took too long')
      this.#lose('connect-timeout', lost)
      socket.destroy(lost)
    }, this.#client.connectMs)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(this.#timer)
      this.#connected = true
    })
  }

  answered(message: IncomingMessage): void {
    // A message without a listener for errors would end the process when the connection breaks.
    message.on('error', ignore)
    if (this.#over) return void message.destroy()
    this.#over = true
    this.#handler.onHead(message)
  }

  failed(cause: Error): void {
    this.#lose(this.#connected ? 'reset' : 'connect', cause)
  }

  /**
   * All that mattered has come. The end of both the message and the request gives the connection back to the agent, if
   * it comes soon: a backend may answer without reading all that it was sent.
   */
  letGo(message: IncomingMessage): void {
    const request = this.#request
    if (request === null || (message.complete && request.writableFinished)) return
    const timer = setTimeout(() => this.destroy(), LINGER_MS)
    request.once('close', () => clearTimeout(timer))
  }

  /** Gives the connection up at once: the backend sees it close and stops generating. */
  destroy(): void {
    this.#over = true
    clearTimeout(this.#timer)
    // The proxy destroys its request when the response it was given closes early.
    this.emit('close')
  }

  #lose(kind: 'connect' | 'connect-timeout' | 'reset', cause: Error): void {
    clearTimeout(this.#timer)
    if (this.#over) return
    this.#over = true
    this.#handler.onLost(kind, cause, this.#request?.reusedSocket === true)
  }
}

/** After the last event the connection should become free at once; a backend that keeps it busy loses it. */
const LINGER_MS = 1000

const NO_SOCKET = Object.freeze({ destroyed: false })

function ignore(): void {}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdDecompress(),
}

/** The body's plain bytes. Backends are asked for no compression; the few that compress all the same are understood. */
export function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase()
  const decoder = encoding === undefined || !Object.hasOwn(DECODERS, encoding) ? undefined : DECODERS[encoding]
  return decoder === undefined ? message : message.pipe(decoder())
}
