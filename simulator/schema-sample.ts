import { isObject, type Json, type JsonObject } from '../lib/base/json.ts'
import { PatternError } from './pattern.ts'
import { between, pick, type Random } from './random.ts'
import { sampleRegex } from './regex-sample.ts'

/** From this depth on optional parts are omitted, which ends recursive schemas. */
const MINIMAL_DEPTH = 5
const MAX_DEPTH = 40
const WORDS = ['river', 'lantern', 'café', 'harbour', 'meadow', 'Zürich', 'copper', 'willow', '🌊', 'signal']

/**
 * A value that satisfies the JSON Schema, for the features that tools and structured outputs use: types, enum, const,
 * properties, items, limits, pattern, the usual formats, anyOf, oneOf, allOf and references inside the document. The
 * same seed gives the same value. Throws PatternError if the schema needs something else.
 */
export function sampleSchema(schema: Json | undefined, random: Random): Json {
  return sample(schema, { root: schema, random }, 0)
}

interface Context {
  readonly root: Json | undefined
  readonly random: Random
}

function sample(schema: Json | undefined, context: Context, depth: number): Json {
  if (depth > MAX_DEPTH) throw new PatternError('The schema never comes to an end.')
  if (!isObject(schema)) return pick(context.random, WORDS)
  const { random } = context
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return pick(random, schema.enum)
  if (typeof schema.$ref === 'string') return sample(resolve(schema.$ref, context.root), context, depth + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && choices.length > 0) {
    const { anyOf: _, oneOf: __, ...rest } = schema
    const choice = depth < MINIMAL_DEPTH ? pick(random, choices) : simplest(choices)
    return sample(merge(rest, choice, context.root), context, depth + 1)
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema
    const merged = allOf.reduce<JsonObject>((sum, part) => merge(sum, part, context.root), rest)
    return sample(merged, context, depth + 1)
  }
  return sampleType(typeOf(schema, random, depth), schema, context, depth)
}

function sampleType(type: string, schema: JsonObject, context: Context, depth: number): Json {
  switch (type) {
    case 'object':
      return sampleObject(schema, context, depth)
    case 'array':
      return sampleArray(schema, context, depth)
    case 'integer':
    case 'number':
      return sampleNumber(schema, type === 'integer', context.random)
    case 'boolean':
      return context.random() < 0.5
    case 'null':
      return null
    default:
      return sampleString(schema, context.random)
  }
}

function typeOf(schema: JsonObject, random: Random, depth: number): string {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type) && type.length > 0) {
    if (depth >= MINIMAL_DEPTH && type.includes('null')) return 'null'
    return String(pick(random, type))
  }
  if (schema.properties !== undefined || schema.required !== undefined) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number'
  return 'string'
}

function sampleObject(schema: JsonObject, context: Context, depth: number): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const result: JsonObject = {}
  for (const name of new Set([...Object.keys(properties), ...required])) {
    if (depth >= MINIMAL_DEPTH && !required.includes(name)) continue
    const value = sample(properties[name], context, depth + 1)
    // Not assigned, because a property may be named __proto__.
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return result
}

function sampleArray(schema: JsonObject, context: Context, depth: number): Json[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  const min = Math.max(limit(schema.minItems, 0), Math.min(first.length, limit(schema.maxItems, first.length)))
  const usual = depth >= MINIMAL_DEPTH || schema.items === false ? min : Math.max(min, 2)
  const length = Math.min(usual, limit(schema.maxItems, usual), 1000)
  const values: Json[] = []
  const seen = new Set<string>()
  for (let tries = 0; values.length < length && tries < length * 10; tries++) {
    const value = sample(first[values.length] ?? schema.items, context, depth + 1)
    const text = schema.uniqueItems === true ? JSON.stringify(value) : String(tries)
    if (seen.has(text)) continue
    seen.add(text)
    values.push(value)
  }
  if (values.length < min) throw new PatternError('The schema asks for more different items than there are.')
  return values
}

function sampleNumber(schema: JsonObject, integer: boolean, random: Random): number {
  const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : integer ? 1 : 0.25
  const low = bound(schema.minimum, schema.exclusiveMinimum, step)
  const high = bound(schema.maximum, schema.exclusiveMaximum, -step)
  const from = Math.ceil((low ?? Math.min(1, high ?? 1)) / step)
  const to = Math.floor((high ?? Math.max(100, from * step + 100)) / step)
  if (to >= from) return between(random, from, Math.min(to, from + 1000)) * step
  if (integer || low === undefined) throw new PatternError('The schema leaves no number.')
  return low
}

function bound(inclusive: Json | undefined, exclusive: Json | undefined, step: number): number | undefined {
  if (typeof exclusive === 'number') return exclusive + step
  return typeof inclusive === 'number' ? inclusive : undefined
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2025-03-14T15:09:26Z',
  date: '2025-03-14',
  time: '15:09:26Z',
  duration: 'PT15M',
  email: 'ada@example.com',
  hostname: 'host.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/river',
  url: 'https://example.com/river',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
}

function sampleString(schema: JsonObject, random: Random): string {
  if (typeof schema.pattern === 'string') return sampleRegex(schema.pattern, random)
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined
  if (format !== undefined) return format
  let text = pick(random, WORDS)
  const min = limit(schema.minLength, 0)
  if (min > 4096) throw new PatternError('The schema asks for a longer text than can be made.')
  while ([...text].length < min) text += ` ${pick(random, WORDS)}`
  // JSON Schema counts code points.
  return [...text].slice(0, limit(schema.maxLength, text.length)).join('')
}

function limit(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** A schema that combines both, as far as their members do not contradict each other. */
function merge(left: JsonObject, right: Json, root: Json | undefined): JsonObject {
  const part = isObject(right) && typeof right.$ref === 'string' ? resolve(right.$ref, root) : right
  if (!isObject(part)) return left
  const merged: JsonObject = { ...left, ...part }
  if (isObject(left.properties) && isObject(part.properties)) {
    merged.properties = { ...left.properties, ...part.properties }
  }
  if (Array.isArray(left.required) && Array.isArray(part.required))
    merged.required = [...left.required, ...part.required]
  return merged
}

/** The alternative that ends a recursion earliest. */
function simplest(choices: readonly Json[]): Json {
  const plain = choices.find(choice => isObject(choice) && choice.type === 'null')
  return plain ?? choices.find(choice => isObject(choice) && choice.$ref === undefined) ?? choices[0]!
}

function resolve(ref: string, root: Json | undefined): Json | undefined {
  if (!ref.startsWith('#')) throw new PatternError(`The reference ${ref} leads out of the document.`)
  let node = root
  for (const part of ref.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(node)) node = node[Number(name)]
    else node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined
  }
  if (node === undefined) throw new PatternError(`The reference ${ref} leads nowhere.`)
  return node
}
