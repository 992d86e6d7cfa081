import { isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { groupOf } from './keywords.ts'

/**
 * Prepares a `$ref` with siblings for inlining (2020-12: both apply). Siblings that are annotations, or that constrain
 * something else than the target does, stay and join the target when it is inlined. Where both constrain the same, the
 * reference moves into `allOf`. Engines compile flat schemas best, so that is the exception.
 *
 * `becomesObject`: what will be inlined is an object, not `true` or `false`.
 */
export function settleSiblings(schema: JsonObject, target: Json, becomesObject: boolean): void {
  if (Object.keys(schema).length === 1 || (becomesObject && !clashes(schema, target))) return
  const { allOf } = schema
  schema.allOf = [...(Array.isArray(allOf) ? allOf : []), { $ref: schema.$ref! }]
  delete schema.$ref
}

function clashes(schema: JsonObject, target: Json): boolean {
  const constraining = Object.keys(schema).filter(name => groupOf(name) !== undefined)
  // The constraints of a target that is a reference itself are not known here.
  if (!isObject(target) || target.$ref !== undefined) return constraining.length > 0
  const taken = new Set(Object.keys(target).map(groupOf))
  return constraining.some(name => taken.has(groupOf(name)) && !isSame(schema[name], target[name]))
}

/** Equal scalars: the constraint may be repeated. Objects count as different. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one !== 'object' && one === other
}
