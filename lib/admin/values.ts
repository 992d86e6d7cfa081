/** Checks and conversions of values that the schemas of bodies and queries accept. */
import { parseTime } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { isAllowed } from '../config/discovered-models.ts'
import { fail } from '../errors/errors.ts'
import { instead } from '../text/nearest.ts'

/** Refuses a value. `problem` follows the name of the value: `must not be 0`. */
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

/** The id of the model with this id or alias, also of one that may be discovered later; undefined: there is none. */
export function modelId({ models, modelSources }: Config, name: string): string | undefined {
  const model = models.find(({ id, aliases }) => id === name || aliases.includes(name))
  return model?.id ?? (modelSources.some(source => isAllowed(source, name)) ? name : undefined)
}

/** The id of the model with this id or alias. Refuses any other `name`, which is the value of `param`. */
export function knownModelId(config: Config, param: string, name: string): string {
  const known = config.models.map(({ id }) => id)
  return modelId(config, name) ?? refuseValue(param, `is '${name}', which is not a model${instead(name, known)}`)
}

/** Ids of the models with these ids or aliases, without duplicates. `*` stays as it is. */
export function modelIds(config: Config, names: readonly string[]): string[] {
  return [...new Set(names.map((name, i) => (name === '*' ? name : knownModelId(config, `models.${i}`, name))))]
}
