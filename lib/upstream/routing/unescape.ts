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
/** An escape becomes at most four bytes. */
const MOST_BYTES = 4
/** Escapes come in groups: within this many bytes the next one is looked for word by word, which costs less than a call. */
const NEAR_BYTES = 512

/** Word by word: the first byte of a word that is 0 has its highest bit in `(word - ONES) & ~word & HIGHS`. */
const ONES = 0x01010101
const HIGHS = 0x80808080 | 0
const BACKSLASHES = 0x5c5c5c5c

/** Writes the text inside of a JSON string as UTF-8, piece by piece. */
export class Unescaper {
  /** Where reading has stopped. */
  at = 0
  readonly #into: Buffer
  readonly #view: DataView
  readonly #room: number
  /** First half of an escaped surrogate pair; 0: none. */
  #high = 0

  constructor(into: Buffer) {
    this.#into = into
    this.#view = new DataView(into.buffer, into.byteOffset, into.length)
    this.#room = into.length - MOST_BYTES
  }

  /** Another text begins. */
  begin(): void {
    this.#high = 0
  }

  /**
   * Reads from `from` until `end`, which is not inside of an escape, or until there is no room left. Writes from `start` on,
   * and returns where it has stopped writing.
   */
  write(source: Buffer, from: number, end: number, start: number): number {
    const view = new DataView(source.buffer, source.byteOffset, source.length)
    const into = this.#view
    const room = this.#room
    let at = from
    let filled = start
    while (at < end && filled < room) {
      if (source[at] === BACKSLASH) {
        const letter = source[at + 1]!
        at += 2
        if (letter !== LETTER_U) {
          this.#into[filled++] = ESCAPED[letter]!
          continue
        }
        filled = this.#unit(unitAt(source, at), filled)
        at += 4
        continue
      }
      const near = Math.min(end, at + NEAR_BYTES, at + room - filled)
      let found = 0
      for (; at + 4 <= near; at += 4, filled += 4) {
        const word = view.getInt32(at, true)
        into.setInt32(filled, word, true)
        const zeros = word ^ BACKSLASHES
        found = (zeros - ONES) & ~zeros & HIGHS
        if (found !== 0) break
      }
      if (found !== 0) {
        const plain = (31 - Math.clz32(found & -found)) >> 3
        at += plain
        filled += plain
        continue
      }
      for (; at < near && source[at] !== BACKSLASH; at++) this.#into[filled++] = source[at]!
      if (at < near || at === end) continue
      const next = source.indexOf(BACKSLASH, at)
      const run = Math.min((next < 0 || next > end ? end : next) - at, room - filled)
      source.copy(this.#into, filled, at, at + run)
      at += run
      filled += run
    }
    this.at = at
    return filled
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
    return utf8(isLow && high === 0 ? REPLACEMENT : paired, this.#into, at)
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
