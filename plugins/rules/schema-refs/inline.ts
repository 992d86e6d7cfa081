import type { Json, JsonObject } from '../../../lib/plugin.ts'
import { MAX_SCHEMA_DEPTH } from '../schema-budget.ts'
import { type Budget, References, Unsupported } from './references.ts'

/**
 * The schema with the target in the place of every reference; undefined where it has none. Changes a copy, since replies repeat
 * what was sent; the result shares a target among its uses. Rejects with Unsupported, or with an error of the library.
 */
export async function inline(sent: JsonObject, budget: Budget): Promise<Json | undefined> {
  const schema = structuredClone(sent)
  const references = new References(schema, budget)
  if (!references.found) return undefined
  // These make the library resolve references against other documents than this one.
  const { $schema, $id, id, openapi, ...document } = schema
  // Loaded by the first schema with references: every start would wait for it, and for the YAML parser it brings.
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser')
  const resolved: JsonObject | boolean = await $RefParser.dereference<JsonObject>(document, {
    // Never a file or a URL: by default the library would read both.
    resolve: { external: false },
    dereference: {
      circular: false,
      mergeKeys: false,
      excludedPathMatcher: (_path, value) => typeof value === 'object' && references.data.has(value),
    },
  })
  if (typeof resolved === 'boolean') return resolved
  const { $defs, definitions, ...inlined } = resolved
  const head = Object.entries({ $schema, $id, id, openapi }).filter(([, value]) => value !== undefined)
  const result = { ...Object.fromEntries(head), ...inlined }
  charge(result, budget, MAX_SCHEMA_DEPTH)
  return result
}

/** Counts a target each time that it is used. Ends as soon as the budget does, however large the expanded schema would be. */
function charge(value: Json | undefined, budget: Budget, depth: number): void {
  budget.values--
  if (typeof value === 'string') budget.characters -= value.length
  if (budget.values < 0 || budget.characters < 0) throw new Unsupported('the expanded schema is too large')
  if (typeof value !== 'object' || value === null) return
  if (depth < 0) throw new Unsupported(`the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep`)
  if (Array.isArray(value)) {
    for (const item of value) charge(item, budget, depth - 1)
    return
  }
  for (const name in value) {
    budget.values--
    budget.characters -= name.length
    charge(value[name], budget, depth - 1)
  }
}
