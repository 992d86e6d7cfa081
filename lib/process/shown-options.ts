/** Options of plugins for pages: values that their schema marks as `writeOnly` are hidden. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'

/** Replaces a value that is set and must not be shown. */
const HIDDEN = '(hidden)'

/** Deeper values are hidden, because a schema may refer to itself. */
const MAX_DEPTH = 50

/** A copy in which HIDDEN replaces each `writeOnly` value, at any depth. `schema`: that of the options. */
export function shownOptions(options: JsonObject, schema: unknown): JsonObject {
  return shown(options, [schema], schema, 0) as JsonObject
}

/** `schemas`: all that apply to the value. `root`: the schema into which their references point. */
function shown(value: Json, schemas: readonly unknown[], root: unknown, depth: number): Json {
  const applied = schemas.flatMap(schema => applicable(schema, root, depth))
  if (depth > MAX_DEPTH || applied.some(({ writeOnly }) => writeOnly === true)) return HIDDEN
  if (Array.isArray(value)) {
    return value.map((item, at) => {
      const own = applied.flatMap(({ prefixItems, items }) => [
        Array.isArray(prefixItems) && at < prefixItems.length ? prefixItems[at] : items,
      ])
      return shown(item, own, root, depth + 1)
    })
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member = null]) => {
      const own = applied.flatMap(schema => memberSchemas(schema, name))
      return [name, shown(member, own, root, depth + 1)]
    }),
  )
}

/** The schema with its references and alternatives, whether the value matches them or not. */
function applicable(schema: unknown, root: unknown, depth: number): readonly Record<string, unknown>[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return []
  const { $ref: ref, allOf, anyOf, oneOf, if: condition, then: yes, else: no } = schema
  const alternatives = [allOf, anyOf, oneOf].flatMap(list => (Array.isArray(list) ? list : []))
  const target = typeof ref === 'string' ? targetOf(ref, root) : undefined
  const others = [target, condition, yes, no, ...alternatives]
  return [schema, ...others.flatMap(other => applicable(other, root, depth + 1))]
}

function memberSchemas(schema: Record<string, unknown>, name: string): readonly unknown[] {
  const { properties, patternProperties, additionalProperties } = schema
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, one]) => one)
  const named = [...own, ...matching]
  return named.length === 0 ? [additionalProperties] : named
}

/** The target of a reference within the schema: `#/$defs/secret`. undefined: there is none. */
function targetOf(ref: string, root: unknown): unknown {
  const [start, ...path] = ref.split('/')
  if (start !== '#') return undefined
  return path.reduce<unknown>((at, token) => {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}
