import { fail } from '../errors/errors.ts'
import { MAX_DEPTH, TOO_DEEP } from './json-limits.ts'

/**
 * What parsed JSON holds of the heap, in bytes: about what V8 takes (Node 24.21, measured over 200,000 values of each kind;
 * docs/adr/0043-memory-is-a-budget.md has the table). Three bytes of JSON, `{},`, become 64 of heap.
 */
export const WEIGHT = {
  /** The place of a value in its array or object: numbers, true, false and null are nothing else. */
  value: 16,
  /** Beside its bytes. */
  string: 24,
  array: 48,
  object: 56,
  /** A name: most are shared, but a new one makes a hidden class for its object. */
  member: 48,
} as const

/** The weight of a value that was parsed as a whole. Refuses what is nested too deep. */
export function weigh(value: unknown): number {
  return weightWithin(value, MAX_DEPTH, 0)
}

/** `weight`: so far. */
function weightWithin(value: unknown, depth: number, weight: number): number {
  if (typeof value === 'string') return weight + WEIGHT.value + WEIGHT.string + value.length
  if (typeof value !== 'object' || value === null) return weight + WEIGHT.value
  if (depth === 0) fail('schema_validation_failed', { problem: TOO_DEEP })
  let sum = weight + WEIGHT.value
  if (Array.isArray(value)) {
    sum += WEIGHT.array
    for (let i = 0; i < value.length; i++) sum = weightWithin(value[i], depth - 1, sum)
  } else {
    sum += WEIGHT.object
    for (const name in value) {
      sum = weightWithin((value as Record<string, unknown>)[name], depth - 1, sum + WEIGHT.member)
    }
  }
  return sum
}
