import { isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { groupOf } from './keywords.ts'

/**
 * Makes room beside a `$ref` (2020-12: both it and its siblings hold). Siblings that only describe, or that say
 * something the target says nothing about, stay where they are and join the target when it is inlined. Where both
 * judge the same thing, the reference moves into `allOf`. Flat schemas are what engines compile best.
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
  const judging = Object.keys(schema).filter(name => groupOf(name) !== undefined)
  // What a target that is a reference itself will say is not known here.
  if (!isObject(target) || target.$ref !== undefined) return judging.length > 0
  const taken = new Set(Object.keys(target).map(groupOf))
  return judging.some(name => taken.has(groupOf(name)) && !isSame(schema[name], target[name]))
}

/** Equal and no object: saying it twice changes nothing. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one !== 'object' && one === other
}
