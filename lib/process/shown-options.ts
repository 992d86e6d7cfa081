/** Options of plugins as pages may show them: without what their schema says is only written. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'

/** Stands for a value that is set and not shown. */
export const HIDDEN = '(hidden)'

/** Schemas that refer to themselves end here: what is deeper is hidden. */
const DEEPEST = 50

/** A copy in which each value whose schema is `writeOnly`, at any depth, is HIDDEN. `schema`: of the plugin's options. */
export function shownOptions(options: JsonObject, schema: unknown): JsonObject {
  return shown(options, [schema], schema, 0) as JsonObject
}

/** `schemas`: all that apply to the value. `root`: what their references point into. */
function shown(value: Json, schemas: readonly unknown[], root: unknown, depth: number): Json {
  const applied = schemas.flatMap(schema => applicable(schema, root, depth))
  if (depth > DEEPEST || applied.some(({ writeOnly }) => writeOnly === true)) return HIDDEN
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

/** The schema, and all that it is made of: references and alternatives, whichever of them the value meets. */
function applicable(schema: unknown, root: unknown, depth: number): readonly Record<string, unknown>[] {
  if (!isObject(schema) || depth > DEEPEST) return []
  const { $ref: ref, allOf, anyOf, oneOf, if: condition, then: yes, else: no } = schema
  const parts = [allOf, anyOf, oneOf].flatMap(list => (Array.isArray(list) ? list : []))
  const target = typeof ref === 'string' ? targetOf(ref, root) : undefined
  return [schema, ...[target, condition, yes, no, ...parts].flatMap(part => applicable(part, root, depth + 1))]
}

function memberSchemas(schema: Record<string, unknown>, name: string): readonly unknown[] {
  const { properties, patternProperties, additionalProperties } = schema
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, one]) => one)
  const named = [...own, ...matching]
  return named.length === 0 ? [additionalProperties] : named
}

/** Of a reference within the schema: `#/$defs/secret`. */
function targetOf(ref: string, root: unknown): unknown {
  const [start, ...path] = ref.split('/')
  if (start !== '#') return undefined
  return path.reduce<unknown>((at, part) => {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}
