import { ByteBuffer } from '../base/byte-buffer.ts'
import { BufferList } from './buffer-list.ts'
import { BodyScanner } from './large/scan.ts'
import { parse } from './parse.ts'
import type { ReadBody } from './request-body.ts'
import { weigh } from './weight.ts'

/** Larger bodies are parsed while they arrive, so that parsing does not block other streams. */
export const LARGE_BYTES = 128 * 1024

/**
 * The values of a large body may take so many bytes more than those that they came as. From then on what arrives is kept as it is
 * until all of it is there (docs/adr/0094-dense-bodies-are-parsed-when-they-are-whole.md): a body that never ends holds no more.
 */
const DENSE_BYTES = 512 * 1024

/** A smaller piece is copied: a buffer of its own takes as much memory as some hundred bytes. */
const LEAST_KEPT_BYTES = 4096

/** Collects a body piece by piece and parses it. */
export class Intake {
  readonly #bytes = new ByteBuffer()
  readonly #detaches: boolean
  #scanner: BodyScanner | null = null
  #size = 0
  /** What has come of a dense body since it is one. */
  #kept: BufferList | null = null
  #isWhole = false

  /** `detaches`: long texts of a large body are kept as bytes. */
  constructor(detaches: boolean) {
    this.#detaches = detaches
  }

  /** Bytes that have been added, without those that are kept. */
  get size(): number {
    return this.#size
  }

  /** The body is parsed while it arrives: reading it takes turns. */
  get isLarge(): boolean {
    return this.#scanner !== null
  }

  /** Bytes of heap that the values so far take, about; 0 of a small body that has not ended. */
  get weight(): number {
    return this.#scanner === null ? 0 : this.#scanner.weight
  }

  /** What is added is not parsed before the body is whole. */
  get isDense(): boolean {
    return this.#kept !== null
  }

  /** All of the body has come. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /**
   * What to add for this piece: itself, or of a large body parts that each take one turn. The piece that makes a body large brings
   * all that came before it, which has not been parsed.
   */
  split(piece: Buffer): readonly Buffer[] {
    if (this.#kept !== null) return [piece]
    if (this.#scanner !== null) return partsOf(piece)
    if (this.#size + piece.length <= LARGE_BYTES) return [piece]
    this.#scanner = new BodyScanner({ detaches: this.#detaches })
    this.#size = 0
    return [...partsOf(this.#bytes.bytes), ...partsOf(piece)]
  }

  /** Throws the refusal of a large body as soon as it shows that it cannot be read. */
  add(part: Buffer): void {
    if (this.#kept !== null) return keep(part, this.#kept)
    this.#size += part.length
    if (this.#scanner === null) return this.#bytes.append(part)
    this.#scanner.feed(part)
    if (!this.#isWhole && this.#scanner.weight - this.#size > DENSE_BYTES) this.#kept = new BufferList()
  }

  /** To be called when all of the body has come, before end(): what is still to be added. */
  rest(): Iterable<Buffer> {
    const kept = this.#kept
    this.#kept = null
    this.#isWhole = true
    return kept === null ? [] : partsOfAll(kept)
  }

  /** Forgets everything. */
  discard(): void {
    this.#bytes.clear()
    this.#scanner = null
    this.#kept = null
  }

  /** Throws the refusal of what is not JSON. */
  end(): ReadBody {
    if (this.#scanner !== null) return this.#scanner.end()
    const value = parse(this.#bytes.bytes)
    return { value, size: this.#size, weight: weigh(value), large: null }
  }
}

/** Parsed in one turn: 32 KB of short messages take one to two milliseconds. */
const PART_BYTES = 32 * 1024

function partsOf(bytes: Buffer): readonly Buffer[] {
  if (bytes.length <= PART_BYTES) return [bytes]
  const count = Math.ceil(bytes.length / PART_BYTES)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES))
}

function* partsOfAll(kept: BufferList): Iterable<Buffer> {
  for (let index = 0; index < kept.count; index++) yield* partsOf(kept.at(index))
}

function keep(piece: Buffer, kept: BufferList): void {
  if (piece.length < LEAST_KEPT_BYTES) kept.copy(piece, 0, piece.length)
  else kept.add(piece, 0, piece.length)
}
