/** One request to a backend and its response (docs/adr/0021-one-http-client.md). */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import type { OutgoingBody } from '../body/index.ts'
import type { Connection, ConnectionPool } from './connection.ts'
import { Decompression, type DecompressionListener } from './decompress.ts'
import { Delivery, type DeliverySource } from './delivery.ts'
import { type ResponseHandler, TransportError, type UpstreamCall } from './transport.ts'

/** A kept-alive connection that the backend has closed fails this early. Later than this the request has been read. */
const STALE_WITHIN_MS = 1000
/** After release(): how long the rest of the response may take before the connection is closed. */
const LINGER_MS = 1000
const CANCELLED = new Error('cancelled')

export interface CallRequest {
  readonly method: string
  readonly path: string
  /** Names and values alternate. */
  readonly headers: readonly string[]
}

/** Called by undici while the response arrives, and by its owner. */
export class Call implements Dispatcher.DispatchHandler, DecompressionListener, DeliverySource, UpstreamCall {
  readonly #connections: ConnectionPool
  readonly #request: CallRequest
  readonly #handler: ResponseHandler
  /** Kept until the response head, in case the request is repeated. */
  #body: OutgoingBody | null
  #connection: Connection | null = null
  /** While the connection works on this request; afterwards it may belong to another one. */
  #controller: Dispatcher.DispatchController | null = null
  #hasBegun = false
  #decompression: Decompression | null = null
  #startedAt = 0
  #isSending = false
  /** The connection had served another request before this one. */
  #isReused = false
  #isRepeat = false
  /** The first byte of the response has come. */
  #hasResponse = false
  #hasHead = false
  /** The connection is done with this request. */
  #isDone = false
  /** The handler must not be called any more. */
  #isSilent = false
  #lingerTimer: NodeJS.Timeout | undefined
  readonly #delivery = new Delivery(this, chunk => this.#hand(chunk))

  constructor(connections: ConnectionPool, request: CallRequest, body: OutgoingBody | null, handler: ResponseHandler) {
    this.#connections = connections
    this.#request = request
    this.#body = body
    this.#handler = handler
  }

  /** `fresh`: over a new connection that serves no other request. */
  start(fresh: boolean): void {
    this.#startedAt = performance.now()
    this.#send(fresh)
  }

  #send(fresh: boolean): void {
    const connection = this.#connections.take(fresh)
    this.#connection = connection
    const body = this.#body?.open() ?? null
    const { method, path, headers: given } = this.#request
    // undici computes the length of a buffer by itself.
    const headers =
      body === null || Buffer.isBuffer(body) ? given : [...given, 'content-length', String(this.#body!.length)]
    this.#isSending = true
    const sent = body === null || Buffer.isBuffer(body) ? body : Readable.from(body, { objectMode: false })
    connection.send({ method, path, headers, body: sent, last: fresh }, this)
    this.#isSending = false
  }

  // ------------------------------------------------------------ UpstreamCall

  get isSent(): boolean {
    return this.#hasBegun
  }

  pause(): void {
    this.#delivery.pause()
  }

  resume(): void {
    this.#delivery.resume()
  }

  cancel(): void {
    this.#silence()
    if (this.#isDone) return
    const controller = this.#controller
    this.#done()
    if (controller === null) this.#connection!.destroy()
    else controller.abort(CANCELLED)
  }

  release(): void {
    if (this.#isSilent) return
    this.#silence()
    if (this.#isDone) return
    this.#lingerTimer = setTimeout(() => this.cancel(), LINGER_MS)
    this.#controller?.resume()
  }

  #silence(): void {
    this.#isSilent = true
    this.#body = null
    clearTimeout(this.#lingerTimer)
    this.#delivery.close()
    this.#decompression?.close()
    this.#decompression = null
  }

  // ------------------------------------------------------------ DispatchHandler

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#hasBegun = true
    this.#isReused = this.#connection!.begin()
  }

  onResponseStarted(): void {
    this.#hasResponse = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isSilent) return
    this.#hasHead = true
    this.#body = null
    const single = singleValues(headers)
    const encoding = single['content-encoding']
    if (encoding !== undefined) this.#decompression = Decompression.of(encoding, this)
    this.#handler.onHead(status, single)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // The parser may report nothing after a pause: a handler that pauses at each piece would never get further.
    if (this.#isSilent || chunk.length === 0) return
    if (this.#decompression === null) this.#delivery.take(chunk)
    else if (!this.#decompression.write(chunk)) this.#controller?.pause()
  }

  onResponseEnd(): void {
    this.#done()
    this.#connections.giveBack(this.#connection!)
    if (this.#isSilent) return
    if (this.#decompression === null) this.onPlainEnd()
    else this.#decompression.end()
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    // An invalid request is reported from inside send().
    if (this.#isSending) return queueMicrotask(() => this.onResponseError(controller, error))
    this.#done()
    // One that was never begun may still be connecting, or be free for others.
    if (!this.#hasBegun) this.#connection!.destroy()
    if (this.#isSilent) return
    if (this.#mayRepeat()) return this.#repeat()
    this.#fail(this.#kindOf(error), error)
  }

  // ------------------------------------------------------------ DecompressionListener

  onPlainData(chunk: Buffer): void {
    this.#delivery.take(chunk)
  }

  onPlainDrain(): void {
    this.#controller?.resume()
  }

  onPlainEnd(): void {
    this.#delivery.end(() => {
      this.#silence()
      try {
        this.#handler.onEnd()
      } catch (thrown) {
        this.#handler.onError(new TransportError('broken', thrown as Error))
      }
    })
  }

  onPlainError(error: Error): void {
    this.#delivery.end(() => this.#breakOff(error))
  }

  // ------------------------------------------------------------ DeliverySource

  stopReading(): void {
    if (this.#isSilent) return
    // A decompression reads on by itself, until it is full.
    if (this.#decompression !== null) this.#decompression.pause()
    else this.#controller?.pause()
  }

  readOn(): void {
    if (this.#decompression !== null) this.#decompression.resume()
    else this.#controller?.resume()
  }

  // ------------------------------------------------------------

  #hand(chunk: Buffer): void {
    try {
      this.#handler.onData(chunk)
    } catch (thrown) {
      this.#breakOff(thrown as Error)
    }
  }

  #breakOff(error: Error): void {
    this.cancel()
    this.#handler.onError(new TransportError('broken', error))
  }

  #done(): void {
    this.#isDone = true
    this.#controller = null
    clearTimeout(this.#lingerTimer)
  }

  /** A backend may close a connection at the moment that it is used again, which says nothing about the backend. */
  #mayRepeat(): boolean {
    if (this.#isRepeat || !this.#isReused || this.#hasResponse || this.#connections.isClosed) return false
    return performance.now() - this.#startedAt < STALE_WITHIN_MS
  }

  /** Other kept-alive connections may be closed as well: the repeat opens one. */
  #repeat(): void {
    this.#isRepeat = true
    this.#isDone = false
    this.#hasBegun = false
    this.#send(true)
  }

  #kindOf(error: Error): TransportError['kind'] {
    if (this.#hasHead) return 'broken'
    if (this.#hasBegun) return 'reset'
    return error instanceof errors.ConnectTimeoutError ? 'connect-timeout' : 'connect'
  }

  #fail(kind: TransportError['kind'], error: Error): void {
    this.#delivery.end(() => {
      this.#silence()
      this.#handler.onError(new TransportError(kind, error))
    })
  }
}

/** Of headers whose values make no list, the first counts. */
const FIRST_COUNTS: ReadonlySet<string> = new Set(['content-type', 'retry-after'])

/** Headers that came several times become one value, as RFC 9110 section 5.3 says. Nearly always there are none. */
export function singleValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'object') headers[name] = FIRST_COUNTS.has(name) ? value[0]! : value.join(', ')
  }
  return headers
}
