/** HTTP/1.1 connections to one backend, by undici. The only file that imports it (docs/adr/0021-one-http-client.md). */
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buildConnector, Client, type Dispatcher, errors } from 'undici'
import type { OutgoingBody } from '../body/index.ts'
import type { Egress } from './egress.ts'
import { authorityOf, openTunnel, TunnelError } from './tunnel.ts'

/** Largest response head, in bytes. */
const MAX_HEADER_BYTES = 16 * 1024

/** Idle connections that are kept. */
const MAX_IDLE = 1024

/** An idle connection is closed after this time, or earlier if the backend's Keep-Alive header says so. */
const KEEP_ALIVE_MS = 60_000

interface ConnectionRequest {
  readonly method: string
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: OutgoingBody | null
  /** Sends `connection: close`: the connection serves no other request. */
  readonly last: boolean
}

/** Opens with its first request and serves one request at a time. */
export class Connection {
  readonly #onClose: (connection: Connection) => void
  readonly #client: Client
  /** null until the connection is open. */
  #socket: Socket | null = null
  /** undici has a request that it has not begun to write. */
  #isQueued = false
  #hasServed = false
  #isClosed = false

  /** `origin`: scheme, host and port. `onClose` is called once, when the connection can serve no more requests. */
  constructor(origin: string, connector: buildConnector.connector, onClose: (connection: Connection) => void) {
    this.#onClose = onClose
    this.#client = new Client(origin, {
      connect: (options: buildConnector.Options, callback: buildConnector.Callback) => {
        connector(options, (...opened) => {
          this.#socket = opened[1]
          callback(...opened)
        })
      },
      allowH2: false,
      pipelining: 1,
      // The timers of the attempt apply instead: a model may think for minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    this.#client.on('connect', () => {
      this.#hasServed = false
    })
    // For a request that is still queued, undici opens a new connection by itself.
    this.#client.on('disconnect', () => {
      if (!this.#isQueued) this.#closed()
    })
    this.#client.on('connectionError', () => this.#closed())
  }

  /** The connection is open and accepts a request. */
  get isReady(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  /** An invalid request is reported to `handler` before this returns. */
  send({ method, path, headers, body, last }: ConnectionRequest, handler: Dispatcher.DispatchHandler): void {
    const content = body?.open() ?? null
    const isWhole = content === null || Buffer.isBuffer(content)
    this.#isQueued = true
    const request = {
      method,
      path,
      // undici computes the length of a buffer by itself.
      headers: isWhole ? [...headers] : [...headers, 'content-length', String(body!.length)],
      body: isWhole ? content : Readable.from(content, { objectMode: false }),
      reset: last,
      blocking: false,
    }
    this.#client.dispatch(request, handler)
  }

  /** undici begins to write the request. Returns whether this connection has served another request before. */
  begin(): boolean {
    this.#isQueued = false
    return this.#hasServed
  }

  /** The response is complete. Returns whether the connection can serve another request; closes it if not. */
  finish(): boolean {
    this.#hasServed = true
    if (!this.isReady) return false
    if (this.#socket!.writableLength === 0) return true
    // The backend answered before it had read the whole request. The rest would delay the next request.
    this.destroy()
    return false
  }

  /** Closes the socket at once. A socket that is still connecting is closed as soon as it is open. */
  destroy(): void {
    void this.#client.destroy()
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose(this)
  }
}

/** The connections to one server. */
export class ConnectionPool {
  readonly #origin: string
  /** Shared by the connections, because it caches TLS sessions. */
  readonly #connector: buildConnector.connector
  readonly #all = new Set<Connection>()
  /** A stack: the connection used last is used next, so that the others reach their keep-alive timeout. */
  readonly #idle: Connection[] = []
  #isClosed = false

  /** `origin`: scheme, host and port. `connectMs`: time to open a connection, TLS included. */
  constructor(origin: string, connectMs: number, egress?: Egress) {
    this.#origin = origin
    this.#connector = connectorOf(origin, connectMs, egress)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** A connection that no request is using. `fresh`: a new one. */
  take(fresh: boolean): Connection {
    for (let kept = fresh ? undefined : this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (kept.isReady) return kept
    }
    const connection = new Connection(this.#origin, this.#connector, closed => this.#forget(closed))
    this.#all.add(connection)
    return connection
  }

  /** The response on this connection is complete. */
  giveBack(connection: Connection): void {
    if (!connection.finish()) return
    if (this.#isClosed || this.#idle.length >= MAX_IDLE) connection.destroy()
    else this.#idle.push(connection)
  }

  close(): void {
    this.#isClosed = true
    for (const connection of [...this.#all]) connection.destroy()
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#idle.lastIndexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

function connectorOf(origin: string, connectMs: number, { tls, proxy }: Egress = {}): buildConnector.connector {
  const connector = buildConnector({ allowH2: false, timeout: connectMs, ...tls })
  // A configured `host` header must not replace the configured name.
  const direct: buildConnector.connector =
    tls?.servername === undefined
      ? connector
      : (options, callback) => connector({ ...options, servername: tls.servername! }, callback)
  if (proxy === undefined) return direct
  return (options, callback) => {
    openTunnel(proxy, authorityOf(new URL(origin)), connectMs).then(
      socket => {
        if (options.protocol === 'https:') direct({ ...options, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** Whether a connection was not open, TLS included, within the connect timeout. */
export function isConnectTimeout(error: Error): boolean {
  return error instanceof errors.ConnectTimeoutError || (error instanceof TunnelError && error.isTimeout)
}
