import type { ErrorObject } from 'ajv'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const BOUNDS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'greater than',
  '<': 'less than',
}

/** What would have been right, to stand behind "must be". `errors` are all that were found on the way to `error`. */
export function expected(errors: readonly ErrorObject[], { keyword, instancePath, params }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      // Each branch of a choice may have wanted another type here.
      return anyOf(
        errors
          .filter(error => error.keyword === 'type' && error.instancePath === instancePath)
          .flatMap(error => error.params.type as string | string[])
          .map(type => TYPES[type] ?? type),
      )
    case 'enum':
      return anyOf((params.allowedValues as unknown[]).map(quoted))
    case 'const':
      return quoted(params.allowedValue)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${BOUNDS[params.comparison as string]} ${params.limit}`
    case 'multipleOf':
      return `a multiple of ${params.multipleOf}`
    case 'minLength':
      return params.limit === 1 ? 'a string that is not empty' : `a string of at least ${params.limit} characters`
    case 'maxLength':
      return `a string of at most ${params.limit} characters`
    case 'minItems':
      return params.limit === 1 ? 'an array that is not empty' : `an array of at least ${params.limit} items`
    case 'maxItems':
      return `an array of at most ${params.limit} items`
    case 'uniqueItems':
      return 'an array without repeated items'
    case 'minProperties':
      return params.limit === 1 ? 'an object that is not empty' : `an object of at least ${params.limit} members`
    case 'maxProperties':
      return `an object of at most ${params.limit} members`
    case 'pattern':
      return `written like ${params.pattern}`
    case 'format':
      return `a valid ${params.format}`
    default:
      return 'as the documentation of this field says'
  }
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

/** `a`, `a or b`, `a, b or c`. */
function anyOf(words: readonly string[]): string {
  const distinct = [...new Set(words)]
  const last = distinct.pop() ?? ''
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`
}
