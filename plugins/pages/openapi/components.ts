/** The files of schemas/ as components of an OpenAPI document, with their references rewritten. */
import { schemaNames } from '../../../lib/console.ts'
import { isObject, type Json, type JsonObject, readSchema } from '../../../lib/plugin.ts'

const FOLDERS = ['shared', 'bodies', 'replies'] as const

/** `#/components/schemas/MessagesBody` for `bodies/messages`. */
export function schemaRef(path: string): JsonObject {
  return { $ref: `#/components/schemas/${componentName(path)}` }
}

/** Every schema of bodies and replies. `brand` replaces the word `service` in names of members. */
export function schemaComponents(brand: string): Record<string, JsonObject> {
  const paths = FOLDERS.flatMap(folder => schemaNames(folder).map(name => `${folder}/${name}`))
  return Object.fromEntries(paths.map(path => [componentName(path), component(path, brand)]))
}

/** `bodies/chat-completions` -> `ChatCompletionsBody`, `replies/error` -> `Error`, `shared/tool` -> `SharedTool`. */
function componentName(path: string): string {
  const [folder, name] = path.split('/') as [(typeof FOLDERS)[number], string]
  const words = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (folder === 'bodies') return `${words}Body`
  return folder === 'shared' ? `Shared${words}` : words
}

function component(path: string, brand: string): JsonObject {
  const { $schema: _, $id: __, ...schema } = readSchema(path)
  return rewritten(schema, path, brand) as JsonObject
}

function rewritten(value: Json, path: string, brand: string): Json {
  if (Array.isArray(value)) return value.map(item => (item === 'service' ? brand : rewritten(item, path, brand)))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, member = null]) => {
    if (name === '$ref' && typeof member === 'string') return [name, target(member, path)]
    return [name === 'service' ? brand : name, rewritten(member, path, brand)]
  })
  return Object.fromEntries(entries)
}

/** The document's reference for `../shared/tool.json` or `#/$defs/x` in the schema at `path`. */
function target(reference: string, path: string): string {
  const { pathname, hash } = new URL(reference, `gateway:/${path}.json`)
  return `#/components/schemas/${componentName(pathname.slice(1, -'.json'.length))}${hash.slice(1)}`
}
