/** The schemas in schemas/bodies and schemas/shared, from which the checks of bodies are generated. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { readSchema, schemaNames } from './read.ts'
import type { MemberNames } from './refusal.ts'

let names: MemberNames | undefined

/** As they are checked: members that are not required accept null. */
export function bodySchemas(): readonly JsonObject[] {
  return readAll().map(schema => acceptNulls(schema) as JsonObject)
}

/** The names of all members that they have. Read for the first body that is refused. */
export function memberNames(): MemberNames {
  if (names !== undefined) return names
  const known = new Set<string>()
  const free = new Set<string>()
  for (const schema of readAll()) addNames(schema, known, free)
  names = { known, free }
  return names
}

function readAll(): readonly JsonObject[] {
  return ['shared', 'bodies'].flatMap(folder => schemaNames(folder).map(name => readSchema(`${folder}/${name}`)))
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

/** Keywords whose value is one schema, a list of schemas, or schemas by name. `if` and `not` are tests and stay as they are. */
const ONE = ['items', 'additionalProperties', 'then', 'else']
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const BY_NAME = ['$defs', 'properties', 'patternProperties']

/** Keywords about the same value as the schema that they are in: members that it requires are required in them too. */
const SAME_VALUE = ['then', 'else', 'allOf', 'anyOf', 'oneOf']

/**
 * The same schema, but every member that is not required may also be null: optional fields sent as null are as if
 * absent (docs/DESIGN.md#members-of-a-body). Done here, so that no schema has to say it of each field.
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

/** Not anyOf: its errors would be those of two branches, and the wrong one might be reported. */
function orNull(schema: Json): Json {
  return schema === true ? true : { if: { type: 'null' }, else: schema }
}
