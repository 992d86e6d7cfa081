import { ByteBuffer } from '../base/byte-buffer.ts'
import { BodyScanner } from './large/scan.ts'
import { parse } from './parse.ts'
import type { ReadBody } from './request-body.ts'

/** Larger bodies are parsed while they arrive, so that parsing does not block other streams. */
export const LARGE_BYTES = 128 * 1024

/** Collects a body piece by piece and parses it. */
export class Intake {
  readonly #bytes = new ByteBuffer()
  readonly #detaches: boolean
  #scanner: BodyScanner | null = null
  #size = 0

  /** `detaches`: long texts of a large body are kept as bytes. */
  constructor(detaches: boolean) {
    this.#detaches = detaches
  }

  get size(): number {
    return this.#size
  }

  /** Throws the refusal of a large body as soon as it shows that it cannot be read. */
  add(piece: Buffer): void {
    this.#size += piece.length
    if (this.#scanner !== null) return this.#scanner.feed(piece)
    this.#bytes.append(piece)
    if (this.#size <= LARGE_BYTES) return
    this.#scanner = new BodyScanner({ detaches: this.#detaches })
    this.#scanner.feed(this.#bytes.bytes)
  }

  /** Throws the refusal of what is not JSON. */
  end(): ReadBody {
    if (this.#scanner !== null) return this.#scanner.end()
    return { value: parse(this.#bytes.bytes), size: this.#size, large: null }
  }
}
