/** Ajv's errors as sentences that an operator can act on. None of them quotes a value: it may be a secret. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../base/json.ts'
import { nearest, suggestion } from '../base/nearest.ts'
import type { Problem } from './problems.ts'

/** The problems, at most one about each member's value, and none that another one explains. */
export function translate(errors: readonly ErrorObject[]): readonly Problem[] {
  const problems = new Map<string, string>()
  const mistyped = new Set<string>()
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') {
      const meant = nearest(unknownName(error), knownNames(error))
      if (meant !== undefined) mistyped.add(join(error.instancePath, meant))
    }
  }
  for (const error of errors) {
    const path = pathOf(error)
    // The required member is there, under a name that is nearly right: said once.
    if (error.keyword === 'required' && mistyped.has(path)) continue
    // Ajv reports a bad name twice, once as the pattern it fails and once as propertyNames.
    if (error.propertyName !== undefined) continue
    if (!problems.has(path)) problems.set(path, sentence(error))
  }
  return [...problems].map(([path, message]) => ({ path, message }))
}

/** `/models/0/id` as `models.0.id`. */
export function dotted(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function pathOf(error: ErrorObject): string {
  if (error.keyword === 'required') return join(error.instancePath, String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') return join(error.instancePath, unknownName(error))
  if (error.keyword === 'propertyNames') return join(error.instancePath, String(error.params.propertyName))
  return dotted(error.instancePath)
}

function join(pointer: string, name: string): string {
  return pointer === '' ? name : `${dotted(pointer)}.${name}`
}

function sentence(error: ErrorObject): string {
  const { keyword, params, data } = error
  if (data === null && keyword !== 'required')
    return error.instancePath === '' ? 'the file is empty' : 'is empty: give it a value or remove the line'
  switch (keyword) {
    case 'additionalProperties':
      return `unknown key '${unknownName(error)}'${suggestion(unknownName(error), knownNames(error)) || `: known here are ${knownNames(error).join(', ')}`}`
    case 'required':
      return 'is required'
    case 'type':
      return typeSentence([params.type].flat(), data)
    case 'enum':
      return enumSentence([params.allowedValues].flat(), data)
    case 'pattern':
      return inWords(error.parentSchema) ?? `must match ${String(params.pattern)}`
    case 'propertyNames':
      return inWords(isObject(error.parentSchema) ? error.parentSchema.propertyNames : undefined) ?? 'is no valid name'
    case 'format':
      return params.format === 'uuid' ? 'must be a UUID' : 'must be a URL'
    case 'minItems':
      return 'needs at least one entry'
    case 'uniqueItems':
      return `entries ${Number(params.j) + 1} and ${Number(params.i) + 1} are the same`
    case 'minLength':
      return 'must not be empty'
    case 'maxLength':
      return `must not be longer than ${params.limit} characters`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    default:
      return error.message ?? 'is not valid'
  }
}

function unknownName(error: ErrorObject): string {
  return String(error.params.additionalProperty)
}

function knownNames(error: ErrorObject): readonly string[] {
  const properties = error.parentSchema?.properties
  return isObject(properties) ? Object.keys(properties) : []
}

/** What the schema itself says about a pattern. Editors show the same. */
function inWords(schema: unknown): string | undefined {
  const words = isObject(schema) ? schema.patternErrorMessage : undefined
  return typeof words === 'string' ? words : undefined
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'a block of keys and values',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

function typeSentence(wanted: readonly unknown[], data: unknown): string {
  // A number that is refused where a number is wanted: it has a fraction, or it is infinite or no number at all.
  if (typeof data === 'number' && wanted.includes('integer')) return 'must be a whole number'
  if (typeof data === 'number' && wanted.includes('number')) return 'must be a finite number'
  const names = wanted.map(type => TYPES[String(type)]).filter(name => name !== undefined)
  const hint = wanted.includes('string') && typeof data !== 'object' ? ': put it in quotes' : ''
  return `must be ${names.join(' or ')}, not ${kindOf(data)}${hint}`
}

function kindOf(data: unknown): string {
  if (Array.isArray(data)) return 'a list'
  return TYPES[typeof data] ?? 'this'
}

function enumSentence(allowed: readonly unknown[], data: unknown): string {
  const words = allowed.map(value => String(value))
  return `must be one of ${words.join(', ')}${typeof data === 'string' ? suggestion(data, words) : ''}`
}
