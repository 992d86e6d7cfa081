/** The response of a call on its way to its handler: expanded, in turns with other work, and paused by its owner. */
import type { IncomingHttpHeaders } from 'node:http'
import { nextTurn } from '../base/long-work.ts'
import { Decompression, type DecompressionListener } from './decompress.ts'
import { type ResponseHandler, TransportError, type TransportErrorKind } from './transport.ts'

/**
 * Bytes that are passed on before other work gets a turn. A stream of tokens takes minutes to send as many. With sixty
 * backends that send without a pause, the event loop turns every 8 ms instead of every 200 to 450 ms (docs/adr/0098).
 */
const TURN_BYTES = 64 * 1024

/**
 * Bytes that are queued before the connection is paused. undici reads another 64 KB after each resume(), however little
 * is taken: without a queue, a client that reads 4 KB at a time lets 3.7 MB of a reply pile up.
 */
const MAX_QUEUED_BYTES = 64 * 1024

/** The connection while it receives the response. */
interface ResponseSource {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

export class Delivery implements DecompressionListener {
  readonly #handler: ResponseHandler
  /** null: no head has arrived, or the last byte has. The connection may then serve another request. */
  #source: ResponseSource | null = null
  /** null: the body arrives as plain bytes. */
  #decompression: Decompression | null = null
  #queue: Buffer[] = []
  #queuedBytes = 0
  #turnBytes = 0
  #isPaused = false
  #isWaitingForTurn = false
  /** The queue is full. */
  #isSourcePaused = false
  #isClosed = false
  /** Called after the last piece of the queue. */
  #afterLast: (() => void) | undefined

  constructor(handler: ResponseHandler) {
    this.#handler = handler
  }

  /** The handler gets no further call. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The head has arrived. Header values are single. */
  begin(source: ResponseSource, status: number, headers: IncomingHttpHeaders): void {
    this.#source = source
    const encoding = headers['content-encoding']
    if (encoding !== undefined) this.#decompression = Decompression.of(encoding, this)
    this.#handler.onHead(status, headers)
  }

  write(chunk: Buffer): void {
    // undici may report an empty piece after a pause. A handler that pauses at each piece would never get further.
    if (this.#isClosed || chunk.length === 0) return
    if (this.#decompression === null) this.onPlainData(chunk)
    else if (!this.#decompression.write(chunk)) this.#source?.pause()
  }

  end(): void {
    this.#source = null
    if (this.#isClosed) return
    if (this.#decompression === null) this.onPlainEnd()
    else this.#decompression.end()
  }

  /** The response cannot be completed. The handler first gets what has arrived. */
  fail(kind: TransportErrorKind, error: Error): void {
    this.#source = null
    this.#afterQueue(() => {
      this.close()
      this.#handler.onError(new TransportError(kind, error))
    })
  }

  pause(): void {
    this.#isPaused = true
  }

  /** Continues in a later tick. */
  resume(): void {
    this.#isPaused = false
    void this.#waitForTurn()
  }

  /** Drops the queue. The handler gets no further call. */
  close(): void {
    this.#isClosed = true
    this.#source = null
    this.#queue = []
    this.#afterLast = undefined
    this.#decompression?.close()
    this.#decompression = null
  }

  // ------------------------------------------------------------ DecompressionListener

  onPlainData(chunk: Buffer): void {
    if (this.#isClosed) return
    if (!this.#isPaused && !this.#isWaitingForTurn) return this.#pass(chunk)
    this.#queue.push(chunk)
    this.#queuedBytes += chunk.length
    if (this.#queuedBytes >= MAX_QUEUED_BYTES) this.#pauseSource()
  }

  onPlainDrain(): void {
    this.#source?.resume()
  }

  onPlainEnd(): void {
    this.#afterQueue(() => {
      this.close()
      try {
        this.#handler.onEnd()
      } catch (thrown) {
        this.#handler.onError(new TransportError('broken', thrown as Error))
      }
    })
  }

  onPlainError(error: Error): void {
    this.#afterQueue(() => this.#break(error))
  }

  // ------------------------------------------------------------ queue

  #pass(chunk: Buffer): void {
    try {
      this.#handler.onData(chunk)
    } catch (thrown) {
      return this.#break(thrown as Error)
    }
    this.#turnBytes += chunk.length
    if (this.#turnBytes >= TURN_BYTES) void this.#waitForTurn()
  }

  async #waitForTurn(): Promise<void> {
    if (this.#isWaitingForTurn) return
    this.#isWaitingForTurn = true
    await nextTurn()
    this.#isWaitingForTurn = false
    this.#turnBytes = 0
    this.#passQueue()
  }

  #passQueue(): void {
    while (this.#queue.length > 0 && !this.#isPaused && !this.#isWaitingForTurn) {
      const chunk = this.#queue.shift()!
      this.#queuedBytes -= chunk.length
      this.#pass(chunk)
    }
    if (this.#queue.length > 0 || this.#isPaused || this.#isClosed) return
    const afterLast = this.#afterLast
    this.#afterLast = undefined
    if (afterLast !== undefined) afterLast()
    else if (this.#isSourcePaused) this.#resumeSource()
  }

  #pauseSource(): void {
    if (this.#isSourcePaused) return
    this.#isSourcePaused = true
    // A paused decompression buffers what it is written until it is full, and then pauses the connection itself.
    if (this.#decompression !== null) this.#decompression.pause()
    else this.#source?.pause()
  }

  #resumeSource(): void {
    this.#isSourcePaused = false
    if (this.#decompression !== null) this.#decompression.resume()
    else this.#source?.resume()
  }

  #afterQueue(call: () => void): void {
    if (this.#queue.length === 0) call()
    else this.#afterLast = call
  }

  /** The handler has thrown, or the bytes of the body do not match its encoding. */
  #break(error: Error): void {
    const source = this.#source
    this.close()
    source?.abort(error)
    this.#handler.onError(new TransportError('broken', error))
  }
}
