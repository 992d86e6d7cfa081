import { randomBytes } from 'node:crypto'
import type { Rope } from './rope.ts'
import type { DetachedTexts } from './texts.ts'

/**
 * Long texts of a large body (images, documents) travel beside it: whoever reads the body replaces each by a short mark
 * and hands over its bytes, escaped for JSON; attach() puts them back when the body for the backend is written. A mark is
 * ordinary text, so translators may move it or join it to other text. 128 random bits per process make sure that no client
 * can write one.
 */

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

/** What stands for the text with this number. */
export function markOf(mark: string, index: number): string {
  return mark + index + MARK_END
}

export function newMark(): string {
  return `${MARK_START}${randomBytes(16).toString('hex')}-`
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
