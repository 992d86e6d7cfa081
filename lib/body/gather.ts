/** Up to here pieces are kept as they came and joined at the end. */
const JOIN_BYTES = 1024 * 1024

/**
 * The pieces of a body as one. Each piece of a large body is copied when it comes: joining fifty megabytes at the end
 * would hold up every stream.
 */
export class Gathering {
  #pieces: Buffer[] = []
  #size = 0
  /** Takes over from the list when the body turns out to be large. */
  #memory: Buffer | null = null

  get size(): number {
    return this.#size
  }

  add(piece: Buffer): void {
    const at = this.#size
    this.#size += piece.length
    if (this.#memory === null && this.#size <= JOIN_BYTES) {
      this.#pieces.push(piece)
      return
    }
    if (this.#memory === null || this.#size > this.#memory.length) this.#grow(at)
    piece.copy(this.#memory!, at)
  }

  /** Everything. */
  bytes(): Buffer {
    if (this.#memory !== null) return this.#memory.subarray(0, this.#size)
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#size)
  }

  #grow(filled: number): void {
    const memory = Buffer.allocUnsafeSlow(this.#size * 2)
    if (this.#memory !== null) this.#memory.copy(memory, 0, 0, filled)
    let at = 0
    for (const piece of this.#pieces) at += piece.copy(memory, at)
    this.#pieces = []
    this.#memory = memory
  }
}
