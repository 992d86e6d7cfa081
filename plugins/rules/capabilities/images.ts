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

/** Whether the model takes images on this format. Messages has its own switch (docs/api/messages.md#images). */
export function seesImages({ capabilities }: ModelConfig, format: FormatName): boolean {
  return format === 'messages' ? capabilities.messages.vision : capabilities.vision
}

/**
 * Images for a model that cannot see them are refused; on Messages with another code
 * (docs/api/messages.md#images). A forbidden file reference is reported first: no other model would accept it
 * either.
 */
export function refuseImages(messages: readonly Message[], { model, zdr }: Target, format: FormatName): void {
  for (const { part, param } of imageParts(messages)) {
    if (zdr && part.fileId !== undefined) fail('file_id_not_allowed_with_zdr', {}, { param })
    if (format === 'messages') {
      fail('model_request_rejected', { problem: `Model '${model.id}' does not support images.` }, { param })
    }
    fail('unsupported_feature', { model: model.id, feature: 'images' }, { param })
  }
}

/**
 * Replaces images inside tool results by text, where the operator has switched it on: an agent that reads an image file by
 * accident would otherwise end its session (`tool_images_without_vision`, docs/DESIGN.md#messages).
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
