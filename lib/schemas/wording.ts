/** Texts of Ajv's errors for API clients and operators. No text quotes a value, which may be a prompt or a secret. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../base/json.ts'
import { nearest, suggestion } from '../text/nearest.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'an ISO-8601 timestamp with a timezone: 2026-11-21T10:07:33Z',
  'day-or-time': 'a day, or an ISO-8601 timestamp with a timezone: 2026-11-21 or 2026-11-21T10:07:33Z',
  uuid: 'a UUID',
  uri: 'a URL',
  line: 'a line of text, without control characters',
}

const BOUNDS: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'greater than',
  '<': 'less than',
}

/** The names in a JSON pointer: `['messages', '0']` for `/messages/0`. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Path of the member with the error. The last name is the missing or unknown member, if there is one. */
export function pathOf({ instancePath, params, propertyName }: ErrorObject): readonly string[] {
  const path = segmentsOf(instancePath)
  const member: unknown = params.missingProperty ?? unknownMember(params) ?? params.propertyName ?? propertyName
  return typeof member === 'string' ? [...path, member] : path
}

/** The accepted values as text after "must be". `errors`: all errors of the check, including `error`. */
export function expected(errors: readonly ErrorObject[], error: ErrorObject): string {
  return inWords(errors, error) ?? 'as the documentation of this field says'
}

function inWords(errors: readonly ErrorObject[], { keyword, instancePath, params }: ErrorObject): string | undefined {
  switch (keyword) {
    case 'type':
      // Each branch of a choice may require another type.
      return anyOf(
        errors
          .filter(error => error.keyword === 'type' && error.instancePath === instancePath)
          .flatMap(error => [error.params.type].flat().map(String))
          .map(type => TYPES[type] ?? type),
      )
    case 'enum':
      return anyOf([params.allowedValues].flat().map(quoted))
    case 'const':
      return quoted(params.allowedValue)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${BOUNDS[String(params.comparison)]} ${params.limit}`
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
      return FORMATS[String(params.format)] ?? `a valid ${params.format}`
    default:
      return undefined
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

/** An error in a value that an operator wrote. */
export interface Violation {
  /** Dotted path of the member: `models.0.id`. Empty for the value as a whole. */
  readonly path: string
  readonly message: string
}

/** All errors of a check as sentences for operators: at most one per member, and none that another one explains. */
export function violations(errors: readonly ErrorObject[]): readonly Violation[] {
  const found = new Map<string, string>()
  const mistyped = new Set<string>()
  for (const error of errors) {
    const unknown = unknownMember(error.params)
    const meant = unknown === undefined ? undefined : nearest(unknown, knownMembers(error))
    if (meant !== undefined) mistyped.add([...pathOf(error).slice(0, -1), meant].join('.'))
  }
  for (const error of errors) {
    const path = pathOf(error).join('.')
    // The required member is misspelt, which another sentence reports.
    if (error.keyword === 'required' && mistyped.has(path)) continue
    // Ajv reports an invalid name twice: by the pattern and by propertyNames.
    if (error.propertyName !== undefined) continue
    // The errors of the branch explain it.
    if (error.keyword === 'if') continue
    if (!found.has(path)) found.set(path, sentence(errors, error))
  }
  return [...found].map(([path, message]) => ({ path, message }))
}

function sentence(errors: readonly ErrorObject[], error: ErrorObject): string {
  const { keyword, params, data, parentSchema } = error
  if (data === null && keyword !== 'required')
    return error.instancePath === '' ? 'the file is empty' : 'is empty: give it a value or remove the line'
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownSentence(unknownMember(params) ?? '', knownMembers(error))
    case 'required':
      return 'is required'
    case 'type':
      return typeSentence(`must be ${expected(errors, error)}`, [params.type].flat(), data)
    case 'enum':
      return `must be ${expected(errors, error)}${typeof data === 'string' ? suggestion(data, [params.allowedValues].flat().map(String)) : ''}`
    case 'uniqueItems':
      return `entries ${[Number(params.i) + 1, Number(params.j) + 1].toSorted((a, b) => a - b).join(' and ')} are the same`
    case 'pattern':
      return patternMessage(parentSchema) ?? `must be ${expected(errors, error)}`
    case 'propertyNames':
      return patternMessage(parentSchema?.propertyNames) ?? 'is not a valid name'
    default: {
      const words = inWords(errors, error)
      return words === undefined ? (error.message ?? 'is not valid') : `must be ${words}`
    }
  }
}

function unknownSentence(name: string, known: readonly string[]): string {
  return `unknown key '${name}'${suggestion(name, known) || `: known here are ${known.join(', ')}`}`
}

function unknownMember(params: ErrorObject['params']): string | undefined {
  const name: unknown = params.additionalProperty ?? params.unevaluatedProperty
  return typeof name === 'string' ? name : undefined
}

function knownMembers({ parentSchema }: ErrorObject): readonly string[] {
  return isObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : []
}

/** The message of the schema about a pattern (`patternErrorMessage`), which editors also show. */
function patternMessage(schema: unknown): string | undefined {
  const words = isObject(schema) ? schema.patternErrorMessage : undefined
  return typeof words === 'string' ? words : undefined
}

function typeSentence(wanted: string, types: readonly unknown[], data: unknown): string {
  // A refused number has a fraction, is infinite or is NaN.
  if (typeof data === 'number' && types.includes('integer')) return wanted
  if (typeof data === 'number' && types.includes('number')) return 'must be a finite number'
  const hint = types.includes('string') && typeof data !== 'object' ? ': put it in quotes' : ''
  return `${wanted}, not ${TYPES[Array.isArray(data) ? 'array' : typeof data] ?? 'this'}${hint}`
}
