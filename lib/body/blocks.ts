const BLOCK_BYTES = 64 * 1024

/** From here on a piece is not copied. */
const LARGE_BYTES = 16 * 1024

/** Joins small pieces into blocks: each write costs more than copying a few kilobytes. */
export class Blocks {
  readonly #pieces: Buffer[] = []
  #block: Buffer = EMPTY
  #filled = 0

  add(piece: Buffer): void {
    if (piece.length >= LARGE_BYTES) {
      this.#flush()
      this.#pieces.push(piece)
      return
    }
    if (this.#filled + piece.length > this.#block.length) {
      this.#flush()
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      this.#filled = 0
    }
    this.#filled += piece.copy(this.#block, this.#filled)
  }

  end(): Buffer[] {
    this.#flush()
    return this.#pieces
  }

  /** What follows goes on in the same block, as a piece of its own. */
  #flush(): void {
    if (this.#filled > 0) this.#pieces.push(this.#block.subarray(0, this.#filled))
    this.#block = this.#block.subarray(this.#filled)
    this.#filled = 0
  }
}

const EMPTY = Buffer.alloc(0)
