/** Checks and conversions of values that the schemas of bodies and queries accept. */
import { parseTime } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import { suggestion } from '../text/nearest.ts'

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

/** Ids of the models with these ids or aliases, without duplicates. */
export function modelIds({ models: known }: Config, names: readonly string[]): string[] {
  const ids = names.map((name, i) => {
    const model = known.find(({ id, aliases }) => id === name || aliases.includes(name))
    if (model === undefined && name !== '*') {
      const hint = suggestion(
        name,
        known.map(({ id }) => id),
      )
      refuseValue(`models.${i}`, `is not a model${hint}`)
    }
    return model?.id ?? name
  })
  return [...new Set(ids)]
}
