import type { DetachedTexts } from './texts.ts'

/** A body as it was read. */
export interface RawBody {
  /** JSON text, with a mark for each text that was taken out, and without the items of `lists`. */
  readonly rest: Buffer
  readonly lists: readonly RawList[]
  readonly detached: DetachedTexts
  /** About how many single JSON values it holds; 0: not counted. */
  readonly values: number
  /** Bytes as received. */
  readonly size: number
}

/** A list of the conversation, apart from the rest. */
export interface RawList {
  /** The member of the body that holds it. */
  readonly name: string
  /** Where its items belong in the rest. */
  readonly at: number
  /** Some of its items in each, as a JSON list. */
  readonly slices: readonly Buffer[]
}

/** The JSON text of all of it. */
export function wholeText({ rest, lists }: RawBody): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (const { at, slices } of lists) {
    parts.push(rest.subarray(from, at))
    for (const [i, slice] of slices.entries()) {
      if (i > 0) parts.push(BETWEEN)
      parts.push(slice.subarray(1, -1))
    }
    from = at
  }
  parts.push(rest.subarray(from))
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

const BETWEEN = Buffer.from(',')
