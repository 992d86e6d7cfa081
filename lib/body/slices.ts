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
const SLICE_CHARACTERS = 256 * 1024

/** Lists that are shorter are not worth the trouble. */
const LONG_LIST = 1000

/** Changes `body`. */
export function sliced(body: Json): SlicedBody {
  const list = isObject(body) ? longestList(body) : null
  if (list === null) return { rest: JSON.stringify(body), list, slices: [] }
  const holder = body as JsonObject
  const items = holder[list] as Json[]
  holder[list] = []
  const slices: string[] = []
  let slice: string[] = []
  let characters = 0
  for (const item of items) {
    const text = JSON.stringify(item)
    slice.push(text)
    characters += text.length
    if (characters < SLICE_CHARACTERS) continue
    slices.push(`[${slice.join()}]`)
    slice = []
    characters = 0
  }
  if (slice.length > 0) slices.push(`[${slice.join()}]`)
  return { rest: JSON.stringify(body), list, slices }
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
  const items: Json[] = []
  for (const slice of slices) {
    await breath()
    if (!go()) return undefined
    for (const item of JSON.parse(slice) as Json[]) items.push(item)
  }
  ;(body as JsonObject)[list] = items
  return body
}
