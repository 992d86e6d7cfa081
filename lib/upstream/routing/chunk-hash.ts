import type { TextScanner } from '../../body/index.ts'

/** Bytes of canonical text in a chunk: about 256 tokens. */
export const CHUNK_BYTES = 1024

/** Most chunks of one prompt that are hashed: the first megabyte. */
export const MOST_CHUNKS = 1024

const CHUNK_WORDS = CHUNK_BYTES / 4
/** A multiple of a chunk, with room for what a chunk lacks. */
const SCRATCH_BYTES = 64 * CHUNK_BYTES
/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const MOST_BYTES = 3

const BACKSLASH = 0x5c
/** `n` of `\n` to the byte of the line feed, and so on; the others stand for themselves. */
const ESCAPED = new Uint8Array(256).map((_, code) => code)
for (const [letter, byte] of [
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
] as const)
  ESCAPED[letter.charCodeAt(0)] = byte
const LETTER_U = 0x75
/** Values of hexadecimal digits, by their bytes. */
const HEX = new Uint8Array(256)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  HEX[digit.charCodeAt(0)] = value
  HEX[digit.toUpperCase().charCodeAt(0)] = value
}
/** What UTF-8 has for half of a surrogate pair. */
const REPLACEMENT = 0xfffd
/** Escapes come in crowds: within so many bytes the next one is looked for byte by byte, which costs less than a call. */
const NEAR_BYTES = 64

/** The key of all hashes: 16 bytes. Without it nobody can tell which text a hash is of. */
export type HashKey = Int32Array

export function hashKey(secret: Uint8Array): HashKey {
  const key = new Int32Array(4)
  new Uint8Array(key.buffer).set(secret.subarray(0, 16))
  return key
}

/**
 * Hashes a text in chunks of CHUNK_BYTES bytes of UTF-8. Each hash covers the seed and everything before its end, so equal
 * hashes mean equal beginnings. Two lanes of 32 bits, whose starts and multipliers are the key: made for speed, not to be
 * published. One hasher is used for one prompt after the other.
 */
export class ChunkHasher implements TextScanner {
  /** Bytes of the text, those beyond MOST_CHUNKS included. */
  length = 0
  readonly #out = new Int32Array(2 * MOST_CHUNKS)
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
  readonly #words = new Int32Array(this.#scratch.buffer)
  readonly #encoder = new TextEncoder()
  #key: HashKey = new Int32Array(4)
  #chunks = 0
  #filled = 0
  #a = 0
  #b = 0
  /** First half of an escaped surrogate pair; 0: none. */
  #high = 0

  /** Begins a prompt. Equal texts under different seeds have different hashes. */
  begin(key: HashKey, seed: string): void {
    this.#key = key
    this.#a = key[0]!
    this.#b = key[1]!
    this.length = 0
    this.#chunks = 0
    this.#filled = 0
    this.#high = 0
    const { written } = this.#encoder.encodeInto(seed, this.#scratch)
    const end = Math.min(written + 4 - (written % 4), SCRATCH_BYTES)
    this.#scratch.fill(0, written, end)
    this.#mix(0, end / 4)
  }

  /** The hashes so far, two words for each complete chunk. */
  hashes(): Int32Array {
    return this.#out.slice(0, 2 * this.#chunks)
  }

  add(text: string): void {
    this.text(text, 0, text.length)
  }

  text(text: string, from: number, end: number): boolean {
    if (this.#chunks === MOST_CHUNKS) {
      this.length += end - from
      return true
    }
    const piece = from === 0 && end === text.length ? text : text.slice(from, end)
    if (piece.length * MOST_BYTES <= SCRATCH_BYTES - this.#filled) {
      this.#took(this.#scratch.write(piece, this.#filled))
      return true
    }
    for (let rest = piece; rest !== '' && this.#chunks < MOST_CHUNKS; ) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#scratch.subarray(this.#filled))
      this.#took(written)
      rest = rest.slice(read)
      if (this.#chunks === MOST_CHUNKS) this.length += rest.length
    }
    return true
  }

  /** JSON's escapes are undone, so that a text has the same hashes in a large body as in a small one. */
  bytes(source: Buffer, from: number, end: number): boolean {
    const scratch = this.#scratch
    for (let at = from; at < end; ) {
      if (this.#chunks === MOST_CHUNKS) {
        this.length += end - at
        return true
      }
      let filled = this.#filled
      const start = filled
      // An escape becomes at most four bytes.
      const room = SCRATCH_BYTES - 4
      while (at < end && filled < room) {
        const near = Math.min(end, at + NEAR_BYTES, at + room - filled)
        for (; at < near; at++) {
          const byte = source[at]!
          if (byte === BACKSLASH) break
          scratch[filled++] = byte
        }
        if (at === near) {
          const next = source.indexOf(BACKSLASH, at)
          const run = Math.min((next < 0 || next > end ? end : next) - at, room - filled)
          source.copy(scratch, filled, at, at + run)
          filled += run
          at += run
          continue
        }
        const letter = source[at + 1]!
        at += 2
        if (letter !== LETTER_U) {
          scratch[filled++] = ESCAPED[letter]!
          continue
        }
        filled = this.#unit(unitAt(source, at), filled)
        at += 4
      }
      this.#took(filled - start)
    }
    return true
  }

  /** Writes a UTF-16 unit as UTF-8. Returns where the next byte belongs. */
  #unit(unit: number, at: number): number {
    if (unit >= 0xd800 && unit < 0xdc00) {
      this.#high = unit
      return at
    }
    const high = this.#high
    this.#high = 0
    const isLow = unit >= 0xdc00 && unit < 0xe000
    const paired = isLow && high !== 0 ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : unit
    return utf8(isLow && high === 0 ? REPLACEMENT : paired, this.#scratch, at)
  }

  #took(count: number): void {
    this.length += count
    this.#filled += count
    if (this.#filled < CHUNK_BYTES) return
    let at = 0
    for (; this.#filled - at >= CHUNK_BYTES && this.#chunks < MOST_CHUNKS; at += CHUNK_BYTES) {
      this.#mix(at / 4, at / 4 + CHUNK_WORDS)
      const index = 2 * this.#chunks++
      this.#out[index] = finished(this.#a)
      this.#out[index + 1] = finished(this.#b)
    }
    this.#scratch.copyWithin(0, at, this.#filled)
    this.#filled -= at
  }

  #mix(from: number, end: number): void {
    const words = this.#words
    const first = this.#key[2]! | 1
    const second = this.#key[3]! | 1
    let a = this.#a
    let b = this.#b
    for (let i = from; i < end; i++) {
      const word = words[i]!
      a = Math.imul(a ^ word, first)
      a = (a << 13) | (a >>> 19)
      b = Math.imul(((b << 7) | (b >>> 25)) + word, second)
      b ^= b >>> 15
    }
    this.#a = a
    this.#b = b
  }
}

/** The four hexadecimal digits of an escape. */
function unitAt(source: Buffer, at: number): number {
  return (HEX[source[at]!]! << 12) | (HEX[source[at + 1]!]! << 8) | (HEX[source[at + 2]!]! << 4) | HEX[source[at + 3]!]!
}

/** Returns the end of what was written. */
function utf8(code: number, to: Buffer, start: number): number {
  let at = start
  if (code < 0x80) {
    to[at++] = code
    return at
  }
  if (code < 0x800) to[at++] = 0xc0 | (code >> 6)
  else {
    if (code < 0x10000) to[at++] = 0xe0 | (code >> 12)
    else {
      to[at++] = 0xf0 | (code >> 18)
      to[at++] = 0x80 | ((code >> 12) & 0x3f)
    }
    to[at++] = 0x80 | ((code >> 6) & 0x3f)
  }
  to[at++] = 0x80 | (code & 0x3f)
  return at
}

/** Spreads the last bits (the finalizer of MurmurHash3). */
function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
