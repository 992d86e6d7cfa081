/** Long texts of a body that stay bytes until they are read: accessors, which an assignment makes ordinary members. */
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '../base/json.ts'
import type { ChatRequest, ContentPart, ImagePart, Message } from '../canonical/request.ts'
import { splitPoint } from './json-scan.ts'

/** DEL, which JSON does not escape. */
const END = '\x7f'

/** Bytes of a long text that are decoded at a time. */
const PIECE_BYTES = 64 * 1024

/**
 * The long texts of one body: slices of its bytes. Placeholders replace them in the parsed body. A translator
 * may copy or join placeholders. Clients cannot write one: the token has 122 random bits.
 */
export class LongTexts {
  /** The start of every placeholder of this body. */
  readonly token = END + randomUUID()
  readonly #bytes: Buffer[] = []
  readonly #placeholder = new RegExp(`${this.token}:(\\d+)${END}`)

  add(bytes: Buffer): string {
    return `${this.token}:${this.#bytes.push(bytes) - 1}${END}`
  }

  /** Whether a string contains a placeholder of this body. */
  isIn(text: string): boolean {
    return text.length > this.token.length && text.includes(this.token)
  }

  /** A string in parts, in order: its own characters as strings, the text of each placeholder as bytes. */
  partsOf(template: string): readonly (string | Buffer)[] {
    // split() returns the text around the placeholders and, alternating with it, the captured indexes.
    return template.split(this.#placeholder).map((part, i) => (i % 2 === 0 ? part : this.#bytes[Number(part)]!))
  }
}

/** One text of a body that is decoded when it is read. */
class LazyText {
  readonly texts: LongTexts
  /** The text with placeholders. */
  readonly template: string
  #text: string | undefined
  #parts: ReturnType<LongTexts['partsOf']> | undefined

  constructor(texts: LongTexts, template: string) {
    this.texts = texts
    this.template = template
  }

  /** The whole text. It is decoded once. */
  get text(): string {
    this.#text ??= [...this.pieces()].join('')
    return this.#text
  }

  get #allParts() {
    this.#parts ??= this.texts.partsOf(this.template)
    return this.#parts
  }

  /** The text in pieces. A piece is decoded when the caller asks for it. */
  *pieces(): Generator<string> {
    if (this.#text !== undefined) return yield this.#text
    for (const part of this.#allParts) {
      if (typeof part === 'string') yield part
      else
        for (let at = 0; at < part.length; ) {
          const end = splitPoint(part, at, PIECE_BYTES)
          yield decoded(part.subarray(at, end))
          at = end
        }
    }
  }

  /** Bytes of UTF-8. Escapes of a text that is not decoded count as the client sent them. */
  get byteLength(): number {
    if (this.#text !== undefined) return Buffer.byteLength(this.#text)
    let bytes = 0
    for (const part of this.#allParts) bytes += Buffer.byteLength(part)
    return bytes
  }

  /** `count` samples of `length` bytes each, spread evenly over the longest part, with its escapes; for estimates. */
  sample(count: number, length: number): string {
    const longest = this.#allParts
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

/** Replacement characters, from characters that a sample cuts. */
const CUT = /^\ufffd+|\ufffd+$/g

function decoded(bytes: Buffer): string {
  const text = bytes.toString()
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

// ------------------------------------------------------------ members

/** The lazy texts of an object by member name. Not enumerable, so that copies do not have it. */
const LAZY = Symbol('lazy texts')

interface Holder {
  [LAZY]?: Map<string, LazyText>
}

/** The body whose texts currently read as templates. */
let shown: LongTexts | 'all' | null = null

/** Calls `use`. In it, lazy texts of this body read as templates: for code that copies texts without examining them. */
export function withTemplates<T>(texts: LongTexts | 'all', use: () => T): T {
  const before = shown
  shown = texts
  try {
    return use()
  } finally {
    shown = before
  }
}

/** In `measure`, lazy texts read as their start and a placeholder. For synchronous code that keeps none of them. */
export function withoutDecoding<T>(measure: () => T): T {
  return withTemplates('all', measure)
}

/** The lazy text of this member; undefined: the member is ordinary. */
function lazyText(holder: object, name: PropertyKey): LazyText | undefined {
  const lazy = (holder as Holder)[LAZY]?.get(String(name))
  if (lazy === undefined) return undefined
  // The member may have been deleted or redefined.
  const value = withoutDecoding(() => (holder as Record<PropertyKey, unknown>)[name])
  return value === lazy.template ? lazy : undefined
}

/** Makes a member of an object or an element of an array lazy. */
function defineLazy(holder: object, name: string, lazy: LazyText): void {
  const own = holder as Holder
  if (!Object.hasOwn(own, LAZY)) Object.defineProperty(own, LAZY, { value: new Map() })
  own[LAZY]!.set(name, lazy)
  Object.defineProperty(holder, name, accessorOf(name))
}

/** Makes every member of `root` that contains a placeholder lazy, at any depth. MAX_DEPTH bounds the depth. */
export function makeLazy(root: object, texts: LongTexts): void {
  for (const name of Object.keys(root)) {
    const value = (root as JsonObject)[name]
    if (typeof value === 'string') {
      if (texts.isIn(value)) defineLazy(root, name, new LazyText(texts, value))
    } else if (typeof value === 'object' && value !== null) makeLazy(value, texts)
  }
}

/** Accessors by name, shared by all objects: one per body would stay, with its bytes, until a full collection. */
const accessors = new Map<string, PropertyDescriptor>()

/** Bounded because clients choose the names. */
const MAX_ACCESSORS = 1000

function accessorOf(name: string): PropertyDescriptor {
  const known = accessors.get(name)
  if (known !== undefined) return known
  const accessor = {
    enumerable: true,
    configurable: true,
    get(this: Holder): string {
      const lazy = this[LAZY]!.get(name)!
      return shown === lazy.texts || shown === 'all' ? lazy.template : lazy.text
    },
    set(this: Holder, value: Json): void {
      Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value })
      // An object derived from the holder shares its texts.
      if (Object.hasOwn(this, LAZY)) this[LAZY]!.delete(name)
    },
  }
  if (accessors.size < MAX_ACCESSORS) accessors.set(name, accessor)
  return accessor
}

// ------------------------------------------------------------ access without decoding

/** Whether the member is a text. */
export function isText<T extends object>(holder: T, name: keyof T): boolean {
  return typeof withoutDecoding(() => holder[name]) === 'string'
}

/** The content parts of a message; empty if its content is one text. */
export function partsOf(message: Message): readonly ContentPart[] {
  const content = withoutDecoding(() => message.content)
  return Array.isArray(content) ? content : []
}

/** Bytes of a text in UTF-8, for estimates: escapes of a lazy text are included. 0 if the member is not a text. */
export function textBytes<T extends object>(holder: T, name: keyof T): number {
  const lazy = lazyText(holder, name)
  if (lazy !== undefined) return lazy.byteLength
  const text = holder[name]
  return typeof text === 'string' ? Buffer.byteLength(text) : 0
}

/** A text in pieces. A lazy text is decoded as far as the caller iterates. Empty if the member is not a text. */
export function textPieces<T extends object>(holder: T, name: keyof T): Iterable<string> {
  const lazy = lazyText(holder, name)
  if (lazy !== undefined) return lazy.pieces()
  const text = holder[name]
  return typeof text === 'string' ? [text] : []
}

/** The first `count` characters of a text. */
export function textStart<T extends object>(holder: T, name: keyof T, count: number): string {
  let start = ''
  for (const piece of textPieces(holder, name)) {
    start += piece
    if (start.length >= count) break
  }
  return start.slice(0, count)
}

/** The last `count` characters of a text. */
export function textEnd<T extends object>(holder: T, name: keyof T, count: number): string {
  let end = ''
  for (const piece of textPieces(holder, name)) end = (end + piece).slice(-count)
  return end
}

/** Replaces the first `count` characters of a text by `by`. */
export function replaceStart<T extends object, K extends keyof T & string>(
  holder: T & Record<K, string>,
  name: K,
  count: number,
  by: string,
): void {
  const lazy = lazyText(holder, name)
  const isInStart = lazy !== undefined && lazy.template.indexOf(lazy.texts.token) >= count
  if (isInStart) defineLazy(holder, name, new LazyText(lazy.texts, by + lazy.template.slice(count)))
  else holder[name] = (by + holder[name].slice(count)) as (typeof holder)[K]
}

/** An ordinary text as it is; for a lazy text `count` samples of `length` bytes each, joined. For estimates. */
export function textSample<T extends object>(holder: T, name: keyof T, count: number, length: number): string {
  const lazy = lazyText(holder, name)
  if (lazy !== undefined) return lazy.sample(count, length)
  const text = holder[name]
  return typeof text === 'string' ? text : ''
}

/** Every image of a conversation, with its path for `error.param`. */
export function* imageParts(
  messages: readonly Message[],
): Generator<{ part: ImagePart; param: string; role: Message['role'] }> {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    const parts = partsOf(message)
    for (let j = 0; j < parts.length; j++) {
      const part = parts[j]!
      if (part.type !== 'image') continue
      const param = part.origin ?? `${message.origin ?? `messages.${i}`}.content.${j}`
      yield { part, param, role: message.role }
    }
  }
}

/** Whether the conversation contains an image. */
export function hasImages(request: ChatRequest): boolean {
  return request.messages.some(message => partsOf(message).some(({ type }) => type === 'image'))
}
