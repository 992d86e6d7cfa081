import { randomBytes } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '../json.ts'

/**
 * Long texts of a large body (images, documents) travel beside it: the worker that parses the body replaces each by a
 * short mark and hands over its bytes, already JSON-escaped; attach() puts them back when the body for the backend is
 * written. The event loop never touches them. A mark is ordinary text, so translators may move it or join it to
 * other text. 128 random bits per process make sure that no client can write one.
 */
export const DETACH_FROM_LENGTH = 64 * 1024

/** What every mark begins with. A text that holds it is longer than it looks. */
export const MARK_START = '@@detached-'

/** The members of a body that hold what a model reads, in all formats. Rules look at everything else, schemas above all. */
const CONVERSATION = ['messages', 'input', 'system', 'instructions', 'prompt'] as const

/** Members of a conversation that hold text or an image. Names, roles and ids are compared: they stay as they are. */
const TEXTS: ReadonlySet<string> = new Set([
  ...CONVERSATION,
  'content',
  'text',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'arguments',
  'output',
  'url',
  'image_url',
  'data',
])

export interface Detached {
  readonly body: Json
  readonly detached: readonly Buffer[]
}

export function newMark(): string {
  return `${MARK_START}${randomBytes(16).toString('hex')}-`
}

/**
 * Replaces every text of at least DETACH_FROM_LENGTH characters that the body's conversation holds, but for its first
 * `keepStart` characters. Changes `body` in place.
 */
export function detach(body: Json, mark: string, keepStart = 0): Detached {
  const detacher = new Detacher(mark, keepStart)
  if (isObject(body)) {
    for (const name of CONVERSATION) if (body[name] !== undefined) body[name] = detacher.visit(body[name], name)
  }
  return { body, detached: detacher.texts }
}

class Detacher {
  readonly texts: Buffer[] = []
  readonly #mark: string
  readonly #keepStart: number

  constructor(mark: string, keepStart: number) {
    this.#mark = mark
    this.#keepStart = keepStart
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
    this.texts.push(bytesOf(escaped))
    return `${value.slice(0, split)}${this.#mark}${this.texts.length - 1}@@`
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
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}

/** A JSON text with marks as the pieces to write, marks replaced by the bytes they stand for. */
export function attach(json: string, mark: string, detached: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = []
  let from = 0
  for (;;) {
    const at = json.indexOf(mark, from)
    if (at < 0) break
    const end = json.indexOf('@@', at + mark.length)
    pieces.push(Buffer.from(json.slice(from, at)), detached[Number(json.slice(at + mark.length, end))]!)
    from = end + 2
  }
  pieces.push(Buffer.from(json.slice(from)))
  return pieces
}
