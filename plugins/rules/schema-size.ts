import type { Json } from '../../lib/plugin.ts'

/** Deepest nesting of one schema. Real ones stay below 40; engines compile them by recursion. */
export const MAX_SCHEMA_DEPTH = 64
/** Values of all kinds in the schemas of one request together: what an engine may have to compile. */
export const MAX_SCHEMA_VALUES = 100_000

/** `max` minus the number of values. Negative if there are more, or if the schema is deeper than MAX_SCHEMA_DEPTH. */
export function valuesLeft(schema: Json | undefined, max: number): number {
  return walk(schema, max, MAX_SCHEMA_DEPTH)
}

function walk(value: Json | undefined, max: number, depth: number): number {
  let left = max - 1
  if (typeof value !== 'object' || value === null) return left
  if (depth === 0) return -1
  if (Array.isArray(value)) {
    for (const item of value) {
      left = walk(item, left, depth - 1)
      if (left < 0) break
    }
    return left
  }
  for (const name in value) {
    left = walk(value[name], left, depth - 1)
    if (left < 0) break
  }
  return left
}
