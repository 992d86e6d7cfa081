import type { ContentPart, ImagePart, Message, TextPart, ToolCall } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { quoted } from '../../text/quoted.ts'
import type { BodyImage, BodyMessage, BodyPart, BodyToolCall, ChatBody } from './generated/body.ts'

/** The messages of a body. Refuses parts that have no canonical form, and parts that their role does not allow. */
export function readConversation({ model, messages }: ChatBody): Message[] {
  const conversation: Message[] = []
  for (let index = 0; index < messages.length; index++) {
    conversation.push(readMessage(messages[index]!, `messages.${index}`, model))
  }
  return conversation
}

function readMessage(message: BodyMessage, path: string, model: string): Message {
  const { role } = message
  const name = message.name == null ? {} : { name: message.name }
  switch (role) {
    case 'system':
    case 'developer':
      return { role, content: readTexts(message, path, model) ?? '', ...name }
    case 'user':
      return { role, content: readParts(message, path, model) ?? '', ...name }
    case 'assistant': {
      const reasoning = message.reasoning_content ?? message.reasoning
      return {
        role,
        content: readTexts(message, path, model) ?? message.refusal ?? null,
        ...name,
        ...(reasoning && { reasoning }),
        ...(message.tool_calls != null &&
          message.tool_calls.length > 0 && { toolCalls: message.tool_calls.map(readCall) }),
      }
    }
    case 'tool':
      return {
        role,
        toolCallId: message.tool_call_id || undefined,
        content: readParts(message, path, model) ?? '',
        ...name,
      }
  }
}

function readCall({ id, function: { name, arguments: text } }: BodyToolCall): ToolCall {
  return { id, name, arguments: text }
}

/** Content as a text or parts; undefined: it is null, absent or an empty list, which engines refuse. */
function readParts({ content }: BodyMessage, path: string, model: string): string | ContentPart[] | undefined {
  if (content == null || content.length === 0) return content === '' ? content : undefined
  if (typeof content === 'string') return content
  return content.map((part, index) => readPart(part, `${path}.content.${index}`, model))
}

/** Content of a role that accepts no images. */
function readTexts(message: BodyMessage, path: string, model: string): string | TextPart[] | undefined {
  const content = readParts(message, path, model)
  if (content === undefined || typeof content === 'string') return content
  return content.map((part, index) => {
    if (part.type === 'text') return part
    const param = `${path}.content.${index}.type`
    const problem = `'${param}' must be 'text' in a message of role '${message.role}'.`
    return fail('schema_validation_failed', { problem }, { param })
  })
}

function readPart(part: BodyPart, path: string, model: string): ContentPart {
  if (part.type === 'text' && part.text !== undefined) return { type: 'text', text: part.text }
  // A refusal of an earlier turn.
  if (part.type === 'refusal' && part.refusal !== undefined) return { type: 'text', text: part.refusal }
  if (part.type === 'image_url' && part.image_url !== undefined) return readImage(part.image_url, `${path}.image_url`)
  return fail(
    'unsupported_feature',
    { model: quoted(model, 200), feature: "content parts other than 'text' and 'image_url'" },
    { param: `${path}.type` },
  )
}

function readImage({ url, file_id, detail }: BodyImage, path: string): ImagePart {
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
