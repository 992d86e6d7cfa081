import { randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '../json.ts'

/**
 * Long texts of a large body (images, documents) travel beside it: the worker that parses the body replaces each by a
 * short mark and hands over its bytes, already JSON-escaped; attach() puts them back when the body for the backend is
 * written. The event loop never touches them. A mark is ordinary text, so translators may move it or join it to
 * other text. 128 random bits per process make sure that no client can write one.
 */
export const DETACH_FROM_LENGTH = 64 * 1024

/** What every mark begins with. A text that holds it is longer than it looks. */
export const MARK_START = '@@detached-'

export interface Detached {
  readonly body: Json
  readonly detached: readonly Buffer[]
}

export function newMark(): string {
  return `${MARK_START}${randomBytes(16).toString('hex')}-`
}

/** Replaces every string of at least DETACH_FROM_LENGTH characters. Changes `body` in place. */
export function detach(body: Json, mark: string, keepStart = 0): Detached {
  const texts: Buffer[] = []
  const visit = (value: Json): Json => {
    if (typeof value === 'string') {
      if (value.length < DETACH_FROM_LENGTH) return value
      const split = safeSplit(value, keepStart)
      // The quotes of the JSON text are left out: the mark stands inside quotes of its own.
      const text = Buffer.from(JSON.stringify(value.slice(split)))
      texts.push(copyOf(text.subarray(1, -1)))
      return `${value.slice(0, split)}${mark}${texts.length - 1}@@`
    }
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = visit(value[i]!)
    } else if (value !== null && typeof value === 'object') {
      for (const name of Object.keys(value)) {
        const member = value[name]!
        const visited = visit(member)
        // A plain assignment would call the setter of a member named __proto__.
        if (visited !== member)
          Object.defineProperty(value, name, { value: visited, enumerable: true, writable: true, configurable: true })
      }
    }
    return value
  }
  return { body: visit(body), detached: texts }
}

/** Never between the halves of a surrogate pair. */
function safeSplit(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at
}

/** A buffer of its own, so that it can be transferred between threads. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.from(new ArrayBuffer(bytes.length))
  bytes.copy(copy)
  return copy
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

/** How many single values a parsed body holds, counted up to a limit. */
export function countValues(body: Json, limit: number): number {
  let count = 0
  const visit = (value: Json | undefined): void => {
    count++
    if (count > limit || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) for (const item of value) visit(item)
    else for (const name in value as JsonObject) visit((value as JsonObject)[name])
  }
  visit(body)
  return count
}
