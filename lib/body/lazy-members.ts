/**
 * Members whose text is lazy are accessors: reading one decodes its bytes, assigning makes it an ordinary member. Code that
 * reads, spreads, clones or stringifies the object needs no special case.
 */
import type { Json, JsonObject } from '../base/json.ts'
import type { ChatRequest, ContentPart, ImagePart, Message } from '../canonical/request.ts'
import { LazyText, type LongTexts } from './parse.ts'

/** Where an object keeps the lazy texts of its members, by name. Not enumerable, so that no copy has it. */
const LAZY = Symbol('lazy texts')

interface Holder {
  [LAZY]?: Map<string, LazyText>
}

const ALL = Symbol('texts of every body')

/** The body whose texts read as templates at the moment. */
let shown: LongTexts | typeof ALL | null = null

function showing<T>(whose: LongTexts | typeof ALL, use: () => T): T {
  const before = shown
  shown = whose
  try {
    return use()
  } finally {
    shown = before
  }
}

/** Calls `use`, in which lazy texts of this body read as templates: for code that copies texts and does not look into them. */
export function withTemplates<T>(texts: LongTexts, use: () => T): T {
  return showing(texts, use)
}

/**
 * Calls `look`, in which lazy texts are not decoded and read as their start and a placeholder: for code that measures large
 * values and keeps nothing of them. Synchronous.
 */
export function withoutDecoding<T>(look: () => T): T {
  return showing(ALL, look)
}

/** The lazy text of this member; undefined: it is an ordinary one. */
export function lazyText(holder: object, name: PropertyKey): LazyText | undefined {
  const lazy = (holder as Holder)[LAZY]?.get(String(name))
  if (lazy === undefined) return undefined
  // The member may have been deleted or redefined.
  const value = withoutDecoding(() => (holder as Record<PropertyKey, unknown>)[name])
  return value === lazy.template ? lazy : undefined
}

/** Makes a member of an object or an element of an array lazy. */
export function defineLazy(holder: object, name: string, lazy: LazyText): void {
  const own = holder as Holder
  if (!Object.hasOwn(own, LAZY)) Object.defineProperty(own, LAZY, { value: new Map() })
  own[LAZY]!.set(name, lazy)
  Object.defineProperty(holder, name, accessorOf(name))
}

/**
 * Makes every member lazy that holds a placeholder, in these members of `root` and everything inside of them. Nesting is
 * bounded by MAX_DEPTH.
 */
export function makeLazy(root: object, texts: LongTexts, names: Iterable<string> = Object.keys(root)): void {
  if (texts.count === 0) return
  for (const name of names) {
    const value = (root as JsonObject)[name]
    if (typeof value === 'string') {
      if (texts.isIn(value)) defineLazy(root, name, new LazyText(texts, value))
    } else if (typeof value === 'object' && value !== null) makeLazy(value, texts)
  }
}

/**
 * One accessor for each name, shared by all objects. V8 keeps accessors in the hidden class of their object, in its old
 * generation: accessors made for one body would keep its bytes in memory until the next full collection.
 */
const accessors = new Map<string, PropertyDescriptor>()

/** Names of members and indexes come from clients. */
const MAX_ACCESSORS = 1000

function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name)
  if (accessor === undefined) {
    accessor = newAccessor(name)
    if (accessors.size < MAX_ACCESSORS) accessors.set(name, accessor)
  }
  return accessor
}

function newAccessor(name: string): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: Holder): string {
      const lazy = this[LAZY]!.get(name)!
      return shown === lazy.texts || shown === ALL ? lazy.template : lazy.text
    },
    set(this: Holder, value: Json): void {
      Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value })
      // An object derived from the holder shares its texts.
      if (Object.hasOwn(this, LAZY)) this[LAZY]!.delete(name)
    },
  }
}

const NO_PARTS: readonly ContentPart[] = Object.freeze([])

/** True where the member is a text. */
export function isText<T extends object>(holder: T, name: keyof T): boolean {
  return typeof withoutDecoding(() => holder[name]) === 'string'
}

/** The parts of a message; none where its content is one text. */
export function partsOf(message: Message): readonly ContentPart[] {
  const content = withoutDecoding(() => message.content)
  return Array.isArray(content) ? content : NO_PARTS
}

/**
 * The size of a text in bytes of UTF-8, for estimates: the escapes of a lazy text count as the client wrote them. 0 where the
 * member is no text.
 */
export function textBytes<T extends object>(holder: T, name: keyof T): number {
  const lazy = lazyText(holder, name)
  if (lazy !== undefined) return lazy.byteLength
  const text = holder[name]
  return typeof text === 'string' ? Buffer.byteLength(text) : 0
}

/** A text in pieces, in order; a lazy one is decoded only as far as the caller iterates. None where the member is no text. */
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

/** Replaces the first `count` characters of a text by others. */
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

/** A text that is in memory as a string; of a lazy one `count` samples of `length` bytes each, joined. For estimates. */
export function textSample<T extends object>(holder: T, name: keyof T, count: number, length: number): string {
  const lazy = lazyText(holder, name)
  if (lazy !== undefined) return lazy.sample(count, length)
  const text = holder[name]
  return typeof text === 'string' ? text : ''
}

/** Every image of a conversation with its path for `error.param`. */
export function* imageParts(messages: readonly Message[]): Generator<{ part: ImagePart; param: string }> {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    const parts = partsOf(message)
    for (let j = 0; j < parts.length; j++) {
      const part = parts[j]!
      if (part.type !== 'image') continue
      yield { part, param: part.origin ?? `${message.origin ?? `messages.${i}`}.content.${j}` }
    }
  }
}

/** True where the conversation holds an image. Does not decode long texts. */
export function hasImages(request: ChatRequest): boolean {
  for (const message of request.messages) for (const part of partsOf(message)) if (part.type === 'image') return true
  return false
}
