import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type Json, parseText } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { MAX_DEPTH, notJson, type ScannedJson, scanJson, splitPoint } from './json-scan.ts'

/** DEL, which JSON does not escape. */
const END = '\x7f'

/** Bytes of a long text that are decoded at a time. */
const PIECE_BYTES = 64 * 1024

/**
 * The long texts of one body: slices of its bytes, escaped for JSON as the client wrote them. In the parsed body a
 * placeholder replaces each of them. A placeholder is ordinary text, so a translator may copy it or join it to other text. No
 * client can write one: its token has 122 random bits.
 */
export class LongTexts {
  /** The start of every placeholder of this body. */
  readonly token = END + randomUUID()
  readonly #bytes: Buffer[] = []
  readonly #placeholder = new RegExp(`${this.token}:(\\d+)${END}`)

  get count(): number {
    return this.#bytes.length
  }

  /** Adds a text, and returns its placeholder. */
  add(bytes: Buffer): string {
    return `${this.token}:${this.#bytes.push(bytes) - 1}${END}`
  }

  /** Whether a string holds a placeholder of this body. */
  isIn(text: string): boolean {
    return text.length > this.token.length && text.includes(this.token)
  }

  /** A string in parts, in order: its own characters as strings, the text of each placeholder as bytes. */
  partsOf(template: string): readonly (string | Buffer)[] {
    // split() returns what is around the placeholders and, between, what the group captures.
    return template.split(this.#placeholder).map((part, i) => (i % 2 === 0 ? part : this.#bytes[Number(part)]!))
  }
}

/** One text of a body that is decoded when it is read. */
export class LazyText {
  readonly texts: LongTexts
  /** The text with placeholders. */
  readonly template: string
  #text: string | undefined

  constructor(texts: LongTexts, template: string) {
    this.texts = texts
    this.template = template
  }

  /** The whole text, which is decoded once. */
  get text(): string {
    this.#text ??= [...this.pieces()].join('')
    return this.#text
  }

  /** The text in pieces. A piece is decoded when the caller asks for it. */
  *pieces(): Generator<string> {
    if (this.#text !== undefined) return yield this.#text
    for (const part of this.texts.partsOf(this.template)) {
      if (typeof part === 'string') yield part
      else
        for (let at = 0; at < part.length; ) {
          const end = splitPoint(part, at, PIECE_BYTES)
          yield decoded(part.subarray(at, end))
          at = end
        }
    }
  }

  /** Bytes of UTF-8. Escapes of a text that is not decoded count as they were sent. */
  get byteLength(): number {
    if (this.#text !== undefined) return Buffer.byteLength(this.#text)
    let bytes = 0
    for (const part of this.texts.partsOf(this.template)) bytes += Buffer.byteLength(part)
    return bytes
  }

  /** `count` samples of `length` bytes each, spread evenly over the longest part, with its escapes; for estimates. */
  sample(count: number, length: number): string {
    const longest = this.texts
      .partsOf(this.template)
      .map(part => (typeof part === 'string' ? Buffer.from(part) : part))
      .reduce((one, other) => (other.length > one.length ? other : one))
    const stride = Math.max(length, (longest.length - length) / Math.max(1, count - 1))
    const samples = Array.from({ length: count }, (_, i) => {
      const at = Math.floor(i * stride)
      return longest.toString('utf8', at, at + length).replace(CUT, '')
    })
    return samples.join('')
  }
}

/** Characters that decoding replaces where a sample cuts them. */
const CUT = /^\ufffd+|\ufffd+$/g

function decoded(bytes: Buffer): string {
  const text = bytes.toString()
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

/** A body as it was received and parsed. */
export interface ParsedBody {
  /** With a placeholder for each long text. */
  readonly value: Json
  readonly texts: LongTexts
  /** Number of JSON values, about. */
  readonly values: number
}

/**
 * Bytes of a long text that stay before its placeholder: enough for `data:image/png;base64,` and for a first line that a
 * format removes.
 */
const START_BYTES = 256

/** Scans a body before it is parsed. Refuses an empty one, other encodings than UTF-8, and too many values. */
export function scanBody(bytes: Buffer, shortest?: number): ScannedJson {
  if (bytes.length === 0) fail('invalid_json_request', { problem: 'The body is empty: send a JSON object.' })
  if (!isUtf8(bytes)) fail('invalid_json_request', { problem: 'The body is not valid UTF-8.' })
  return scanJson(bytes, shortest)
}

/**
 * Parses a scanned body. Refuses what is not JSON (RFC 8259), and what is nested too deep. `startBytes`: of each long text that
 * stay before its placeholder.
 */
export function parseBody(
  bytes: Buffer,
  { texts: found, values, depth }: ScannedJson,
  startBytes: number = START_BYTES,
): ParsedBody {
  const texts = new LongTexts()
  let json = ''
  let at = 0
  for (const { from, to } of found) {
    const cut = splitPoint(bytes.subarray(0, to), from, startBytes)
    json += bytes.toString('utf8', at, cut) + texts.add(bytes.subarray(cut, to))
    at = to
  }
  json += bytes.toString('utf8', at)
  const value = parsed(json)
  if (depth > MAX_DEPTH) {
    const problem = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`
    fail('schema_validation_failed', { problem })
  }
  return { value, texts, values }
}

function parsed(json: string): Json {
  try {
    return parseText(json)
  } catch {
    // V8's own message quotes the body, which must not leave the process.
    notJson()
  }
}
