import { setImmediate as breath } from 'node:timers/promises'
import { isObject, type Json, type JsonObject } from '../json.ts'

/**
 * A parsed body on its way between threads, as JSON text: the event loop reads that in less time than the structured
 * clone of the same objects, and can take a breath between two pieces.
 */
export interface SlicedBody {
  /** Everything but the items of the longest list. */
  readonly rest: string
  /** The member that holds the list; null where everything is in `rest`. */
  readonly list: string | null
  /** Its items, some in each. */
  readonly slices: readonly string[]
}

/** A slice is read in 1 to 2 ms. */
export const SLICE_CHARACTERS = 256 * 1024

/** Lists that are shorter are not worth the trouble. */
const LONG_LIST = 1000

/** Changes `body`. */
export function sliced(body: Json): SlicedBody {
  const list = isObject(body) ? longestList(body) : null
  if (list === null) return { rest: JSON.stringify(body), list, slices: [] }
  const holder = body as JsonObject
  const items = holder[list] as Json[]
  holder[list] = []
  return { rest: JSON.stringify(body), list, slices: Array.from(itemTexts(items), text => `[${text}]`) }
}

/** The items as JSON, some in each text, with commas between. */
function* itemTexts(items: readonly Json[]): Generator<string> {
  let texts: string[] = []
  let characters = 0
  for (const item of items) {
    const text = JSON.stringify(item)
    texts.push(text)
    characters += text.length
    if (characters < SLICE_CHARACTERS) continue
    yield texts.join()
    texts = []
    characters = 0
  }
  if (texts.length > 0) yield texts.join()
}

function longestList(body: JsonObject): string | null {
  let longest: string | null = null
  let length = LONG_LIST - 1
  for (const [name, value] of Object.entries(body)) {
    if (!Array.isArray(value) || value.length <= length || name === '__proto__') continue
    longest = name
    length = value.length
  }
  return longest
}

/** The body again. `go` is asked before every piece of a long one; false gives up. */
export async function joined({ rest, list, slices }: SlicedBody, go: () => boolean): Promise<Json | undefined> {
  const body = JSON.parse(rest) as Json
  if (list === null) return body
  const items = await itemsPaced(slices, slice => JSON.parse(slice) as Json[], go)
  if (items === undefined) return undefined
  ;(body as JsonObject)[list] = items
  return body
}

/** The items of all slices. Others get their turn before each slice, and `go` is asked; false gives up: undefined. */
export async function itemsPaced<Slice>(
  slices: readonly Slice[],
  read: (slice: Slice, index: number) => readonly Json[],
  go: () => boolean,
): Promise<Json[] | undefined> {
  const items: Json[] = []
  for (const [i, slice] of slices.entries()) {
    await breath()
    if (!go()) return undefined
    for (const item of read(slice, i)) items.push(item)
  }
  return items
}

/** JSON.stringify in pieces, with a breath between those of a long list; in one where there is none. */
export function jsonPieces(body: JsonObject): readonly string[] | Promise<readonly string[]> {
  const list = longestList(body)
  return list === null ? [JSON.stringify(body)] : piecesAround(body, list)
}

async function piecesAround(body: JsonObject, list: string): Promise<readonly string[]> {
  const pieces: string[] = []
  const put = (text: string) => pieces.push(`${pieces.length === 0 ? '{' : ','}${text}`)
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    const start = `${JSON.stringify(name)}:`
    if (name !== list) {
      put(start + JSON.stringify(value))
      continue
    }
    put(`${start}[`)
    let first = true
    for (const text of itemTexts(value as Json[])) {
      pieces.push(first ? text : `,${text}`)
      first = false
      await breath()
    }
    pieces.push(']')
  }
  pieces.push('}')
  return pieces
}
