/** Access to texts for code that needs their kind, size or a part of them: a lazy text is not decoded as a whole. */
import type { ContentPart, Message } from '../canonical/request.ts'
import { defineLazy, lazyText, withoutDecoding } from './lazy-members.ts'
import { LazyText } from './long-texts.ts'

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
