/**
 * Rewrites schemas of the configuration to a form that json-schema-to-typescript can express. The types describe the
 * file with its defaults filled in.
 */
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'
import { follow, type Located, schemaAt } from './schemas.ts'

/** The schema of the configuration without references to other files: each referenced object is a definition. */
export function configSchema(): JsonObject {
  const definitions: JsonObject = {}
  const root = typed(schemaAt('config.json'), definitions)
  return { ...root, definitions }
}

/** The schema of a plugin's options, from its options.json. */
export function optionsSchema(schema: JsonObject): JsonObject {
  const definitions: JsonObject = {}
  const root = typed({ schema, file: 'options.json', pointer: '' }, definitions)
  return { ...root, definitions }
}

function typed({ schema, file, pointer }: Located, definitions: JsonObject): JsonObject {
  const { $ref, description, title, ...own } = schema
  if (typeof $ref === 'string') return { ...described(description), ...referenced(follow($ref, file), definitions) }
  const inner = (value: Json | undefined, name: string): JsonObject =>
    isObject(value) ? typed({ schema: value, file, pointer: `${pointer}/${name}` }, definitions) : {}

  if (isObject(own.then) && isObject(own.else))
    return { ...described(description), anyOf: [inner(own.then, 'then'), inner(own.else, 'else')] }
  const types = [own.type].flat()
  if (types.length > 1) {
    // Each type becomes a branch with the keywords that apply to it.
    const branches = types.map(type => typed({ schema: { ...own, type }, file, pointer }, definitions))
    return { ...described(description), anyOf: branches.map(branch => named(branch, title, definitions)) }
  }
  if (types[0] === 'boolean' && isObject(own.properties)) return { enum: [false] }
  if (types[0] === 'array') return { ...described(description), type: 'array', items: inner(own.items, 'items') }
  if (types[0] !== 'object') return { ...described(description), ...pick(own, ['type', 'enum']) }
  if (isObject(own.properties)) {
    const given = Array.isArray(own.required) ? own.required : []
    const members = Object.entries(own.properties)
    const filled = members.flatMap(([name, member]) => (isObject(member) && 'default' in member ? [name] : []))
    const properties = Object.fromEntries(members.map(([name, member]) => [name, inner(member, `properties/${name}`)]))
    return {
      ...described(description),
      type: 'object',
      properties,
      required: [...given, ...filled],
      additionalProperties: false,
    }
  }
  if (isObject(own.additionalProperties)) {
    return {
      ...described(description),
      type: 'object',
      additionalProperties: inner(own.additionalProperties, 'additionalProperties'),
    }
  }
  return { ...described(description), tsType: 'JsonObject' }
}

/** Makes the object among several branches a definition if the schema has a title for it. */
function named(branch: JsonObject, title: Json | undefined, definitions: JsonObject): JsonObject {
  if (typeof title !== 'string' || branch.type !== 'object') return branch
  definitions[title] = branch
  return { $ref: `#/definitions/${title}` }
}

/** Makes a referenced object a definition. Other referenced schemas are copied to the reference. */
function referenced(target: Located, definitions: JsonObject): JsonObject {
  const isObjectType = isObject(target.schema.properties) && target.schema.type === 'object'
  if (!isObjectType) return typed(target, definitions)
  const name = nameOf(target)
  definitions[name] ??= typed(target, definitions)
  return { allOf: [{ $ref: `#/definitions/${name}` }] }
}

/** `config/rate-limits.json` is RateLimits, `config/account.json#/$defs/key` is Key. */
function nameOf({ file, pointer }: Located): string {
  const last = pointer === '' ? file.replace(/^.*\/|\.json$/g, '') : pointer.replace(/^.*\//, '')
  return last.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function described(description: Json | undefined): JsonObject {
  return description === undefined ? {} : { description }
}

function pick(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap(name => (name in schema ? [[name, schema[name]]] : [])))
}
