import type { Json, JsonObject } from '../../base/json.ts'
import { nextTurn } from '../../base/turns.ts'

/** Serialised in a millisecond or two. */
const PIECE_CHARACTERS = 128 * 1024

/** Characters of JSON that a value counts for beside its own text: a million of `{}` take longer than three million of one text. */
const VALUE_CHARACTERS = 16

/** Items of a list that are serialised by one call, which takes a fifth of the time of one for each. */
const RUN_CHARACTERS = PIECE_CHARACTERS / 8

/** Calls what reads the body. */
type Read = <T>(use: () => T) => T

/**
 * Serialises a large body. A long one takes several pieces, between which other streams are served. `read` decides how members
 * read, and is called for each step. No piece ends inside of a placeholder: `token`, and what follows it up to the next DEL.
 */
export function jsonPieces(
  body: JsonObject,
  read: Read = use => use(),
  token?: string,
): readonly string[] | Promise<readonly string[]> {
  return read(() => (isLong(body) ? undefined : [JSON.stringify(body)])) ?? inPieces(body, read, token)
}

async function inPieces(body: JsonObject, read: Read, token: string | undefined): Promise<readonly string[]> {
  const pieces: string[] = []
  const texts = textsOf(body, token)
  // Encoding the body has blocked the event loop as well.
  await nextTurn()
  for (;;) {
    const { piece, isLast } = read(() => nextPiece(texts))
    pieces.push(piece)
    if (isLast) return pieces
    await nextTurn()
  }
}

function nextPiece(texts: Iterator<string>): { readonly piece: string; readonly isLast: boolean } {
  const waiting: string[] = []
  let characters = 0
  let isLast = false
  while (characters < PIECE_CHARACTERS) {
    const { done, value } = texts.next()
    if (done === true) {
      isLast = true
      break
    }
    waiting.push(value)
    characters += value.length + VALUE_CHARACTERS
  }
  return { piece: waiting.join(''), isLast }
}

/** Together they are the JSON of the value. */
function* textsOf(value: Json, token: string | undefined): Generator<string> {
  if (typeof value === 'string' && value.length > PIECE_CHARACTERS) {
    yield* textsOfString(value, token)
  } else if (typeof value !== 'object' || value === null || !isLong(value)) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    yield* textsOfList(value, token)
  } else {
    let start = '{'
    for (const name in value) {
      const member = value[name]
      if (member === undefined) continue
      yield `${start}${JSON.stringify(name)}:`
      yield* textsOf(member, token)
      start = ','
    }
    yield '}'
  }
}

/** Short items together, long ones in pieces. */
function* textsOfList(items: readonly Json[], token: string | undefined): Generator<string> {
  let start = '['
  for (let from = 0; from < items.length; ) {
    const end = endOfRun(items, from)
    if (end > from) {
      yield start + JSON.stringify(items.slice(from, end)).slice(1, -1)
      from = end
    } else {
      yield start
      yield* textsOf(items[from++]!, token)
    }
    start = ','
  }
  yield ']'
}

/** Behind the items from this one on that are short, all together. */
function endOfRun(items: readonly Json[], from: number): number {
  let rest = RUN_CHARACTERS
  let end = from
  for (; end < items.length; end++) {
    rest = left(items[end], rest)
    if (rest < 0) break
  }
  return end
}

function* textsOfString(text: string, token: string | undefined): Generator<string> {
  let start = '"'
  for (let from = 0; from < text.length; ) {
    const end = cutOf(text, from, token)
    yield start + JSON.stringify(text.slice(from, end)).slice(1, -1)
    start = ''
    from = end
  }
  yield '"'
}

/** Where a piece of this text ends that begins at `from`. */
function cutOf(text: string, from: number, token: string | undefined): number {
  const end = from + PIECE_CHARACTERS
  if (end >= text.length) return text.length
  const first = Math.max(from, end - LONGEST_PLACEHOLDER)
  const at = token === undefined ? -1 : text.slice(first, end + token.length).lastIndexOf(token)
  if (at >= 0) return text.indexOf(DEL, first + at + token!.length) + 1
  // Half of a surrogate pair would be escaped.
  return IS_HIGH_HALF.test(text[end - 1]!) ? end + 1 : end
}

/** Characters of a token with the number of a text. */
const LONGEST_PLACEHOLDER = 64
const DEL = '\x7f'
const IS_HIGH_HALF = /[\ud800-\udbff]/

/** True where the JSON of the value may be longer than a piece. */
function isLong(value: Json): boolean {
  return left(value, PIECE_CHARACTERS) < 0
}

/** What is left of `characters` after this value; negative as soon as nothing is left. */
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
