import type { Writable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { BLOCK_BYTES, Blocks } from './blocks.ts'
import { attach } from './detach.ts'
import { Rope } from './rope.ts'
import { DetachedTexts } from './texts.ts'

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

/** A body from its JSON text, which may come in pieces; `detached` is put where its marks are, in memory from `blocks`. */
export function outgoing(
  pieces: readonly string[],
  mark: string,
  detached: DetachedTexts | null,
  blocks: Blocks,
): OutgoingBody | Promise<OutgoingBody> {
  return pieces.length === 1 && detached === null
    ? new OutgoingText(pieces[0]!, blocks)
    : inParts(pieces, mark, detached ?? NONE, blocks)
}

/** A body from a text without detached texts. */
export function textBody(text: string): OutgoingBody {
  return new OutgoingText(text, new Blocks())
}

const NONE = new DetachedTexts()

async function inParts(
  pieces: readonly string[],
  mark: string,
  detached: DetachedTexts,
  blocks: Blocks,
): Promise<OutgoingBody> {
  const rope = new Rope()
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await yieldToEventLoop()
    attach(piece, mark, detached, rope)
  }
  return new OutgoingParts(rope, blocks)
}

/** Goes out together with the head of the request. */
class OutgoingText implements OutgoingBody {
  readonly #bytes: Buffer
  readonly #blocks: Blocks

  constructor(text: string, blocks: Blocks) {
    this.#bytes = text.length <= SMALL_BYTES ? ownBuffer(text) : Buffer.from(text)
    this.#blocks = blocks
  }

  get length(): number {
    return this.#bytes.length
  }

  sendTo(request: Writable): void {
    request.end(this.#bytes)
  }

  open(progress: SendingProgress): Buffer | AsyncIterable<Buffer> {
    if (this.#bytes.length <= SMALL_BYTES) return this.#bytes
    const rope = new Rope()
    rope.add(this.#bytes, 0, this.#bytes.length)
    return new Pieces(rope, this.#blocks, progress)
  }
}

/** Memory of its own: a stream of minutes would keep the 64 KB alive that Node takes small buffers from. */
function ownBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

class OutgoingParts implements OutgoingBody {
  readonly #rope: Rope
  readonly #blocks: Blocks

  constructor(rope: Rope, blocks: Blocks) {
    this.#rope = rope
    this.#blocks = blocks
  }

  get length(): number {
    return this.#rope.length
  }

  sendTo(request: Writable): void {
    new Sending(this.#rope, request, this.#blocks).goOn()
  }

  open(progress: SendingProgress): AsyncIterable<Buffer> {
    return new Pieces(this.#rope, this.#blocks, progress)
  }
}

/** A rope on its way over one connection. Parts are joined when the connection asks for more, never ahead of it. */
class Pieces implements AsyncIterableIterator<Buffer> {
  #rope: Rope | null
  readonly #blocks: Blocks
  readonly #progress: SendingProgress
  #next = 0
  /** Bytes since other work last had the event loop. */
  #together = 0
  /** Blocks that the connection may still be reading. */
  #lent: Buffer[] = []

  constructor(rope: Rope, blocks: Blocks, progress: SendingProgress) {
    this.#rope = rope
    this.#blocks = blocks
    this.#progress = progress
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#progress.isFlushed) for (const block of this.#lent.splice(0)) this.#blocks.giveBack(block)
    // A backend that reads as fast as this writes would keep everything else waiting.
    if (this.#together >= TOGETHER_BYTES) {
      this.#together = 0
      await yieldToEventLoop()
    }
    const rope = this.#rope
    if (rope === null || this.#next === rope.parts) return this.#end()
    const value = this.#piece(rope)
    this.#together += value.length
    return { done: false, value }
  }

  /** The connection broke, or the backend answered early. Blocks that were lent may still be read: they are left. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    return Promise.resolve(this.#end())
  }

  /** The connection keeps this object until the response is complete, which must not keep the body with it. */
  #end(): IteratorReturnResult<undefined> {
    this.#rope = null
    this.#lent = []
    return { done: true, value: undefined }
  }

  /** A large part as it is, or as many small ones as a block holds. */
  #piece(rope: Rope): Buffer {
    if (rope.sizeOf(this.#next) >= LARGE_BYTES) return rope.at(this.#next++)
    const block = this.#blocks.take()
    this.#lent.push(block)
    let filled = 0
    for (; this.#next < rope.parts; this.#next++) {
      const size = rope.sizeOf(this.#next)
      if (size >= LARGE_BYTES || filled + size > BLOCK_BYTES) break
      filled += rope.write(this.#next, block, filled)
    }
    return block.subarray(0, filled)
  }
}

/** A rope on its way. No more of its parts are joined than the request takes: they would be in memory twice. */
class Sending {
  readonly #rope: Rope
  readonly #request: Writable
  readonly #blocks: Blocks
  #next = 0
  #together = 0

  constructor(rope: Rope, request: Writable, blocks: Blocks) {
    this.#rope = rope
    this.#request = request
    this.#blocks = blocks
    request.on('drain', this.goOn)
  }

  readonly goOn = (): void => {
    const request = this.#request
    if (request.destroyed) return
    while (this.#next < this.#rope.parts) {
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
    const rope = this.#rope
    const first = rope.sizeOf(this.#next)
    if (first >= LARGE_BYTES) {
      this.#together += first
      return this.#request.write(rope.at(this.#next++))
    }
    const block = this.#blocks.take()
    let filled = 0
    for (; this.#next < rope.parts; this.#next++) {
      const size = rope.sizeOf(this.#next)
      if (size >= LARGE_BYTES || filled + size > BLOCK_BYTES) break
      filled += rope.write(this.#next, block, filled)
    }
    this.#together += filled
    return this.#request.write(block.subarray(0, filled), failed => {
      // Of a connection that broke nobody knows who still holds the memory.
      if (failed == null) this.#blocks.giveBack(block)
    })
  }
}
