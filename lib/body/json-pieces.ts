import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Json, JsonObject } from '../base/json.ts'

/** Written in a millisecond or two. */
const PIECE_CHARACTERS = 128 * 1024

/** Lists that are shorter are not worth the trouble. */
const LONG_LIST = 1000

/** The parts of a message are the items of a list in an item of a list. */
const DEEPEST = 4

/** The JSON of a large body, in pieces where it holds a long list: others get their turn after each of them. */
export function jsonPieces(body: JsonObject): readonly string[] | Promise<readonly string[]> {
  return holdsLongList(body, DEEPEST) ? inPieces(body) : [JSON.stringify(body)]
}

async function inPieces(body: JsonObject): Promise<readonly string[]> {
  const pieces: string[] = []
  let waiting: string[] = []
  let characters = 0
  // Making the body took its time as well.
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

/** Itself, or somewhere inside of it. */
function holdsLongList(value: Json | undefined, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false
  if (!Array.isArray(value)) return Object.values(value).some(member => holdsLongList(member, depth - 1))
  return value.length >= LONG_LIST || value.some(item => holdsLongList(item, depth - 1))
}
