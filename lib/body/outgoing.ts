import type { Writable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { BufferList } from './buffer-list.ts'
import { BufferPool, POOLED_BYTES } from './buffer-pool.ts'

/** What a backend is sent. Another backend can be sent the same again. */
export interface OutgoingBody {
  /** In bytes: the content length. */
  readonly length: number
  /** Writes all of it and ends `request`. Whoever takes it slowly is waited for. */
  sendTo(request: Writable): void
  /** All of it from its start, for one request: as a whole where it is small, else piece by piece. */
  open(progress: SendingProgress): Buffer | AsyncIterable<Buffer>
}

/** The connection that a body is sent over. */
export interface SendingProgress {
  /** Everything that the connection was given has left the process. */
  readonly isFlushed: boolean
}

/** After so many bytes others get their turn. */
const TOGETHER_BYTES = 512 * 1024

/**
 * A body of this size is handed over as a whole, which costs least. The connection keeps it until the response is
 * complete; of a larger one, which goes out in pieces, it keeps nothing.
 */
const SMALL_BYTES = 4096

/** From here on a part is written as it is. Smaller ones are joined: each write costs more than copying them. */
const LARGE_BYTES = 16 * 1024

/** A body from its JSON text. */
export function textBody(json: string, pool = new BufferPool()): OutgoingBody {
  return new OutgoingText(json, pool)
}

/** A body from slices of memory, which must not change. Small slices are joined in buffers from `pool`. */
export function outgoingParts(list: BufferList, pool: BufferPool): OutgoingBody {
  return new OutgoingParts(list, pool)
}

/** Goes out together with the head of the request. */
class OutgoingText implements OutgoingBody {
  readonly #bytes: Buffer
  readonly #pool: BufferPool

  constructor(text: string, pool: BufferPool) {
    this.#bytes = text.length <= SMALL_BYTES ? ownBuffer(text) : Buffer.from(text)
    this.#pool = pool
  }

  get length(): number {
    return this.#bytes.length
  }

  sendTo(request: Writable): void {
    request.end(this.#bytes)
  }

  open(progress: SendingProgress): Buffer | AsyncIterable<Buffer> {
    if (this.#bytes.length <= SMALL_BYTES) return this.#bytes
    const list = new BufferList()
    list.add(this.#bytes, 0, this.#bytes.length)
    return new Pieces(list, this.#pool, progress)
  }
}

/** Memory of its own: a stream of minutes would keep the 64 KB alive that Node takes small buffers from. */
function ownBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

class OutgoingParts implements OutgoingBody {
  readonly #list: BufferList
  readonly #pool: BufferPool

  constructor(list: BufferList, pool: BufferPool) {
    this.#list = list
    this.#pool = pool
  }

  get length(): number {
    return this.#list.length
  }

  sendTo(request: Writable): void {
    new Sending(this.#list, request, this.#pool).goOn()
  }

  open(progress: SendingProgress): AsyncIterable<Buffer> {
    return new Pieces(this.#list, this.#pool, progress)
  }
}

/** Slices on their way over one connection. They are joined when the connection asks for more, never ahead of it. */
class Pieces implements AsyncIterableIterator<Buffer> {
  #list: BufferList | null
  readonly #pool: BufferPool
  readonly #progress: SendingProgress
  #next = 0
  /** Bytes since other work last had the event loop. */
  #together = 0
  /** Buffers that the connection may still be reading. */
  #lent: Buffer[] = []

  constructor(list: BufferList, pool: BufferPool, progress: SendingProgress) {
    this.#list = list
    this.#pool = pool
    this.#progress = progress
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#progress.isFlushed) for (const block of this.#lent.splice(0)) this.#pool.giveBack(block)
    // A backend that reads as fast as this writes would keep everything else waiting.
    if (this.#together >= TOGETHER_BYTES) {
      this.#together = 0
      await yieldToEventLoop()
    }
    const list = this.#list
    if (list === null || this.#next === list.count) return this.#end()
    const value = this.#piece(list)
    this.#together += value.length
    return { done: false, value }
  }

  /** The connection broke, or the backend answered early. Buffers that were lent may still be read: they are left. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    return Promise.resolve(this.#end())
  }

  /** The connection keeps this object until the response is complete, which must not keep the body with it. */
  #end(): IteratorReturnResult<undefined> {
    this.#list = null
    this.#lent = []
    return { done: true, value: undefined }
  }

  /** A large part as it is, or as many small ones as a block holds. */
  #piece(list: BufferList): Buffer {
    if (list.sizeOf(this.#next) >= LARGE_BYTES) return list.at(this.#next++)
    const block = this.#pool.take()
    this.#lent.push(block)
    let filled = 0
    for (; this.#next < list.count; this.#next++) {
      const size = list.sizeOf(this.#next)
      if (size >= LARGE_BYTES || filled + size > POOLED_BYTES) break
      filled += list.copyTo(this.#next, block, filled)
    }
    return block.subarray(0, filled)
  }
}

/** Slices on their way. No more of them are joined than the request takes: they would be in memory twice. */
class Sending {
  readonly #list: BufferList
  readonly #request: Writable
  readonly #pool: BufferPool
  #next = 0
  #together = 0

  constructor(list: BufferList, request: Writable, pool: BufferPool) {
    this.#list = list
    this.#request = request
    this.#pool = pool
    request.on('drain', this.goOn)
  }

  readonly goOn = (): void => {
    const request = this.#request
    if (request.destroyed) return
    while (this.#next < this.#list.count) {
      // A backend that is as fast as we are would never let anybody else have a turn.
      if (this.#together >= TOGETHER_BYTES) {
        this.#together = 0
        setImmediate(this.goOn)
        return
      }
      if (!this.#write()) return
    }
    // A stream of minutes must not hold the conversation that it answers.
    request.off('drain', this.goOn)
    request.end()
  }

  /** Writes a large part, or as many others as a block holds. False: the request wants a pause. */
  #write(): boolean {
    const list = this.#list
    const first = list.sizeOf(this.#next)
    if (first >= LARGE_BYTES) {
      this.#together += first
      return this.#request.write(list.at(this.#next++))
    }
    const block = this.#pool.take()
    let filled = 0
    for (; this.#next < list.count; this.#next++) {
      const size = list.sizeOf(this.#next)
      if (size >= LARGE_BYTES || filled + size > POOLED_BYTES) break
      filled += list.copyTo(this.#next, block, filled)
    }
    this.#together += filled
    return this.#request.write(block.subarray(0, filled), failed => {
      // Of a connection that broke nobody knows who still holds the memory.
      if (failed == null) this.#pool.giveBack(block)
    })
  }
}
