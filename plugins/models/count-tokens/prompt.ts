import { type ChatRequest, type ContentPart, type Message, Stint } from '../../../lib/plugin.ts'

/** The parts of a request that a chat template renders. */
export interface Prompt {
  /** The request without its images. */
  readonly request: ChatRequest
  /** All texts that the template renders. */
  readonly texts: readonly string[]
  /** Messages and tools: the template writes tokens around each. */
  readonly pieces: number
  readonly images: number
}

/** Decodes every text, which takes a second for the largest conversations: other requests are served meanwhile. */
export async function promptOf(request: ChatRequest, stint = new Stint()): Promise<Prompt> {
  const images: ContentPart[] = []
  const messages: Message[] = []
  const texts: string[] = []
  for (const message of request.messages) {
    const shown = withoutImages(message, images)
    messages.push(shown)
    for (const text of messageTexts(shown)) {
      texts.push(text)
      if (stint.isOver) await stint.next()
    }
  }
  for (const tool of request.tools) {
    texts.push(toolText(tool))
    if (stint.isOver) await stint.next()
  }
  return {
    request: { ...request, messages },
    texts,
    pieces: messages.length + request.tools.length,
    images: images.length,
  }
}

/** Adds the images that it takes out to `images`. */
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
