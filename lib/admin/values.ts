/** Checks and conversions of values that the schemas of bodies and queries accept. */
import { parseTime } from '../base/time.ts'
import { fail } from '../errors/errors.ts'

/** Refuses a value. `problem` follows the name of the value: `is not a model`. */
export function refuseValue(param: string, problem: string): never {
  const end = problem.endsWith('?') ? '' : '.'
  fail('schema_validation_failed', { problem: `'${param}' ${problem}${end}` }, { param, ownParam: true })
}

/** Index of the first value that repeats an earlier one; -1 if there is none. */
export function repeatedAt(values: readonly string[]): number {
  return values.findIndex((value, i) => values.indexOf(value) < i)
}

/** Microseconds since the epoch of a day or a timestamp that its schema has checked. */
export function microsOf(time: string): number
export function microsOf(time: string | undefined): number | undefined
export function microsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseTime(time)!.micros
}
