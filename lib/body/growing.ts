const FIRST_BYTES = 4096

/** Bytes that are written one after the other, without an object for each part. */
export class Growing {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  copy(source: Buffer, from: number, to: number): void {
    this.#makeRoom(to - from)
    this.#length += source.copy(this.#bytes, this.#length, from, to)
  }

  /** `text`: ASCII. */
  write(text: string): void {
    this.#makeRoom(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** What has been written, as long as nothing else is. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.#length = 0
  }

  #makeRoom(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
