import { posix } from 'node:path'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { readSchema, schemaNames } from '../schemas/read.ts'

/** Every schema of the configuration by its path below schemas/, by which schemas also refer to each other. */
export function configSchemas(): Readonly<Record<string, JsonObject>> {
  const paths = ['config', ...schemaNames('config').map(name => `config/${name}`)]
  return Object.fromEntries(paths.map(path => [`${path}.json`, readSchema(path)]))
}

const ROOT = 'config.json'

/** The schemas as one document for editors. All references are local (JSON Schema 2020-12, section 9.3). */
export function compoundSchema(): JsonObject {
  const schemas = configSchemas()
  const others = Object.entries(schemas)
    .filter(([file]) => file !== ROOT)
    .map(([file, { $schema: _, ...schema }]) => [nameOf(file), local(schema, file)])
  const root = local(schemas[ROOT]!, ROOT) as JsonObject
  return { ...root, $defs: { ...(root.$defs as JsonObject | undefined), ...Object.fromEntries(others) } }
}

/** The name of a file in `$defs`: without folder and extension. */
function nameOf(file: string): string {
  return posix.basename(file, '.json')
}

/** A copy in which the references of this file point into the compound document. */
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
