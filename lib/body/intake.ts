import { Gathering } from './gather.ts'
import type { RawBody } from './raw.ts'
import { BodyScanner } from './scan.ts'
import { DetachedTexts } from './texts.ts'

/** Larger bodies are scanned while they arrive, so that reading them holds nobody up. */
export const SCAN_ABOVE_BYTES = 128 * 1024

/** Takes in a body piece by piece. */
export class Intake {
  readonly #mark: string | null
  readonly #gathering: Gathering
  #scanner: BodyScanner | null = null
  #size = 0

  /** `announced`: the content length; 0 when there is none. `mark`: of texts that are taken out; null: none are. */
  constructor(announced: number, mark: string | null) {
    this.#gathering = new Gathering(announced)
    this.#mark = mark
  }

  get size(): number {
    return this.#size
  }

  /** Throws the GatewayError where a large one cannot become a body. */
  add(piece: Buffer): void {
    this.#size += piece.length
    if (this.#scanner !== null) return this.#scanner.feed(piece)
    this.#gathering.add(piece)
    if (this.#mark === null || this.#size <= SCAN_ABOVE_BYTES) return
    this.#scanner = new BodyScanner(this.#mark)
    this.#scanner.feed(this.#gathering.bytes())
  }

  end(): RawBody {
    if (this.#scanner !== null) return this.#scanner.end()
    return { rest: this.#gathering.bytes(), lists: [], detached: new DetachedTexts(), values: 0, size: this.#size }
  }
}
