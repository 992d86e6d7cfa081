/**
 * Generates types from schemas/ and from the options of built-in plugins. `npm run generate` writes them, and a test
 * compares them with the files.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'
import type { JsonObject } from '../../lib/base/json.ts'
import { bodySchema, type TypeNames } from './bodies.ts'
import { configSchema, optionsSchema } from './config.ts'
import { asReadonly } from './readonly.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const RESPONSE_FORMAT: TypeNames = { 'shared/response-format.json': 'BodyResponseFormat' }

const CHAT: TypeNames = {
  ...RESPONSE_FORMAT,
  'shared/message.json': 'BodyMessage',
  'shared/message.json#/$defs/toolCall': 'BodyToolCall',
  'shared/content.json#/items': 'BodyPart',
  'shared/content.json#/$defs/image': 'BodyImage',
  'shared/tool.json': 'BodyTool',
}

const COMPLETIONS: TypeNames = {
  ...RESPONSE_FORMAT,
  'bodies/completions.json#/properties/structured_outputs': 'StructuredOutputs',
}

const MESSAGES: TypeNames = {
  'shared/messages-request.json#/$defs/message': 'BodyMessage',
  'shared/messages-request.json#/$defs/block': { name: 'Block', variants: true },
  'shared/messages-request.json#/$defs/imageSource': 'ImageSource',
  'shared/messages-request.json#/$defs/tool': 'BodyTool',
}

const RESPONSES: TypeNames = {
  'bodies/responses.json#/$defs/item': { name: 'Item', variants: true },
  'bodies/responses.json#/$defs/part': 'Part',
  'bodies/responses.json#/$defs/tool': { name: 'Tool', variants: true },
  'bodies/responses.json#/$defs/format': 'TextFormat',
}

/** The texts of the files by their paths from the root of the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = [
    await file('lib/config/generated/file.ts', 'ConfigFile', 'schemas/config.json', configSchema()),
    await body('chat', 'ChatBody', 'bodies/chat-completions.json', CHAT),
    await body('completions', 'CompletionsBody', 'bodies/completions.json', COMPLETIONS),
    // max_tokens is optional, because requests that count tokens have the same type.
    await body('messages', 'MessagesBody', 'bodies/messages.json', MESSAGES, ['max_tokens']),
    await body('responses', 'ResponsesBody', 'bodies/responses.json', RESPONSES),
    ...(await pluginOptions()),
  ]
  return new Map(files)
}

/** Types of the options of each built-in plugin. The template is excluded, because its type is part of its source. */
function pluginOptions() {
  const sources = globSync('plugins/[!_]*/*/options.json', { cwd: root }).toSorted()
  return Promise.all(
    sources.map(source => {
      const schema = JSON.parse(readFileSync(join(root, source), 'utf8')) as JsonObject
      return file(`${dirname(source)}/generated/options.ts`, 'Options', source, optionsSchema(schema))
    }),
  )
}

function body(format: string, name: string, source: string, names: TypeNames, optional: readonly string[] = []) {
  return file(`lib/formats/${format}/generated/body.ts`, name, `schemas/${source}`, bodySchema(source, names, optional))
}

const bannerOf = (source: string) => `/** Generated from ${source} by \`npm run generate\`. Do not edit. */`

/** `source`: the path of the schema from the root. */
async function file(path: string, name: string, source: string, schema: JsonObject) {
  const code = await compile(schema, name, {
    bannerComment: '',
    additionalProperties: false,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
    ignoreMinAndMaxItems: true,
    unknownAny: true,
  })
  const used = ['Json', 'JsonObject'].filter(type => new RegExp(`\\b${type}\\b`).test(code))
  const base = `${'../'.repeat(path.split('/').length - 2)}base/json.ts`
  const imports = used.length === 0 ? '' : `import type { ${used.join(', ')} } from '${base}'\n`
  return [path, `${bannerOf(source)}\n${imports}\n${asReadonly(code)}`] as const
}
