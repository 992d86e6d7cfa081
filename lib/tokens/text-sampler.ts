/** What a text is made of, from samples of it. */

/**
 * Bytes of UTF-8. `letters`: small letters and blanks, as prose is. `symbols`: capitals and punctuation, as code and JSON have many.
 * `digits`: with the blank before each. `mixed`: characters that follow another kind inside a word or number, such as a digit after
 * a letter: Base64, hashes and identifiers are full of them, and tokenizers have few words for those. `wide`: all scripts but the
 * Latin one, without the `rare` ones: emoji, and the scripts from U+0800 to U+1FFF, such as Devanagari, Thai, Georgian and Ethiopic.
 */
export interface TextSize {
  letters: number
  symbols: number
  digits: number
  mixed: number
  wide: number
  rare: number
}

export type TextKind = keyof TextSize

/** Samples of a text, evenly spread, and characters of each. */
export const SAMPLES = 8
export const SAMPLE_CHARACTERS = 16
/** Characters that are sampled of one request: about ten microseconds. */
const MAX_CHARACTERS = 2048
/** A sample of each text still tells its script. */
const MIN_CHARACTERS = SAMPLE_CHARACTERS

/** Classes of characters of ASCII; a character beyond it stands for punctuation to those after it. */
const SMALL = 0
const BLANK = 1
const CAPITAL = 2
const MARK = 3
const DIGIT = 4
const CLASSES = new Uint8Array(128).fill(MARK)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz')) CLASSES[byte] = SMALL
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) CLASSES[byte] = CAPITAL
for (const byte of Buffer.from('0123456789')) CLASSES[byte] = DIGIT
CLASSES[32] = BLANK

/** What a character adds to a sum of counts, ten bits each: a sample never has a thousand. */
const LETTERS = 1
const SYMBOLS = 1 << 10
const DIGITS = 1 << 20
/** The blank before a digit was counted as a letter. */
const SPACED_DIGIT = 2 * DIGITS - LETTERS
const COUNT = 1023

/** By the class of the character before (times eight) and its own: what a character adds, or 0 for a mixed one. */
const ADDED = new Int32Array(64)
for (const before of [SMALL, BLANK, CAPITAL, MARK, DIGIT]) {
  const row = [LETTERS, LETTERS, SYMBOLS, SYMBOLS, DIGITS]
  if (before === SMALL) row[CAPITAL] = row[DIGIT] = 0
  if (before === CAPITAL) row[DIGIT] = 0
  if (before === BLANK) row[DIGIT] = SPACED_DIGIT
  if (before === DIGIT) row[SMALL] = row[CAPITAL] = row[MARK] = 0
  ADDED.set(row, before * 8)
}

/** Counts the bytes of samples by kind. One for each request. */
export class TextSampler {
  #letters = 0
  #symbols = 0
  #digits = 0
  #mixed = 0
  #wide = 0
  #rare = 0
  #left = MAX_CHARACTERS

  /** Samples a text, or what represents it. */
  sample(text: string): void {
    this.#letters = this.#symbols = this.#digits = this.#mixed = this.#wide = this.#rare = 0
    const allowed = Math.max(MIN_CHARACTERS, Math.min(this.#left, SAMPLES * SAMPLE_CHARACTERS))
    const { length } = text
    const sampled = Math.min(length, allowed)
    this.#left -= sampled
    if (sampled === length) return this.#count(text, 0, length)
    const samples = Math.floor(sampled / SAMPLE_CHARACTERS)
    const stride = samples > 1 ? (length - SAMPLE_CHARACTERS) / (samples - 1) : 0
    for (let i = 0; i < samples; i++) {
      const at = Math.floor(i * stride)
      this.#count(text, at, at + SAMPLE_CHARACTERS)
    }
  }

  /** Adds all bytes of the text, in the shares of what was sampled of it. */
  addTo(size: TextSize, bytes: number): void {
    const sampled = this.#letters + this.#symbols + this.#digits + this.#mixed + this.#wide + this.#rare
    if (sampled === 0) {
      size.letters += bytes
      return
    }
    const share = bytes / sampled
    size.letters += this.#letters * share
    size.symbols += this.#symbols * share
    size.digits += this.#digits * share
    size.mixed += this.#mixed * share
    size.wide += this.#wide * share
    size.rare += this.#rare * share
  }

  #count(text: string, from: number, end: number): void {
    let before = MARK
    let sum = 0
    let beyond = 0
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code < 128) {
        const own = CLASSES[code]!
        sum += ADDED[before * 8 + own]!
        before = own
        continue
      }
      beyond++
      before = MARK
      // Half of a surrogate pair has two of its four bytes.
      if (code < 0x800) this.#wide += 2
      else if (code >= 0xd800 && code < 0xe000) this.#rare += 2
      else if (code < 0x2000) this.#rare += 3
      else this.#wide += 3
    }
    this.#add(sum, end - from - beyond)
  }

  /** Adds what was counted in `ascii` characters of ASCII. */
  #add(sum: number, ascii: number): void {
    const letters = sum & COUNT
    const symbols = (sum >> 10) & COUNT
    const digits = sum >> 20
    this.#letters += letters
    this.#symbols += symbols
    this.#digits += digits
    this.#mixed += ascii - letters - symbols - digits
  }
}
