/** One request to a backend, over one connection or, after a repeat, two (docs/adr/0021-one-http-client.md). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { OutgoingBody } from '../body/index.ts'
import { type Connection, type ConnectionPool, isConnectTimeout } from './connection.ts'
import { Delivery } from './delivery.ts'
import { type ResponseHandler, STALE_WITHIN_MS, type TransportErrorKind, type UpstreamCall } from './transport.ts'

/** After release(): how long the rest of the response may take before the connection is closed. */
const LINGER_MS = 1000
const CANCELLED = new Error('cancelled')

interface CallRequest {
  readonly method: string
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
}

/**
 * - `queued`: no byte of the request has been written; the connection may still be opening.
 * - `sent`: the request is being written, or has been.
 * - `answered`: the first byte of the response has arrived.
 * - `head`: the final response head has arrived.
 */
type Progress = 'queued' | 'sent' | 'answered' | 'head'

/** undici reports the progress of the request. Delivery passes the response on to the handler. */
export class Call implements Dispatcher.DispatchHandler, UpstreamCall {
  readonly #connections: ConnectionPool
  readonly #request: CallRequest
  readonly #delivery: Delivery
  readonly #startedAt = performance.now()
  /** Kept until the response head, in case the request is repeated. */
  #body: OutgoingBody | null
  /** null: the request is over, and the connection may serve another one. */
  #connection: Connection | null = null
  /** null before undici has begun to write the request, and when the request is over. */
  #controller: Dispatcher.DispatchController | null = null
  #progress: Progress = 'queued'
  /** The connection had served another request before this one. */
  #isReused = false
  #lingerTimer: NodeJS.Timeout | undefined

  constructor(connections: ConnectionPool, request: CallRequest, body: OutgoingBody | null, handler: ResponseHandler) {
    this.#connections = connections
    this.#request = request
    this.#body = body
    this.#delivery = new Delivery(handler)
  }

  /** `fresh`: over a new connection that serves no other request. */
  send(fresh: boolean): void {
    this.#progress = 'queued'
    this.#connection = this.#connections.take(fresh)
    this.#connection.send({ ...this.#request, body: this.#body, last: fresh }, this)
  }

  // ------------------------------------------------------------ UpstreamCall

  get isSent(): boolean {
    return this.#progress !== 'queued'
  }

  pause(): void {
    this.#delivery.pause()
  }

  resume(): void {
    this.#delivery.resume()
  }

  cancel(): void {
    this.#close()
    const connection = this.#connection
    const controller = this.#controller
    this.#over()
    if (controller !== null) controller.abort(CANCELLED)
    else connection?.destroy()
  }

  release(): void {
    if (this.#delivery.isClosed) return
    this.#close()
    if (this.#connection === null) return
    this.#lingerTimer = setTimeout(() => this.cancel(), LINGER_MS)
    this.#controller?.resume()
  }

  #close(): void {
    this.#body = null
    this.#delivery.close()
  }

  // ------------------------------------------------------------ DispatchHandler

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#progress = 'sent'
    this.#isReused = this.#connection!.begin()
  }

  onResponseStarted(): void {
    this.#progress = 'answered'
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#delivery.isClosed) return
    this.#progress = 'head'
    this.#body = null
    this.#delivery.begin(controller, status, singleValues(headers))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#delivery.write(chunk)
  }

  onResponseEnd(): void {
    const connection = this.#connection!
    this.#over()
    this.#connections.giveBack(connection)
    this.#delivery.end()
  }

  /** Handled later: undici reports an invalid request before send() has returned. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    queueMicrotask(() => this.#failed(error))
  }

  // ------------------------------------------------------------

  #failed(error: Error): void {
    // A connection that this request never used may still be opening, or be ready for another request.
    if (this.#progress === 'queued') this.#connection?.destroy()
    this.#over()
    if (this.#delivery.isClosed) return
    if (this.#mayRepeat()) return this.send(true)
    this.#body = null
    this.#delivery.fail(this.#kindOf(error), error)
  }

  /** The request no longer uses its connection. */
  #over(): void {
    this.#connection = null
    this.#controller = null
    clearTimeout(this.#lingerTimer)
  }

  /**
   * A backend may close a connection at the moment that it is reused. The repeat opens a connection, because other
   * kept-alive ones may be closed as well. It is never repeated itself.
   */
  #mayRepeat(): boolean {
    if (this.#progress !== 'sent' || !this.#isReused || this.#connections.isClosed) return false
    return performance.now() - this.#startedAt < STALE_WITHIN_MS
  }

  #kindOf(error: Error): TransportErrorKind {
    if (this.#progress === 'head') return 'broken'
    if (this.#progress !== 'queued') return 'reset'
    return isConnectTimeout(error) ? 'connect-timeout' : 'connect'
  }
}

/** Headers whose values form no list: the first one counts. */
const FIRST_COUNTS: ReadonlySet<string> = new Set(['content-type', 'retry-after'])

/** Joins the values of a repeated header (RFC 9110 section 5.3). Changes `headers`. */
function singleValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'object') headers[name] = FIRST_COUNTS.has(name) ? value[0]! : value.join(', ')
  }
  return headers
}
