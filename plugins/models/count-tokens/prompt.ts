import type { ChatRequest, ContentPart, Message } from '../../../lib/plugin.ts'

/** The parts of a request that a chat template renders. */
export interface Prompt {
  /** The request without its images. */
  readonly request: ChatRequest
  /** All texts that the template renders. */
  readonly texts: readonly string[]
  /** Number of messages and tools: the template adds tokens to each. */
  readonly pieces: number
  readonly images: number
}

/** Decodes every text of the request. */
export function promptOf(request: ChatRequest): Prompt {
  const images: ContentPart[] = []
  const messages: Message[] = []
  const texts: string[] = []
  for (const message of request.messages) {
    const shown = withoutImages(message, images)
    messages.push(shown)
    texts.push(...messageTexts(shown))
  }
  for (const tool of request.tools) texts.push(toolText(tool))
  return {
    request: { ...request, messages },
    texts,
    pieces: messages.length + request.tools.length,
    images: images.length,
  }
}

/** The message without its images, which are moved to `images`. */
function withoutImages(message: Message, images: ContentPart[]): Message {
  const { content } = message
  if (!Array.isArray(content)) return message
  const texts: ContentPart[] = []
  for (const part of content) {
    if (part.type === 'image') images.push(part)
    else texts.push(part)
  }
  return { ...message, content: texts.length > 0 ? texts : '' } as Message
}

function* messageTexts(message: Message): Generator<string> {
  const { content } = message
  if (typeof content === 'string') yield content
  else for (const part of content ?? []) if (part.type === 'text') yield part.text
  if (message.role !== 'assistant') return
  for (const { name, arguments: text } of message.toolCalls ?? []) yield `${name} ${text}`
}

function toolText({ name, description, parameters }: ChatRequest['tools'][number]): string {
  return JSON.stringify({ name, description, parameters })
}
