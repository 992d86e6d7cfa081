import type { Writable } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { BLOCK_BYTES, type Blocks } from './blocks.ts'
import { attach } from './detach.ts'
import { Rope } from './rope.ts'
import { DetachedTexts } from './texts.ts'

/** What a backend is sent. Another backend can be sent the same again. */
export interface OutgoingBody {
  /** In bytes: the content length. */
  readonly length: number
  /** Writes all of it and ends `request`. Whoever takes it slowly is waited for. */
  sendTo(request: Writable): void
}

/** After so many bytes others get their turn. */
const TOGETHER_BYTES = 512 * 1024

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
    ? new OutgoingText(pieces[0]!)
    : inParts(pieces, mark, detached ?? NONE, blocks)
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
  readonly length: number
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    this.length = Buffer.byteLength(text)
  }

  sendTo(request: Writable): void {
    request.end(this.#text)
  }
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
