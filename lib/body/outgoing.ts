import { utf8Buffer } from '../base/short-utf8.ts'
import { nextTurn, turns } from '../base/turns.ts'
import type { ArrivingBody } from './arriving.ts'
import { BufferList } from './buffer-list.ts'
import { BufferPool, POOLED_BYTES } from './buffer-pool.ts'

/** The body of a request to a backend. It can be sent again, to the same backend or another one. */
export interface OutgoingBody {
  /** Content length in bytes; undefined: not known before its end. */
  readonly length: number | undefined
  /** Absent: JSON. */
  readonly mediaType?: string
  /** Set where the body has not arrived completely when it is sent. */
  readonly arriving?: ArrivingBody | undefined
  /** The body for one request: a small one as a whole, a larger one piece by piece, as the connection takes them. */
  open(progress: SendingProgress): Buffer | AsyncIterable<Buffer>
}

/** The connection that a body is sent over. */
export interface SendingProgress {
  /** Everything that was written to the connection has left the process. */
  readonly isFlushed: boolean
}

/** Bytes that all bodies together write in a tick before other work has the event loop. */
const BYTES_PER_TICK = 512 * 1024

/** Bytes written since the last tick in which there were turns: where nothing waits for one, of several ticks together. */
const written = { tick: 0, bytes: 0 }

/** False where enough has been written in this tick. */
function mayWrite(): boolean {
  if (written.tick !== turns.tick) {
    written.tick = turns.tick
    written.bytes = 0
  }
  return written.bytes < BYTES_PER_TICK
}

/**
 * Largest body that is written as a whole, which costs least. The connection keeps it in memory until the response is
 * complete, and nothing of a body that it takes in pieces.
 */
const SMALL_BYTES = 4096

/** Smallest part that is written as it is. Smaller ones are joined, because a write costs more than copying them. */
const LARGE_BYTES = 16 * 1024

/** A body from its JSON text. */
export function textBody(json: string, pool = new BufferPool()): OutgoingBody {
  return new OutgoingText(json, pool)
}

/** A body from slices of memory, which must not change. Small slices are joined in buffers from `pool`. */
export function outgoingParts(list: BufferList, pool: BufferPool): OutgoingBody {
  return new OutgoingParts(list, pool)
}

/** A body in one part. A small one is written together with the request head. */
class OutgoingText implements OutgoingBody {
  readonly #bytes: Buffer
  readonly #pool: BufferPool

  constructor(text: string, pool: BufferPool) {
    this.#bytes = utf8Buffer(text)
    this.#pool = pool
  }

  get length(): number {
    return this.#bytes.length
  }

  open(progress: SendingProgress): Buffer | AsyncIterable<Buffer> {
    if (this.#bytes.length <= SMALL_BYTES) return this.#bytes
    const list = new BufferList()
    list.add(this.#bytes, 0, this.#bytes.length)
    return new Pieces(list, this.#pool, progress)
  }
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

  open(progress: SendingProgress): AsyncIterable<Buffer> {
    return new Pieces(this.#list, this.#pool, progress)
  }
}

/** A body on its way over one connection. Small parts are joined when the connection asks for more, never ahead of it. */
class Pieces implements AsyncIterableIterator<Buffer> {
  #list: BufferList | null
  readonly #pool: BufferPool
  readonly #progress: SendingProgress
  #next = 0
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
    // Backends that read as fast as this writes would keep everything else waiting.
    if (!mayWrite()) await nextTurn()
    const list = this.#list
    if (list === null || this.#next === list.count) return this.#end()
    const value = this.#piece(list)
    written.bytes += value.length
    return { done: false, value }
  }

  /** The connection broke, or the backend responded early. Its buffers may still be read, so they are not given back. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    return Promise.resolve(this.#end())
  }

  /** The connection keeps this object until the response is complete, which must not keep the body with it. */
  #end(): IteratorReturnResult<undefined> {
    this.#list = null
    this.#lent = []
    return { done: true, value: undefined }
  }

  /** A large part as it is, or as many small ones as a buffer holds. */
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
