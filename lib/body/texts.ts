import { Rope } from './rope.ts'

/** Smaller parts of a text are copied: one of a single byte would keep all that it came with. */
const SMALL_PART = 1024

/** The texts that were taken out of a body, escaped for JSON, by their numbers (detach.ts). */
export class DetachedTexts {
  readonly #bytes = new Rope()
  /** Behind the last part of each. */
  readonly #ends: number[] = []
  /** The last one is escaped once more. */
  #again = false

  get count(): number {
    return this.#ends.length
  }

  /** How many parts all of them have. */
  get parts(): number {
    return this.#bytes.parts
  }

  /** Bytes of all of them. */
  get length(): number {
    return this.#bytes.length
  }

  /** One more text, or as much of it as there is. `again`: it is escaped once more. */
  begin(source: Buffer, from: number, to: number, again = false): void {
    this.#again = again
    this.#bytes.cut()
    this.#ends.push(0)
    this.#add(source, from, to, false)
  }

  /** More of the last one. */
  goOn(source: Buffer, from: number, to: number): void {
    this.#add(source, from, to, to - from < SMALL_PART)
  }

  #add(source: Buffer, from: number, to: number, copied: boolean): void {
    if (this.#again) {
      const escaped = escapedAgain(source, from, to)
      this.#bytes.add(escaped, 0, escaped.length)
    } else if (copied) this.#bytes.copy(source, from, to)
    else this.#bytes.add(source, from, to)
    this.#ends[this.#ends.length - 1] = this.#bytes.parts
  }

  /** Appends the text with this number. */
  addTo(rope: Rope, index: number): void {
    rope.addParts(this.#bytes, this.#ends[index - 1] ?? 0, this.#ends[index]!)
  }

  /** The bytes of the text with this number; none where there is no such text. */
  *bytesOf(index: number): Generator<Buffer> {
    const end = this.#ends[index] ?? 0
    for (let part = this.#ends[index - 1] ?? 0; part < end; part++) yield this.#bytes.at(part)
  }
}

/** What has been escaped for JSON holds nothing else that needs it. */
function escapedAgain(source: Buffer, from: number, to: number): Buffer {
  return Buffer.from(source.toString('latin1', from, to).replace(/["\\]/g, '\\$&'), 'latin1')
}
