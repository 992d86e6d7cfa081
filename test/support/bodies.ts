import { attach } from '../../lib/body/detach.ts'
import type { RawBody } from '../../lib/body/raw.ts'
import { Rope } from '../../lib/body/rope.ts'
import { DetachedTexts } from '../../lib/body/texts.ts'

/** A body that was read as it is. */
export function rawBody(content: Buffer | string): RawBody {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { rest: bytes, lists: [], detached: new DetachedTexts(), values: 0, size: bytes.length }
}

/** Texts that were taken out, each in these parts. */
export function detachedTexts(all: readonly (readonly Uint8Array[])[]): DetachedTexts {
  const texts = new DetachedTexts()
  for (const [first, ...others] of all) {
    texts.begin(Buffer.from(first!), 0, first!.length)
    for (const part of others) texts.goOn(Buffer.from(part), 0, part.length)
  }
  return texts
}

/** A JSON text with its texts in it again. */
export function attached(json: string, mark: string, texts: DetachedTexts): string {
  const rope = new Rope()
  attach(json, mark, texts, rope)
  return ropeText(rope)
}

export function ropeText(rope: Rope): string {
  return Buffer.concat(Array.from({ length: rope.parts }, (_, part) => rope.at(part))).toString()
}

/** The texts that were taken out. */
export function textsOf(texts: DetachedTexts): readonly string[] {
  return Array.from({ length: texts.count }, (_, index) => {
    const rope = new Rope()
    texts.addTo(rope, index)
    return ropeText(rope)
  })
}
