import { type Json, type JsonObject, markedCopy, restoreNumbers } from '../../../lib/plugin.ts'
import { MAX_SCHEMA_DEPTH } from '../schema-size.ts'
import { References, type SchemaLimits, Unsupported } from './references.ts'

/**
 * The schema with every reference replaced by its target; undefined if it has none. Works on a copy, because replies
 * repeat the schema as it was sent. Uses of one target share one object. Rejects with Unsupported, or with an error of
 * the library.
 */
export async function inline(sent: JsonObject, limits: SchemaLimits): Promise<Json | undefined> {
  const schema = markedCopy(sent)
  const references = new References(schema, limits)
  if (!references.found) return undefined
  // These members make the library resolve references in other documents.
  const { $schema, $id, id, openapi, ...document } = schema
  // Loaded with the first schema that has references: the library and its YAML parser would delay every start.
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser')
  const resolved: JsonObject | boolean = await $RefParser.dereference<JsonObject>(document, {
    // By default the library reads files and URLs.
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
  count(result, limits, MAX_SCHEMA_DEPTH)
  return restoreNumbers(result)
}

/** Counts a target once per use. Throws at the first exceeded limit, however large the expanded schema would be. */
function count(value: Json | undefined, limits: SchemaLimits, depth: number): void {
  limits.values--
  if (typeof value === 'string') limits.characters -= value.length
  if (limits.values < 0 || limits.characters < 0) throw new Unsupported('the expanded schema is too large')
  if (typeof value !== 'object' || value === null) return
  if (depth < 0) throw new Unsupported(`the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep`)
  if (Array.isArray(value)) {
    for (const item of value) count(item, limits, depth - 1)
    return
  }
  for (const name in value) {
    limits.values--
    limits.characters -= name.length
    count(value[name], limits, depth - 1)
  }
}
