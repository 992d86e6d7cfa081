/// <reference path="./undici.d.ts" />
/** One request to a backend and its response (docs/adr/0021-one-http-client.md). */
import type { Controller, DispatchHandler } from 'undici/lib/dispatcher/client.js'
import { replyTurns } from '../base/turns.ts'
import type { OutgoingBody } from '../body/index.ts'
import { type Connection, type ConnectionPool, ConnectTimeoutError } from './connection.ts'
import { Decompression, type DecompressionListener } from './decompress.ts'
import { Delivery, type DeliveryOwner } from './delivery.ts'
import { singleValues } from './response-headers.ts'
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
  /** Whose turns its response takes. */
  readonly account: string
}

/** Called by undici while the response arrives, and by its owner. */
export class Call implements DispatchHandler, DecompressionListener, DeliveryOwner, UpstreamCall {
  readonly #connections: ConnectionPool
  readonly #request: CallRequest
  readonly #handler: ResponseHandler
  /** Kept until the response head, in case the request is repeated. */
  #body: OutgoingBody | null
  #connection: Connection | null = null
  /** While the connection works on this request; afterwards it may belong to another one. */
  #controller: Controller | null = null
  #hasBegun = false
  #decompression: Decompression | null = null
  /** Of a stream. Other replies are only gathered as they come, which costs little. */
  #delivery: Delivery | null = null
  #startedAt = 0
  #isSending = false
  /** The connection had served another request before this one. */
  #isReused = false
  #isRepeat = false
  /** The first byte of the response has come. */
  #hasResponse = false
  #hasHead = false
  #isPaused = false
  /** The body is complete, and a part of it waits for its turn. */
  #isEnding = false
  /** The connection is done with this request. */
  #isDone = false
  /** The handler must not be called any more. */
  #isSilent = false
  #lingerTimer: NodeJS.Timeout | undefined

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
    const body = this.#body?.open(connection) ?? null
    const { method, path, headers: given } = this.#request
    // undici computes the length of a buffer by itself.
    const headers =
      body === null || Buffer.isBuffer(body) ? given : [...given, 'content-length', String(this.#body!.length)]
    this.#isSending = true
    connection.send({ method, path, headers, body, last: fresh }, this)
    this.#isSending = false
  }

  // ------------------------------------------------------------ UpstreamCall

  get isSent(): boolean {
    return this.#hasBegun
  }

  pause(): void {
    if (this.#isSilent || this.#isPaused) return
    this.#isPaused = true
    this.#stopReading()
    // A decompression reads on by itself, until it is full.
    if (this.#decompression === null && this.#controller !== null) this.#connection!.stop()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    // Resuming parses at once, and undici's parser cannot be entered from inside of itself.
    process.nextTick(resumeReading, this)
  }

  /** For resume(), which must not call it inside undici's parser. */
  resumeNow(): void {
    if (this.#isPaused || this.#delivery?.isWaiting) return
    if (this.#decompression !== null) this.#decompression.resume()
    else this.#readOn()
  }

  cancel(): void {
    this.#silence()
    if (this.#isDone) return
    const controller = this.#controller
    this.#done()
    if (controller === null) this.#connection!.destroy()
    // Thousands of clients may disconnect at once, and closing a connection that is full of data takes a tenth of a millisecond.
    else replyTurns.run(() => controller.abort(CANCELLED), this.#request.account)
  }

  release(): void {
    if (this.#isSilent) return
    this.#silence()
    if (this.#isDone) return
    this.#lingerTimer = setTimeout(() => this.cancel(), LINGER_MS)
    this.#readOn()
  }

  #silence(): void {
    this.#isSilent = true
    this.#body = null
    clearTimeout(this.#lingerTimer)
    this.#decompression?.close()
    this.#decompression = null
    this.#delivery?.drop()
  }

  #stopReading(): void {
    if (this.#decompression !== null) this.#decompression.pause()
    else this.#hold()
  }

  #hold(): void {
    this.#controller?.pause()
    if (this.#controller !== null) this.#connection!.hold()
  }

  #readOn(): void {
    if (this.#controller === null) return
    this.#connection!.readOn()
    this.#controller.resume()
  }

  // ------------------------------------------------------------ DispatchHandler

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    this.#hasBegun = true
    this.#isReused = this.#connection!.begin()
  }

  onResponseStarted(): void {
    this.#hasResponse = true
  }

  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    // The raw headers would keep the memory of the whole read for as long as the response takes.
    controller.rawHeaders = null
    if (status < 200 || this.#isSilent) return
    this.#hasHead = true
    this.#body = null
    const single = singleValues(headers)
    const encoding = single['content-encoding']
    if (encoding !== undefined) this.#decompression = Decompression.of(encoding, this)
    if (!single['content-type']?.startsWith('application/json')) {
      this.#delivery = new Delivery(this.#handler, this, this.#request.account)
    }
    this.#handler.onHead(status, single)
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    // The parser may report nothing after a pause: a handler that pauses at each piece would never get further.
    if (this.#isSilent || chunk.length === 0) return
    if (this.#decompression === null) this.#deliver(chunk)
    else if (!this.#decompression.write(chunk)) this.#hold()
  }

  onResponseEnd(): void {
    this.#done()
    this.#connections.giveBack(this.#connection!)
    if (this.#isSilent) return
    if (this.#decompression === null) this.onPlainEnd()
    else this.#decompression.end()
  }

  onResponseError(_controller: Controller | null | undefined, error: Error): void {
    // An invalid request is reported from inside send().
    if (this.#isSending) return queueMicrotask(() => this.onResponseError(null, error))
    this.#done()
    // One that was never begun may still be connecting, or be free for others.
    if (!this.#hasBegun) this.#connection!.destroy()
    if (this.#isSilent) return
    if (this.#mayRepeat()) return this.#repeat()
    this.#delivery?.flush()
    // What came before the error may have been all that is needed.
    if (!this.#isSilent) this.#fail(this.#kindOf(error), error)
  }

  // ------------------------------------------------------------ DecompressionListener

  onPlainData(chunk: Buffer): void {
    try {
      this.#deliver(chunk)
    } catch (thrown) {
      this.onPlainError(thrown as Error)
    }
  }

  onPlainDrain(): void {
    this.#readOn()
  }

  onPlainEnd(): void {
    if (this.#delivery?.isWaiting) {
      this.#isEnding = true
      return
    }
    this.#silence()
    try {
      this.#handler.onEnd()
    } catch (thrown) {
      this.#handler.onError(new TransportError('broken', thrown as Error))
    }
  }

  onPlainError(error: Error): void {
    this.cancel()
    this.#handler.onError(new TransportError('broken', error))
  }

  // ------------------------------------------------------------ DeliveryOwner

  passLate(chunk: Buffer): void {
    if (this.#isSilent) return
    try {
      this.#handler.onData(chunk)
    } catch (thrown) {
      this.onPlainError(thrown as Error)
    }
  }

  onCaughtUp(): void {
    if (this.#isSilent) return
    if (this.#isEnding) this.onPlainEnd()
    else this.resumeNow()
  }

  // ------------------------------------------------------------

  #deliver(chunk: Buffer): void {
    if (this.#delivery === null) this.#handler.onData(chunk)
    else if (!this.#delivery.take(chunk)) this.#stopReading()
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
    return error instanceof ConnectTimeoutError ? 'connect-timeout' : 'connect'
  }

  #fail(kind: TransportError['kind'], error: Error): void {
    this.#silence()
    this.#handler.onError(new TransportError(kind, error))
  }
}

function resumeReading(call: Call): void {
  call.resumeNow()
}
