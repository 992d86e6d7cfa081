import type { ContentPart, ImagePart, TextPart } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { Block, ImageSource } from './body.ts'

/** A place in the client's body, and the model it asked for: what a refusal has to say. */
export interface Place {
  readonly path: string
  readonly model: string
}

export function inside({ path, model }: Place, index: number): Place {
  return { path: `${path}.content.${index}`, model }
}

/** What holds blocks, and the types that may stand there. */
const ALLOWED = {
  system: ['text'],
  user: ['text', 'image', 'tool_result', 'tool_reference'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
  tool_result: ['text', 'image', 'tool_reference'],
} as const satisfies Record<string, readonly Block['type'][]>

export type Holder = keyof typeof ALLOWED

/** A block that is content by itself. */
export function readPart(block: Block, place: Place, holder: 'user' | 'tool_result'): ContentPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return readImage(block.source, place.path)
    case 'tool_reference':
      // The whole tool stands in `tools` anyway: the model only has to hear which ones a search has found.
      return { type: 'text', text: `Tool '${block.tool_name}' is available.` }
    default:
      return refuseBlock(block, place, holder)
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

/** One text unless there are images: every engine takes a text, not every chat template a list of them. */
export function contentOf(parts: ContentPart[]): string | ContentPart[] {
  return parts.every(isText) ? parts.map(part => part.text).join('\n') : parts
}

function isText(part: ContentPart): part is TextPart {
  return part.type === 'text'
}

/** A block that cannot stand here. */
export function refuseBlock(block: Block, { path, model }: Place, holder: Holder): never {
  const param = `${path}.type`
  if (block.type === 'document') {
    fail('unsupported_feature', { model, feature: "'document' blocks" }, { param, ownParam: true })
  }
  const types = ALLOWED[holder].map(type => `'${type}'`)
  const choice = types.length === 1 ? types[0] : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
  const where = holder === 'tool_result' ? 'a tool result' : `a message of role '${holder}'`
  fail('schema_validation_failed', { problem: `'${param}' must be ${choice} in ${where}.` }, { param, ownParam: true })
}
