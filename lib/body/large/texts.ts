import { randomUUID } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { BufferList } from '../buffer-list.ts'

/** Smaller parts of a text are copied: a slice of a single byte would keep its whole source in memory. */
const SMALL_PART = 1024

/** DEL, which JSON does not escape. */
const END = '\x7f'
const END_BYTE = 0x7f
const ZERO = 0x30

/** Looks through a text without a copy of it. Both return false where the rest need not be shown. */
export interface TextScanner {
  text(text: string, from: number, end: number): boolean
  /** UTF-8, escaped for JSON. A slice may begin or end inside of a character, never inside of an escape. */
  bytes(bytes: Buffer, from: number, end: number): boolean
}

/**
 * The detached texts of one body: bytes as the client wrote them between its quotes, escaped for JSON. In the parsed body
 * a placeholder stands for each: the token of the body, the number of the text, and an end. A placeholder is ordinary text,
 * so a translator may move it or join it to other text. No client can write one: a token has 122 random bits.
 */
export class DetachedTexts {
  /** What every placeholder of this body begins with. */
  readonly token = END + randomUUID()
  readonly #bytes = new BufferList()
  /** Index behind the last slice of each text. */
  readonly #ends: number[] = []
  /** Texts that become part of a JSON text inside of JSON: kept with both escapes. */
  readonly #escapedTwice = new Set<number>()
  #isTwice = false
  /** Some of them are no texts of the conversation: any member may hold one. */
  isElsewhere = false

  get count(): number {
    return this.#ends.length
  }

  /** Number of slices of all texts. */
  get slices(): number {
    return this.#bytes.count
  }

  /** Begins a text, with as much of it as there is. */
  begin(source: Buffer, from: number, to: number, escapedTwice = false): void {
    this.#isTwice = escapedTwice
    if (escapedTwice) this.#escapedTwice.add(this.#ends.length)
    this.#bytes.split()
    this.#ends.push(0)
    this.#add(source, from, to, false)
  }

  /** Continues the last text. */
  append(source: Buffer, from: number, to: number): void {
    this.#add(source, from, to, to - from < SMALL_PART)
  }

  #add(source: Buffer, from: number, to: number, isCopied: boolean): void {
    if (this.#isTwice) {
      const escaped = escapedAgain(source, from, to)
      this.#bytes.add(escaped, 0, escaped.length)
    } else if (isCopied) this.#bytes.copy(source, from, to)
    else this.#bytes.add(source, from, to)
    this.#ends[this.#ends.length - 1] = this.#bytes.count
  }

  /** The placeholder of this text in the parsed body. */
  placeholder(index: number): string {
    return this.token + index + END
  }

  /** Appends a JSON text to `list`, its placeholders replaced by the bytes of their texts. */
  attach(json: string, list: BufferList): void {
    const bytes = Buffer.from(json)
    const token = Buffer.from(this.token)
    let from = 0
    for (;;) {
      const at = bytes.indexOf(token, from)
      if (at < 0) break
      list.add(bytes, from, at)
      let index = 0
      let end = at + token.length
      for (; bytes[end] !== END_BYTE; end++) index = index * 10 + (bytes[end]! - ZERO)
      this.addTo(list, index)
      from = end + 1
    }
    list.add(bytes, from, bytes.length)
  }

  /** Appends the bytes of one text. */
  addTo(list: BufferList, index: number): void {
    list.addFrom(this.#bytes, this.#ends[index - 1] ?? 0, this.#ends[index]!)
  }

  /** Bytes of a text with placeholders: what is between them as UTF-8, the rest as the client escaped it. */
  byteLength(text: string): number {
    let bytes = 0
    for (const part of this.#split(text)) {
      if (typeof part === 'string') bytes += Buffer.byteLength(part)
      else for (let i = part.first; i < part.end; i++) bytes += this.#bytes.sizeOf(i)
    }
    return bytes
  }

  /** A text with placeholders as a client reads it. `escapes`: how many of those that were written twice are removed. */
  read(text: string, escapes: 1 | 2): string {
    let whole = ''
    for (const part of this.#split(text)) whole += typeof part === 'string' ? part : this.#decode(part, escapes)
    return whole
  }

  /** The same in pieces of at most some 100 KB, each of which is decoded when it is asked for. */
  *pieces(text: string, escapes: 1 | 2): Generator<string> {
    for (const part of this.#split(text)) {
      if (typeof part === 'string') {
        yield part
      } else {
        const decoder = new StringDecoder('utf8')
        // No slice ends inside an escape. It may end inside a character.
        for (let i = part.first; i < part.end; i++)
          yield unescaped(decoder.write(this.#bytes.at(i)), part.isTwice ? escapes : 1)
      }
    }
  }

  /** At least as many characters as a text with placeholders has. */
  mostCharacters(text: string): number {
    let most = text.length
    for (let at = text.indexOf(this.token); at >= 0; at = text.indexOf(this.token, at + 1)) {
      const index = numberAt(text, at + this.token.length)
      for (let i = this.#ends[index - 1] ?? 0; i < this.#ends[index]!; i++) most += this.#bytes.sizeOf(i)
    }
    return most
  }

  /** Shows the text to `scanner` as it is in memory. */
  scan(text: string, scanner: TextScanner): void {
    let from = 0
    for (;;) {
      const at = text.indexOf(this.token, from)
      if (at < 0) break
      if (!scanner.text(text, from, at)) return
      const behind = text.indexOf(END, at + this.token.length)
      const index = numberAt(text, at + this.token.length)
      for (let i = this.#ends[index - 1] ?? 0; i < this.#ends[index]!; i++) if (!this.#bytes.scan(i, scanner)) return
      from = behind + 1
    }
    scanner.text(text, from, text.length)
  }

  /** At least its last `count` characters; all of it where it is shorter. */
  end(text: string, escapes: 1 | 2, count: number): string {
    let end = ''
    for (const part of [...this.#split(text)].reverse()) {
      if (end.length >= count) break
      end = (typeof part === 'string' ? part : this.#decode(this.#last(part, count), escapes)) + end
    }
    return end
  }

  /** The last slices, which hold at least `count` characters. They do not begin inside of one. */
  #last({ first, end, isTwice }: Slices, count: number): Slices {
    let from = end - 1
    let bytes = this.#bytes.sizeOf(from)
    while (from > first && (bytes < count * LONGEST_ESCAPE || isContinuation(this.#bytes.at(from)[0]!)))
      bytes += this.#bytes.sizeOf(--from)
    return { first: from, end, isTwice }
  }

  /** What stands between placeholders, and the slices of each. */
  *#split(text: string): Generator<string | Slices> {
    let from = 0
    for (;;) {
      const at = text.indexOf(this.token, from)
      if (at < 0) break
      if (at > from) yield text.slice(from, at)
      const behind = text.indexOf(END, at + this.token.length)
      const index = numberAt(text, at + this.token.length)
      const first = this.#ends[index - 1] ?? 0
      const end = this.#ends[index]!
      if (end > first) yield { first, end, isTwice: this.#escapedTwice.has(index) }
      from = behind + 1
    }
    if (from < text.length) yield text.slice(from)
  }

  #decode({ first, end, isTwice }: Slices, escapes: 1 | 2): string {
    let bytes = this.#bytes.at(first)
    if (end - first > 1) bytes = Buffer.concat(Array.from({ length: end - first }, (_, i) => this.#bytes.at(first + i)))
    return unescaped(bytes.toString(), isTwice ? escapes : 1)
  }
}

/** The number of a placeholder, whose digits begin at `from`. */
function numberAt(text: string, from: number): number {
  let number = 0
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === END_BYTE) return number
    number = number * 10 + (code - ZERO)
  }
}

/** Bytes of one UTF-16 unit that is escaped twice: `\\\\u00e9`. */
const LONGEST_ESCAPE = 8

/** The byte continues a character of UTF-8. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

interface Slices {
  readonly first: number
  readonly end: number
  readonly isTwice: boolean
}

function unescaped(text: string, times: 1 | 2): string {
  if (!text.includes('\\')) return text
  const once = JSON.parse(`"${text}"`) as string
  return times === 1 ? once : unescaped(once, 1)
}

/** Escapes once more. Text that is escaped for JSON holds nothing else that needs it. */
function escapedAgain(source: Buffer, from: number, to: number): Buffer {
  return Buffer.from(source.toString('latin1', from, to).replace(/["\\]/g, '\\$&'), 'latin1')
}
