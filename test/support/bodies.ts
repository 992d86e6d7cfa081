import { attach } from '../../lib/body/detach.ts'
import type { ReadBody } from '../../lib/body/parse.ts'
import { Rope } from '../../lib/body/rope.ts'
import { BodyScanner } from '../../lib/body/scan.ts'
import { DetachedTexts } from '../../lib/body/texts.ts'

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

/** What is left of a large body, and what travels beside it. */
export function taken(body: object, mark: string): ReadBody {
  const scanner = new BodyScanner(mark, true)
  scanner.feed(Buffer.from(JSON.stringify(body)))
  return scanner.end()
}
