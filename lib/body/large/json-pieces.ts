import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Json, JsonObject } from '../../base/json.ts'

/** Serialised in a millisecond or two. */
const PIECE_CHARACTERS = 128 * 1024

/** Shorter lists are serialised at once. */
const LONG_LIST = 1000

/** Parts of a message are items of a list in an item of a list. */
const DEEPEST = 4

/** Serialises a large body. One with a long list takes several pieces, between which other streams are served. */
export function jsonPieces(body: JsonObject): readonly string[] | Promise<readonly string[]> {
  return holdsLongList(body, DEEPEST) ? inPieces(body) : [JSON.stringify(body)]
}

async function inPieces(body: JsonObject): Promise<readonly string[]> {
  const pieces: string[] = []
  let waiting: string[] = []
  let characters = 0
  // Encoding the body has blocked the event loop as well.
  await yieldToEventLoop()
  for (const text of textsOf(body, DEEPEST)) {
    waiting.push(text)
    characters += text.length
    if (characters < PIECE_CHARACTERS) continue
    pieces.push(waiting.join(''))
    waiting = []
    characters = 0
    await yieldToEventLoop()
  }
  pieces.push(waiting.join(''))
  return pieces
}

/** Together they are the JSON of the value. */
function* textsOf(value: Json, depth: number): Generator<string> {
  if (!holdsLongList(value, depth)) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ','
      yield* textsOf(item, depth - 1)
    }
    yield ']'
  } else {
    let start = '{'
    for (const [name, member] of Object.entries(value as JsonObject)) {
      if (member === undefined) continue
      yield `${start}${JSON.stringify(name)}:`
      yield* textsOf(member, depth - 1)
      start = ','
    }
    yield '}'
  }
}

/** True where the value is a long list, or holds one. */
function holdsLongList(value: Json | undefined, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false
  if (!Array.isArray(value)) return Object.values(value).some(member => holdsLongList(member, depth - 1))
  return value.length >= LONG_LIST || value.some(item => holdsLongList(item, depth - 1))
}
