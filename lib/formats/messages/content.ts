import type { ContentPart, ImagePart, TextPart } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { quoted } from '../../text/quoted.ts'
import type { Block, ImageSource } from './generated/body.ts'

/** Path of a block in the client's body, and the requested model, for refusals. */
export interface BlockLocation {
  readonly path: string
  readonly model: string
}

export function inside({ path, model }: BlockLocation, index: number): BlockLocation {
  return { path: `${path}.content.${index}`, model }
}

/** The types of blocks that each kind of list accepts. */
const ALLOWED = {
  system: ['text'],
  user: ['text', 'image', 'tool_result', 'tool_reference'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
  tool_result: ['text', 'image', 'tool_reference'],
} as const satisfies Record<string, readonly Block['type'][]>

type Holder = keyof typeof ALLOWED

/** A text, an image or a tool reference as a part of a message. Refuses other blocks as refuseBlock() does. */
export function readPart(block: Block, location: BlockLocation, holder: 'user' | 'tool_result'): ContentPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return readImage(block.source, location.path)
    case 'tool_reference':
      // The model only needs to know which tools a search has found: the tool itself is in `tools`.
      return { type: 'text', text: `Tool '${block.tool_name}' is available.` }
    default:
      return refuseBlock(block, location, holder)
  }
}

function readImage(source: ImageSource, origin: string): ImagePart {
  switch (source.type) {
    case 'base64':
      return { type: 'image', url: `data:${source.media_type};base64,${source.data}`, origin }
    case 'url':
      return { type: 'image', url: source.url, origin }
    case 'file':
      return { type: 'image', url: '', fileId: source.file_id, origin }
  }
}

/** One text if there are no images: not every chat template accepts a list of texts. */
export function contentOf(parts: ContentPart[]): string | ContentPart[] {
  return parts.every(isText) ? parts.map(part => part.text).join('\n') : parts
}

function isText(part: ContentPart): part is TextPart {
  return part.type === 'text'
}

/** Refuses documents with `unsupported_feature`, other blocks with `schema_validation_failed`. */
export function refuseBlock(block: Block, { path, model }: BlockLocation, holder: Holder): never {
  const param = `${path}.type`
  if (block.type === 'document') {
    fail('unsupported_feature', { model: quoted(model, 200), feature: "'document' blocks" }, { param, ownParam: true })
  }
  const types = ALLOWED[holder].map(type => `'${type}'`)
  const choice = types.length === 1 ? types[0] : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
  const where = holder === 'tool_result' ? 'a tool result' : `a message of role '${holder}'`
  fail('schema_validation_failed', { problem: `'${param}' must be ${choice} in ${where}.` }, { param, ownParam: true })
}
