import { allBut, type Pattern, PatternError, range } from './pattern.ts'

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
const MAX_NESTING = 64
const MAX_REPEAT = 1000

/** Reads the text of a grammar: characters, classes, escapes and quantifiers. */
export class PatternReader {
  readonly text: string
  at = 0
  #nesting = 0

  constructor(text: string) {
    this.text = text
  }

  get isDone(): boolean {
    return this.at >= this.text.length
  }

  /** The current character; empty at the end. */
  get here(): string {
    return this.isDone ? '' : String.fromCodePoint(this.text.codePointAt(this.at)!)
  }

  next(): string {
    const character = this.here
    if (character === '') throw new PatternError('The pattern ends too early.')
    this.at += character.length
    return character
  }

  /** Skips the text if it is next. Returns true if so. */
  skip(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  expect(text: string): void {
    if (!this.skip(text)) throw new PatternError(`Expected "${text}" at position ${this.at} of the pattern.`)
  }

  /** Skips the match of the sticky expression; null: no match. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    if (found !== null) this.at = expression.lastIndex
    return found
  }

  /** Calls `read` for a part in brackets, up to a maximum depth. */
  nested(read: () => Pattern): Pattern {
    if (++this.#nesting > MAX_NESTING) throw new PatternError('The pattern nests too deeply.')
    const node = read()
    this.#nesting--
    return node
  }

  /** Applies the next quantifier, if any, to `item`. */
  quantified(item: Pattern): Pattern {
    if (this.skip('*')) return { kind: 'repeat', item, min: 0, max: Number.POSITIVE_INFINITY }
    if (this.skip('+')) return { kind: 'repeat', item, min: 1, max: Number.POSITIVE_INFINITY }
    if (this.skip('?')) return { kind: 'repeat', item, min: 0, max: 1 }
    const found = this.match(/\{(\d{1,6})?(,)?(\d{1,6})?\}/y)
    if (found === null || found[0] === '{}' || found[0] === '{,}') return item
    const min = Number(found[1] ?? 0)
    const max = found[3] !== undefined ? Number(found[3]) : found[2] === undefined ? min : Number.POSITIVE_INFINITY
    if (min > MAX_REPEAT || max < min) throw new PatternError(`The quantifier ${found[0]} is out of range.`)
    return { kind: 'repeat', item, min, max }
  }

  /** Reads a class after its opening bracket. */
  characterClass(): Pattern {
    const isNegated = this.skip('^')
    const characters: string[] = []
    for (let first = true; first || !this.skip(']'); first = false) {
      const from = this.#member()
      const isRange = this.here === '-' && this.text[this.at + 1] !== ']'
      if (isRange) this.next()
      characters.push(...range(from, isRange ? this.#member() : from))
    }
    return { kind: 'class', characters: isNegated ? allBut(characters) : characters }
  }

  /** Reads an escape sequence after its backslash. */
  escaped(): string {
    const hex = this.match(/x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8})/y)
    if (hex !== null) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? '', 16)
      if (code > 0x10ffff) throw new PatternError('An escape names no character.')
      return String.fromCodePoint(code)
    }
    const character = this.next()
    return CONTROL[character] ?? character
  }

  #member(): string {
    return this.skip('\\') ? this.escaped() : this.next()
  }
}

/** One or several sequences with `|` between them, each read by `sequence`. */
export function readAlternatives(reader: PatternReader, sequence: (reader: PatternReader) => Pattern): Pattern {
  const items = [sequence(reader)]
  while (reader.skip('|')) items.push(sequence(reader))
  return items.length === 1 ? items[0]! : { kind: 'either', items }
}
