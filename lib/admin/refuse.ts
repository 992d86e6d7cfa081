import { fail } from '../errors/errors.ts'

/** Refuses a value of a body or a query that its schema accepts. `problem`: what follows the name: `is not a model`. */
export function refuseValue(param: string, problem: string): never {
  const end = problem.endsWith('?') ? '' : '.'
  fail('schema_validation_failed', { problem: `'${param}' ${problem}${end}` }, { param, ownParam: true })
}

/** The place of the first value that stood before; -1: each is there once. */
export function repeatedAt(values: readonly string[]): number {
  return values.findIndex((value, i) => values.indexOf(value) < i)
}
