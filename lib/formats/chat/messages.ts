import type { ChatMessage, ContentPart, ImagePart, TextPart, ToolCall } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { BodyImage, BodyMessage, BodyPart, BodyToolCall, ChatBody } from './body.ts'

export function canonicalMessages({ model, messages }: ChatBody): ChatMessage[] {
  return messages.map((message, index) => canonicalMessage(message, `messages.${index}`, model))
}

function canonicalMessage(message: BodyMessage, path: string, model: string): ChatMessage {
  const { role } = message
  const name = message.name == null ? {} : { name: message.name }
  switch (role) {
    case 'system':
    case 'developer':
      return { role, content: texts(message, path, model) ?? '', ...name }
    case 'user':
      return { role, content: parts(message, path, model) ?? '', ...name }
    case 'assistant': {
      const reasoning = message.reasoning_content ?? message.reasoning
      return {
        role,
        content: texts(message, path, model) ?? message.refusal ?? null,
        ...name,
        ...(reasoning && { reasoning }),
        ...(message.tool_calls != null &&
          message.tool_calls.length > 0 && { toolCalls: message.tool_calls.map(toolCall) }),
      }
    }
    case 'tool':
      return {
        role,
        toolCallId: message.tool_call_id || undefined,
        content: parts(message, path, model) ?? '',
        ...name,
      }
  }
}

function toolCall({ id, function: { name, arguments: text } }: BodyToolCall): ToolCall {
  return { id, name, arguments: text }
}

/** undefined: null or absent. */
function parts({ content }: BodyMessage, path: string, model: string): string | ContentPart[] | undefined {
  if (content == null || typeof content === 'string') return content ?? undefined
  return content.map((part, index) => canonicalPart(part, `${path}.content.${index}`, model))
}

/** Content of a message that cannot hold images. */
function texts(message: BodyMessage, path: string, model: string): string | TextPart[] | undefined {
  const content = parts(message, path, model)
  if (content === undefined || typeof content === 'string') return content
  return content.map((part, index) => {
    if (part.type === 'text') return part
    const param = `${path}.content.${index}.type`
    const problem = `'${param}' must be 'text' in a message of role '${message.role}'.`
    return fail('schema_validation_failed', { problem }, { param })
  })
}

function canonicalPart(part: BodyPart, path: string, model: string): ContentPart {
  if (part.type === 'text' && part.text !== undefined) return { type: 'text', text: part.text }
  // What a model refused to say, handed back as history.
  if (part.type === 'refusal' && part.refusal !== undefined) return { type: 'text', text: part.refusal }
  if (part.type === 'image_url' && part.image_url !== undefined) return imagePart(part.image_url, `${path}.image_url`)
  return fail(
    'unsupported_feature',
    { model: model.slice(0, 200), feature: "content parts other than 'text' and 'image_url'" },
    { param: `${path}.type` },
  )
}

function imagePart({ url, file_id, detail }: BodyImage, path: string): ImagePart {
  if ((url == null) === (file_id == null)) {
    fail('schema_validation_failed', { problem: `'${path}' must have either 'url' or 'file_id'.` }, { param: path })
  }
  return {
    type: 'image',
    url: url ?? '',
    ...(file_id != null && { fileId: file_id }),
    ...(detail != null && { detail }),
  }
}
