import { $RefParser } from '@apidevtools/json-schema-ref-parser'
import type { Json, JsonObject } from '../../../lib/plugin.ts'

/**
 * Puts the target in the place of every reference of a schema that a Survey has passed. Changes the schema's inner
 * objects; the result shares a target among its uses.
 */
export async function inline(schema: JsonObject, data: ReadonlySet<unknown>): Promise<Json> {
  // These make the library resolve references against other documents than this one.
  const { $schema, $id, id, openapi, ...document } = schema
  const resolved: JsonObject | boolean = await $RefParser.dereference<JsonObject>(document, {
    // Never a file or a URL: by default the library would read both.
    resolve: { external: false },
    dereference: { circular: false, mergeKeys: false, excludedPathMatcher: (_path, value) => data.has(value) },
  })
  if (typeof resolved === 'boolean') return resolved
  const { $defs, definitions, ...inlined } = resolved
  const head = { $schema, $id, id, openapi }
  return { ...defined(head), ...inlined }
}

function defined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
