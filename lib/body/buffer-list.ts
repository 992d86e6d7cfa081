/** Numbers per slice: index of its source, first byte, end. */
const NUMBERS = 3

const BLOCK_BYTES = 16 * 1024

/**
 * Slices of larger buffers, in order, as one sequence of bytes. A slice is three numbers and no object: a large body has
 * tens of thousands of slices, and every object that lives as long as a body is moved and marked by the garbage collector
 * while all streams wait (docs/adr/0018).
 */
export class BufferList {
  readonly #sources: Buffer[] = []
  #numbers = new Uint32Array(64 * NUMBERS)
  #count = 0
  #length = 0
  /** The next slice may extend the last one. */
  #merges = false
  /** Memory for copies. */
  #block: Buffer = EMPTY
  #filled = 0

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  /** Number of slices. */
  get count(): number {
    return this.#count
  }

  /** Appends a slice without copying it: `source` must not change afterwards. */
  add(source: Buffer, from: number, to: number): void {
    if (from === to) return
    this.#length += to - from
    const numbers = this.#numbers
    const end = this.#count * NUMBERS
    const isSame = this.#sources.at(-1) === source
    if (isSame && this.#merges && numbers[end - 1] === from) {
      numbers[end - 1] = to
      return
    }
    if (!isSame) this.#sources.push(source)
    if (end === numbers.length) this.#grow()
    this.#numbers[end] = this.#sources.length - 1
    this.#numbers[end + 1] = from
    this.#numbers[end + 2] = to
    this.#count++
    this.#merges = true
  }

  /** The next slice stays separate from the last one, even where they are adjacent. */
  split(): void {
    this.#merges = false
  }

  /** Appends a copy: a small slice would keep all of its source in memory. */
  copy(source: Buffer, from: number, to: number): void {
    if (this.#filled + to - from > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, to - from))
      this.#filled = 0
    }
    const at = this.#filled
    this.#filled += source.copy(this.#block, at, from, to)
    this.add(this.#block, at, this.#filled)
  }

  /** Appends the slices of another list from index `first` to `end`. */
  addFrom(other: BufferList, first: number, end: number): void {
    for (let index = first; index < end; index++) {
      const at = index * NUMBERS
      this.add(other.#sources[other.#numbers[at]!]!, other.#numbers[at + 1]!, other.#numbers[at + 2]!)
    }
  }

  /** Bytes of one slice. */
  sizeOf(index: number): number {
    return this.#numbers[index * NUMBERS + 2]! - this.#numbers[index * NUMBERS + 1]!
  }

  /** One slice, not copied. */
  at(index: number): Buffer {
    const at = index * NUMBERS
    return this.#sources[this.#numbers[at]!]!.subarray(this.#numbers[at + 1], this.#numbers[at + 2])
  }

  /** Shows one slice to `scanner`. Returns its answer. */
  scan(index: number, scanner: { bytes(source: Buffer, from: number, end: number): boolean }): boolean {
    const at = index * NUMBERS
    return scanner.bytes(this.#sources[this.#numbers[at]!]!, this.#numbers[at + 1]!, this.#numbers[at + 2]!)
  }

  /** Copies one slice into `target` at `offset`. Returns its number of bytes. */
  copyTo(index: number, target: Buffer, offset: number): number {
    const at = index * NUMBERS
    return this.#sources[this.#numbers[at]!]!.copy(target, offset, this.#numbers[at + 1], this.#numbers[at + 2])
  }

  #grow(): void {
    const larger = new Uint32Array(this.#numbers.length * 2)
    larger.set(this.#numbers)
    this.#numbers = larger
  }
}

const EMPTY = Buffer.alloc(0)
