const FIRST_BYTES = 4096

/** Bytes that are appended one after the other and read as one buffer. */
export class ByteBuffer {
  #bytes: Buffer = EMPTY
  #length = 0
  /** `#bytes` belongs to the caller of append(): it is full, so nothing is written into it. */
  #isBorrowed = false

  get length(): number {
    return this.#length
  }

  /** Appends a whole buffer. The first one is not copied: it must not change afterwards. */
  append(bytes: Buffer): void {
    if (this.#length > 0) return this.copy(bytes, 0, bytes.length)
    this.#bytes = bytes
    this.#length = bytes.length
    this.#isBorrowed = true
  }

  /** Appends the bytes of `source` from `from` to `to`. */
  copy(source: Buffer, from: number, to: number): void {
    this.#reserve(to - from)
    this.#length += source.copy(this.#bytes, this.#length, from, to)
  }

  /** Appends ASCII text. */
  write(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** Everything appended so far. Valid until the next change. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Empties the buffer and keeps its memory. */
  clear(): void {
    this.#length = 0
    if (!this.#isBorrowed) return
    this.#bytes = EMPTY
    this.#isBorrowed = false
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, FIRST_BYTES))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#isBorrowed = false
  }
}

const EMPTY = Buffer.alloc(0)
