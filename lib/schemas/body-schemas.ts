/** The schemas in schemas/bodies and schemas/shared, from which the checks of bodies are generated. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { acceptNulls } from './nulls.ts'
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
