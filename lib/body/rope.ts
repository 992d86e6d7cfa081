/** Where one part lies: the number of its source, its first byte there, and the one behind its last. */
const NUMBERS = 3

const BLOCK_BYTES = 16 * 1024

/**
 * Bytes that lie in parts of larger buffers, in their order. Three numbers for a part instead of an object: a large body
 * has tens of thousands of them, and each object that lives for as long as a body is one more to be moved and marked by
 * the garbage collector while every stream waits.
 */
export class Rope {
  readonly #sources: Buffer[] = []
  #places = new Uint32Array(64 * NUMBERS)
  #parts = 0
  #length = 0
  /** What is added may become one with the part before it. */
  #joins = false
  /** Holds copies. */
  #block: Buffer = NOTHING
  #filled = 0

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  get parts(): number {
    return this.#parts
  }

  /** Appends these bytes where they are: nobody may write there any more. */
  add(source: Buffer, from: number, to: number): void {
    if (from === to) return
    this.#length += to - from
    const places = this.#places
    const end = this.#parts * NUMBERS
    const isSame = this.#sources.at(-1) === source
    if (isSame && this.#joins && places[end - 1] === from) {
      places[end - 1] = to
      return
    }
    if (!isSame) this.#sources.push(source)
    if (end === places.length) this.#grow()
    this.#places[end] = this.#sources.length - 1
    this.#places[end + 1] = from
    this.#places[end + 2] = to
    this.#parts++
    this.#joins = true
  }

  /** What is added next is a part of its own. */
  cut(): void {
    this.#joins = false
  }

  /** The same for so few that they are better copied than kept with all that lies around them. */
  copy(source: Buffer, from: number, to: number): void {
    if (this.#filled + to - from > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, to - from))
      this.#filled = 0
    }
    const at = this.#filled
    this.#filled += source.copy(this.#block, at, from, to)
    this.add(this.#block, at, this.#filled)
  }

  /** Appends some parts of another. */
  addParts(other: Rope, first: number, end: number): void {
    for (let part = first; part < end; part++) {
      const at = part * NUMBERS
      this.add(other.#sources[other.#places[at]!]!, other.#places[at + 1]!, other.#places[at + 2]!)
    }
  }

  /** Bytes of one part. */
  sizeOf(part: number): number {
    return this.#places[part * NUMBERS + 2]! - this.#places[part * NUMBERS + 1]!
  }

  /** One part, where it is. */
  at(part: number): Buffer {
    const at = part * NUMBERS
    return this.#sources[this.#places[at]!]!.subarray(this.#places[at + 1], this.#places[at + 2])
  }

  /** Copies one part to `offset`. Answers how many bytes that were. */
  write(part: number, target: Buffer, offset: number): number {
    const at = part * NUMBERS
    return this.#sources[this.#places[at]!]!.copy(target, offset, this.#places[at + 1], this.#places[at + 2])
  }

  #grow(): void {
    const larger = new Uint32Array(this.#places.length * 2)
    larger.set(this.#places)
    this.#places = larger
  }
}

const NOTHING = Buffer.alloc(0)
