import { Gathering } from './gather.ts'
import type { ReadBody } from './parse.ts'
import { parse } from './parse.ts'
import { BodyScanner } from './scan.ts'
import { DetachedTexts } from './texts.ts'

/** Larger bodies are read while they arrive, so that reading them holds nobody up. */
export const SCAN_ABOVE_BYTES = 128 * 1024

/** Takes in a body piece by piece. */
export class Intake {
  readonly #gathering = new Gathering()
  readonly #mark: string
  readonly #takesOut: boolean
  #scanner: BodyScanner | null = null
  #size = 0

  /** `mark`: of texts that are taken out of a large body, if it `takesOut` any. */
  constructor(mark: string, takesOut: boolean) {
    this.#mark = mark
    this.#takesOut = takesOut
  }

  get size(): number {
    return this.#size
  }

  /** Throws the GatewayError where a large one cannot become a body. */
  add(piece: Buffer): void {
    this.#size += piece.length
    if (this.#scanner !== null) return this.#scanner.feed(piece)
    this.#gathering.add(piece)
    if (this.#size <= SCAN_ABOVE_BYTES) return
    this.#scanner = new BodyScanner(this.#mark, this.#takesOut)
    this.#scanner.feed(this.#gathering.bytes())
  }

  /** Throws the GatewayError where it is no JSON. */
  end(): ReadBody {
    if (this.#scanner !== null) return this.#scanner.end()
    return { value: parse(this.#gathering.bytes()), detached: new DetachedTexts(), values: 0, size: this.#size }
  }
}
