import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Rope } from './rope.ts'
import type { DetachedTexts } from './texts.ts'

/**
 * Long texts of a large body (images, documents) travel beside it: whoever reads the body replaces each by a short mark
 * and hands over its bytes, already JSON-escaped; attach() puts them back when the body for the backend is written. A
 * mark is ordinary text, so translators may move it or join it to other text. 128 random bits per process make sure that
 * no client can write one.
 */
export const DETACH_FROM_LENGTH = 64 * 1024

/** What every mark begins with. A text that holds it is longer than it looks. */
export const MARK_START = '@@detached-'

const MARK_END = '@@'

/**
 * What stays at the start of a detached text, in characters: enough for `data:image/png;base64,` and an image's first
 * bytes, and for a first line that a format leaves out.
 */
export const KEEP_START = 128

/** The members of a body that hold what a model reads, in all formats. Rules look at everything else, schemas above all. */
export const CONVERSATION: ReadonlySet<string> = new Set(['messages', 'input', 'system', 'instructions', 'prompt'])

/** json: text that is JSON itself. */
export type TextKind = 'text' | 'url' | 'json'

/** Members of a conversation that hold text or an image. Names, roles and ids are compared: they stay as they are. */
export const TEXTS: ReadonlyMap<string, TextKind> = new Map([
  ...[...CONVERSATION].map(name => [name, name === 'input' ? 'json' : 'text'] as const),
  ['content', 'text'],
  ['text', 'text'],
  ['thinking', 'text'],
  ['reasoning', 'text'],
  ['reasoning_content', 'text'],
  ['refusal', 'text'],
  ['output', 'text'],
  ['arguments', 'json'],
  ['url', 'url'],
  ['image_url', 'url'],
  ['data', 'url'],
])

export interface Detached {
  readonly body: Json
  /** What was taken out, escaped for JSON, each in memory of its own. */
  readonly texts: readonly Uint8Array<ArrayBuffer>[]
}

/** What stands for the text with this number. */
export function markOf(mark: string, index: number): string {
  return mark + index + MARK_END
}

export function newMark(): string {
  return `${MARK_START}${randomBytes(16).toString('hex')}-`
}

/**
 * Replaces every text of at least DETACH_FROM_LENGTH characters that the body's conversation holds, but for its first
 * `keepStart` characters. Changes `body` in place. `first`: so many were taken out before.
 */
export function detach(body: Json, mark: string, keepStart = 0, first = 0): Detached {
  const detacher = new Detacher(mark, keepStart, first)
  if (isObject(body)) {
    for (const name of CONVERSATION) if (body[name] !== undefined) body[name] = detacher.visit(body[name], name)
  }
  return { body, texts: detacher.texts }
}

class Detacher {
  readonly texts: Uint8Array<ArrayBuffer>[] = []
  readonly #mark: string
  readonly #keepStart: number
  readonly #first: number

  constructor(mark: string, keepStart: number, first: number) {
    this.#mark = mark
    this.#keepStart = keepStart
    this.#first = first
  }

  /** `name` is the member that holds the value, or the array around it. */
  visit(value: Json, name: string): Json {
    if (typeof value === 'string') return TEXTS.has(name) ? this.#text(value, 1) : value
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = this.visit(value[i]!, name)
    } else if (isObject(value)) {
      for (const member of Object.keys(value)) {
        // The input of a tool call becomes JSON text inside of JSON: its strings are escaped twice on their way.
        const isInput = member === 'input' && value.type === 'tool_use'
        put(value, member, isInput ? this.#input(value[member]!) : this.visit(value[member]!, member))
      }
    }
    return value
  }

  #input(value: Json): Json {
    if (typeof value === 'string') return this.#text(value, 2)
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = this.#input(value[i]!)
    } else if (isObject(value)) {
      for (const member of Object.keys(value)) put(value, member, this.#input(value[member]!))
    }
    return value
  }

  /** `escapes`: how many times JSON.stringify will have gone over the text when it is written. */
  #text(value: string, escapes: 1 | 2): string {
    if (value.length < DETACH_FROM_LENGTH) return value
    const split = safeSplit(value, this.#keepStart)
    let escaped = value.slice(split)
    // The quotes of the JSON text are left out: the mark stands inside quotes of its own.
    for (let i = 0; i < escapes; i++) escaped = JSON.stringify(escaped).slice(1, -1)
    const index = this.#first + this.texts.push(bytesOf(escaped)) - 1
    return value.slice(0, split) + markOf(this.#mark, index)
  }
}

/** A plain assignment would call the setter of a member named __proto__. */
function put(object: JsonObject, name: string, value: Json): void {
  if (object[name] === value) return
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Never between the halves of a surrogate pair. */
function safeSplit(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at
}

/** In a buffer of its own, so that it can be transferred between threads. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const memory = new ArrayBuffer(Buffer.byteLength(text))
  Buffer.from(memory).write(text)
  return new Uint8Array(memory)
}

/** Appends the bytes of a JSON text to `rope`, its marks replaced by the texts they stand for. */
export function attach(json: string, mark: string, texts: DetachedTexts, rope: Rope): void {
  const bytes = Buffer.from(json)
  const sought = Buffer.from(mark)
  let from = 0
  for (;;) {
    const at = bytes.indexOf(sought, from)
    if (at < 0) break
    rope.add(bytes, from, at)
    let index = 0
    let end = at + sought.length
    for (; bytes[end] !== AT; end++) index = index * 10 + (bytes[end]! - ZERO)
    texts.addTo(rope, index)
    from = end + MARK_END.length
  }
  rope.add(bytes, from, bytes.length)
}

const AT = 0x40
const ZERO = 0x30

/** A client that writes one finds none, or spoils its own request. */
const MARK = new RegExp(`${MARK_START}[0-9a-f]+-(\\d+)${MARK_END}`, 'g')

/** The bytes that the marks in a text stand for: UTF-8, escaped for JSON. */
export function* detachedFrom(text: string, texts: DetachedTexts | null): Generator<Buffer> {
  if (texts === null || !text.includes(MARK_START)) return
  for (const [, index] of text.matchAll(MARK)) yield* texts.bytesOf(Number(index))
}

/** How many bytes they are. */
export function detachedBytes(text: string, texts: DetachedTexts | null): number {
  let bytes = 0
  for (const part of detachedFrom(text, texts)) bytes += part.length
  return bytes
}
