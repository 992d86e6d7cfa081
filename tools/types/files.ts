/** Types and checks that are generated from schemas/: what `npm run generate` writes, and what a test compares. */
import { compile } from 'json-schema-to-typescript'
import type { JsonObject } from '../../lib/base/json.ts'
import { bodySchema, type TypeNames } from './bodies.ts'
import { bodyChecks, configCheck, queryChecks } from './checks.ts'
import { configSchema } from './config.ts'
import { asReadonly } from './readonly.ts'

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

/** Text by path from the root of the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = [
    await file('lib/config/generated/file.ts', 'ConfigFile', 'config.json', configSchema()),
    await body('chat', 'ChatBody', 'bodies/chat-completions.json', CHAT),
    await body('completions', 'CompletionsBody', 'bodies/completions.json', COMPLETIONS),
    // The same type for requests that count tokens, which need no max_tokens.
    await body('messages', 'MessagesBody', 'bodies/messages.json', MESSAGES, ['max_tokens']),
    await body('responses', 'ResponsesBody', 'bodies/responses.json', RESPONSES),
    ['lib/config/generated/accepts.ts', configCheck()] as const,
    ['lib/schemas/generated/bodies.ts', bodyChecks()] as const,
    ['lib/schemas/generated/queries.ts', queryChecks()] as const,
  ]
  return new Map(files)
}

function body(format: string, name: string, source: string, names: TypeNames, optional: readonly string[] = []) {
  return file(`lib/formats/${format}/generated/body.ts`, name, source, bodySchema(source, names, optional))
}

async function file(path: string, name: string, source: string, schema: JsonObject) {
  const banner = `/** Generated from schemas/${source} by \`npm run generate\`. Do not edit. */`
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
  return [path, `${banner}\n${imports}\n${asReadonly(code)}`] as const
}
