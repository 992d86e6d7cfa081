import { posix } from 'node:path'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { configSchemas } from './config-schemas.ts'

const ROOT = 'config.json'

/**
 * The schema of the configuration as one document, for editors: every other file of it is a member of `$defs`, and references
 * are local (JSON Schema 2020-12, section 9.3).
 */
export function compoundSchema(): JsonObject {
  const schemas = configSchemas()
  const others = Object.entries(schemas)
    .filter(([file]) => file !== ROOT)
    .map(([file, { $schema: _, ...schema }]) => [nameOf(file), local(schema, file)])
  const root = local(schemas[ROOT]!, ROOT) as JsonObject
  return { ...root, $defs: { ...(root.$defs as JsonObject | undefined), ...Object.fromEntries(others) } }
}

/** In `$defs` a file has its name without folder and ending. */
function nameOf(file: string): string {
  return posix.basename(file, '.json')
}

/** A copy in which references of this file lead to the same places of the one document. */
function local(value: Json, file: string): Json {
  if (Array.isArray(value)) return value.map(item => local(item, file))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? localReference(member, file) : local(member as Json, file),
    ]),
  )
}

function localReference(reference: string, file: string): string {
  const [path = '', pointer = ''] = reference.split('#')
  const target = path === '' ? file : posix.join(posix.dirname(file), path)
  return target === ROOT ? `#${pointer}` : `#/$defs/${nameOf(target)}${pointer}`
}
