const MIN_CAPACITY = 4096

/** Bytes that arrive in pieces and are read as one buffer. */
export class ByteBuffer {
  #bytes: Buffer = EMPTY
  #length = 0

  get length(): number {
    return this.#length
  }

  /** All bytes so far. Valid until the next change. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Appends a piece. The first one is not copied: it must not change afterwards. */
  append(piece: Buffer): void {
    if (this.#length > 0) return this.copy(piece)
    this.#bytes = piece
    this.#length = piece.length
  }

  copy(piece: Buffer): void {
    const needed = this.#length + piece.length
    // The first piece of append() has no free space, so nothing is written into it.
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, MIN_CAPACITY))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    piece.copy(this.#bytes, this.#length)
    this.#length = needed
  }
}

const EMPTY = Buffer.alloc(0)
