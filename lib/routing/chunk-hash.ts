/** Bytes of a chunk of canonical text: about 256 tokens. */
export const CHUNK_BYTES = 1024

/** Limit of the chunks of a prompt that are hashed: the first 4 MB. */
const MAX_CHUNKS = 4096

const CHUNK_WORDS = CHUNK_BYTES / 4
/** Size of the buffer: a multiple of a chunk. */
const SCRATCH_BYTES = 64 * CHUNK_BYTES
/** UTF-8 needs at most three bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

/** The key of all hashes, 16 bytes. Without the key, a hash does not reveal its text. */
export type HashKey = Int32Array

export function hashKey(secret: Uint8Array): HashKey {
  const key = new Int32Array(4)
  new Uint8Array(key.buffer).set(secret.subarray(0, 16))
  return key
}

/**
 * Hashes a text in chunks of CHUNK_BYTES bytes of UTF-8. Each hash covers the seed and the text up to the end of its
 * chunk, so that equal hashes mean equal beginnings. A hash has two lanes of 32 bits; the key has their initial values
 * and multipliers. It is fast and not cryptographic. One hasher serves one prompt after the other.
 */
export class ChunkHasher {
  /** Bytes of the text, including those after MAX_CHUNKS. */
  length = 0
  readonly #out = new Int32Array(2 * MAX_CHUNKS)
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
  readonly #words = new Int32Array(this.#scratch.buffer)
  readonly #encoder = new TextEncoder()
  #key: HashKey = new Int32Array(4)
  #chunks = 0
  #filled = 0
  #a = 0
  #b = 0

  /** Begins a prompt. Equal texts with different seeds have different hashes. */
  begin(key: HashKey, seed: string): void {
    this.#key = key
    this.#a = key[0]!
    this.#b = key[1]!
    this.length = 0
    this.#chunks = 0
    this.#filled = 0
    const { written } = this.#encoder.encodeInto(seed, this.#scratch)
    const end = Math.min(written + 8 - (written % 8), SCRATCH_BYTES)
    this.#scratch.fill(0, written, end)
    this.#mix(0, end / 4)
  }

  /** The hashes so far, two words per complete chunk. */
  hashes(): Int32Array {
    return this.#out.slice(0, 2 * this.#chunks)
  }

  /** MAX_CHUNKS have been hashed. The rest of the text only counts. */
  get isFull(): boolean {
    return this.#chunks === MAX_CHUNKS
  }

  /** Counts text that is not hashed. */
  skip(bytes: number): void {
    this.length += bytes
  }

  add(text: string): void {
    if (text.length * MAX_BYTES_PER_UNIT <= SCRATCH_BYTES - this.#filled && this.#chunks < MAX_CHUNKS)
      return this.#written(this.#scratch.write(text, this.#filled))
    let rest = text
    while (rest !== '' && this.#chunks < MAX_CHUNKS) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#scratch.subarray(this.#filled))
      this.#written(written)
      rest = rest.slice(read)
    }
    this.length += rest.length
  }

  /** `count` bytes of text have been written to the buffer. */
  #written(count: number): void {
    this.length += count
    this.#filled += count
    if (this.#filled < CHUNK_BYTES) return
    let at = 0
    for (; this.#filled - at >= CHUNK_BYTES && this.#chunks < MAX_CHUNKS; at += CHUNK_BYTES) {
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
    for (let i = from; i < end; i += 2) {
      a = Math.imul(a ^ words[i]!, first)
      b = Math.imul(b ^ words[i + 1]!, second)
      // Both lanes depend on both words: together they are one state of 64 bits.
      a = (((a << 13) | (a >>> 19)) + b) | 0
      b = ((b << 7) | (b >>> 25)) ^ a
    }
    this.#a = a
    this.#b = b
  }
}

/** Mixes the bits of the last word (the finalizer of MurmurHash3). */
function finished(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
