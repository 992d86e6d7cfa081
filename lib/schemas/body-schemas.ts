/** The schemas in schemas/bodies and schemas/shared. The checks of bodies are generated from them. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { readSchema, schemaNames } from './read.ts'
import type { MemberNames } from './refusal.ts'

let names: MemberNames | undefined

export function bodySchemas(): readonly JsonObject[] {
  return ['shared', 'bodies'].flatMap(folder => schemaNames(folder).map(name => readSchema(`${folder}/${name}`)))
}

/** The names of all members. Read when the first body is refused. */
export function memberNames(): MemberNames {
  if (names !== undefined) return names
  const known = new Set<string>()
  const free = new Set<string>()
  for (const schema of bodySchemas()) addNames(schema, known, free)
  names = { known, free }
  return names
}

/** The members that a body of `schemas/bodies/<name>.json` may have at its top level. */
export function topLevelMembers(name: string): readonly string[] {
  const { $ref, properties } = readSchema(`bodies/${name}`)
  const shared = typeof $ref === 'string' ? readSchema(`bodies/${$ref.replace('.json', '')}`).properties : {}
  return Object.entries({ ...asObject(shared), ...asObject(properties) }).flatMap(([member, schema]) =>
    schema === false ? [] : [member],
  )
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function addNames(value: Json | undefined, known: Set<string>, free: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) addNames(each, known, free)
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(isObject(value.properties) ? value.properties : {})) {
    known.add(name)
    if (isObject(member) && isObject(member.additionalProperties)) free.add(name)
  }
  for (const keyword in value) addNames(value[keyword], known, free)
}

/** Keywords whose value is one schema, a list of schemas, or schemas by name; not the conditions `if` and `not`. */
const ONE = ['items', 'additionalProperties', 'then', 'else']
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const BY_NAME = ['$defs', 'properties', 'patternProperties']

/** Keywords that apply to the value of the outer schema, whose required members are required in them too. */
const SAME_VALUE = ['then', 'else', 'allOf', 'anyOf', 'oneOf']

/**
 * A copy of the schema in which members that are not required also accept null, which means absent
 * (docs/DESIGN.md#members-of-a-body). `inherited`: members that an outer schema requires of the same value.
 */
export function acceptNulls(schema: Json, inherited: readonly Json[] = []): Json {
  if (!isObject(schema)) return schema
  const required = Array.isArray(schema.required) ? [...inherited, ...schema.required] : inherited
  const result: JsonObject = { ...schema }
  for (const keyword of ONE) {
    const inner = schema[keyword]
    if (inner !== undefined) result[keyword] = acceptNulls(inner, SAME_VALUE.includes(keyword) ? required : [])
  }
  for (const keyword of LIST) {
    const inner = schema[keyword]
    if (Array.isArray(inner)) {
      result[keyword] = inner.map(each => acceptNulls(each, SAME_VALUE.includes(keyword) ? required : []))
    }
  }
  for (const keyword of BY_NAME) {
    const inner = schema[keyword]
    if (!isObject(inner)) continue
    const entries = Object.entries(inner).map(([name, each = true]) => {
      const member = acceptNulls(each)
      return [name, keyword === 'properties' && !required.includes(name) ? orNull(member) : member]
    })
    result[keyword] = Object.fromEntries(entries)
  }
  return result
}

/** Uses no anyOf, because an error could then name the wrong branch. */
function orNull(schema: Json): Json {
  return schema === true ? true : { if: { type: 'null' }, else: schema }
}
