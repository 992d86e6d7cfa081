import type { Json, JsonObject } from '../../base/json.ts'
import { nextTurn } from '../../base/turns.ts'

/** Serialised in a millisecond or two. */
const PIECE_CHARACTERS = 128 * 1024

/** Characters of JSON that a value counts for beside its own text. */
const VALUE_CHARACTERS = 16

/** Serialises a large body. A long one takes several pieces, between which other streams are served. */
export function jsonPieces(body: JsonObject): readonly string[] | Promise<readonly string[]> {
  return isLong(body) ? inPieces(body) : [JSON.stringify(body)]
}

async function inPieces(body: JsonObject): Promise<readonly string[]> {
  const pieces: string[] = []
  let waiting: string[] = []
  let characters = 0
  // Encoding the body has blocked the event loop as well.
  await nextTurn()
  for (const text of textsOf(body)) {
    waiting.push(text)
    characters += text.length
    if (characters < PIECE_CHARACTERS) continue
    pieces.push(waiting.join(''))
    waiting = []
    characters = 0
    await nextTurn()
  }
  pieces.push(waiting.join(''))
  return pieces
}

/** Together they are the JSON of the value. */
function* textsOf(value: Json): Generator<string> {
  if (typeof value !== 'object' || value === null || !isLong(value)) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ','
      yield* textsOf(item)
    }
    yield ']'
  } else {
    let start = '{'
    for (const name in value) {
      const member = value[name]
      if (member === undefined) continue
      yield `${start}${JSON.stringify(name)}:`
      yield* textsOf(member)
      start = ','
    }
    yield '}'
  }
}

/** True where the JSON of the value may be longer than a piece. */
function isLong(value: Json): boolean {
  return left(value, PIECE_CHARACTERS) < 0
}

/** What is left of so many characters behind this value; negative as soon as there is nothing. */
function left(value: Json | undefined, characters: number): number {
  if (typeof value === 'string') return characters - value.length - VALUE_CHARACTERS
  let rest = characters - VALUE_CHARACTERS
  if (typeof value !== 'object' || value === null) return rest
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = left(value[i], rest)
    return rest
  }
  for (const name in value) {
    rest = left(value[name], rest - name.length)
    if (rest < 0) break
  }
  return rest
}
