/** HTTP/1.1 connections to one backend, by undici. The only file that imports it (docs/adr/0021-one-http-client.md). */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { buildConnector, Client, type Dispatcher } from 'undici'

/** Largest response head, in bytes. */
const MAX_HEADER_BYTES = 16 * 1024

/** Unused connections that are kept. */
const MAX_IDLE = 1024

/** An unused connection is closed after this time, or earlier where the backend's Keep-Alive header says so. */
const KEEP_ALIVE_MS = 60_000

/** The server that the connections of one client are opened to. */
export interface Endpoint {
  /** Scheme, host and port. */
  readonly origin: string
  /** Opens sockets. Shared by connections, because it keeps TLS sessions for the next one. */
  readonly connector: buildConnector.connector
}

/** `connectMs`: time to open a connection, TLS included. */
export function endpointOf(origin: string, connectMs: number): Endpoint {
  return { origin, connector: buildConnector({ allowH2: false, timeout: connectMs }) }
}

export interface ConnectionRequest {
  readonly method: string
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: Buffer | Readable | null
  /** Sends `connection: close`: the connection serves no other request. */
  readonly last: boolean
}

/** Opens with its first request and serves one at a time. */
export class Connection {
  readonly #onClose: (connection: Connection) => void
  readonly #client: Client
  /** null: not open yet. */
  #socket: Socket | null = null
  /** A request has been passed to undici, which has not begun to write it. */
  #isQueued = false
  #hasServed = false
  #isClosed = false

  /** `onClose` is called once, when the connection can serve no more requests. */
  constructor({ origin, connector }: Endpoint, onClose: (connection: Connection) => void) {
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
      // Waiting is limited by the timers of the exchange: a model may think for minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    this.#client.on('connect', () => {
      this.#hasServed = false
    })
    // undici opens a new connection by itself for a request that is still queued.
    this.#client.on('disconnect', () => {
      if (!this.#isQueued) this.#closed()
    })
    this.#client.on('connectionError', () => this.#closed())
  }

  /** Open, and able to take the next request. */
  get isReady(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  /** `handler` may be called before this returns where the request is invalid. */
  send({ method, path, headers, body, last }: ConnectionRequest, handler: Dispatcher.DispatchHandler): void {
    this.#isQueued = true
    this.#client.dispatch({ method, path, headers: [...headers], body, reset: last, blocking: false }, handler)
  }

  /** The request is written next. Returns whether this connection has served another one before. */
  begin(): boolean {
    this.#isQueued = false
    return this.#hasServed
  }

  /** The response is complete. Returns whether the connection can serve another request. */
  finish(): boolean {
    this.#hasServed = true
    if (!this.isReady) return false
    if (this.#socket!.writableLength === 0) return true
    // The backend answered without reading the whole request: its rest would delay the next one.
    this.destroy()
    return false
  }

  /** Closes the socket at once. One that is still connecting is closed as soon as it is open. */
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

/** The connections of one client. */
export class ConnectionPool {
  readonly #endpoint: Endpoint
  readonly #all = new Set<Connection>()
  /** The one used last is at the end, and is used next, so that the others reach their keep-alive timeout. */
  readonly #idle: Connection[] = []
  #isClosed = false

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** A connection that no request uses. `fresh`: one that none has used before. */
  take(fresh: boolean): Connection {
    for (let kept = fresh ? undefined : this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (kept.isReady) return kept
    }
    const connection = new Connection(this.#endpoint, closed => this.#forget(closed))
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
