import { Rope } from './rope.ts'

/** Smaller parts of a text are copied: one of a single byte would keep all that it came with. */
const SMALL_PART = 1024

/** The texts that were taken out of a body, escaped for JSON, by their numbers (detach.ts). */
export class DetachedTexts {
  readonly #bytes = new Rope()
  /** Behind the last part of each. */
  readonly #ends: number[] = []

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

  /** One more text, or as much of it as there is. */
  begin(source: Buffer, from: number, to: number): void {
    this.#bytes.cut()
    this.#bytes.add(source, from, to)
    this.#ends.push(this.#bytes.parts)
  }

  /** More of the last one. */
  goOn(source: Buffer, from: number, to: number): void {
    if (to - from < SMALL_PART) this.#bytes.copy(source, from, to)
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
