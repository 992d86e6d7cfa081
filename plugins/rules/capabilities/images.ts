import {
  type FormatName,
  type FormatOptions,
  fail,
  imageParts,
  type Message,
  type ModelConfig,
  partsOf,
  type Target,
} from '../../../lib/plugin.ts'

const DESCRIPTION = 'An image stood here, which this model cannot see.'

const TOOL_IMAGES =
  "The operator can have images in tool results replaced by a text: 'messages.tool_images_without_vision'."

/** Messages has a capability of its own (docs/api/messages.md#images). */
export function seesImages({ capabilities }: ModelConfig, format: FormatName): boolean {
  return format === 'messages' ? capabilities.messages.vision : capabilities.vision
}

/**
 * Refuses the first image; on Messages with a code of its own (docs/api/messages.md#images). A forbidden file reference
 * is reported as such, because no other model would accept it either.
 */
export function refuseImages(messages: readonly Message[], { model, zdr }: Target, format: FormatName): void {
  for (const { part, param, role } of imageParts(messages)) {
    if (zdr && part.fileId !== undefined) fail('file_id_not_allowed_with_zdr', {}, { param })
    if (format === 'messages') {
      const problem = `Model '${model.id}' does not support images.${role === 'tool' ? ` ${TOOL_IMAGES}` : ''}`
      fail('model_request_rejected', { problem }, { param })
    }
    fail('unsupported_feature', { model: model.id, feature: 'images' }, { param })
  }
}

/**
 * Replaces images in tool results by text, if configured (`tool_images_without_vision`). Otherwise an agent that reads
 * an image file by accident would end its session.
 */
export function describeToolImages(messages: readonly Message[], options: FormatOptions | undefined): void {
  if (options?.messages.tool_images_without_vision !== 'describe') return
  for (const message of messages) {
    const parts = message.role === 'tool' ? partsOf(message) : []
    if (parts.length === 0) continue
    const texts = parts.map(part => (part.type === 'text' ? part.text : DESCRIPTION))
    // One string: not every chat template accepts parts in a tool message.
    message.content = texts.join('\n')
  }
}
