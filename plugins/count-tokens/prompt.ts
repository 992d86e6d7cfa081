import { MARK_START } from '../../lib/body/detach.ts'
import type { ChatMessage, ChatRequest, ContentPart } from '../../lib/chat.ts'

/** What a template makes a prompt of. */
export interface Prompt {
  /** The request without its images. */
  readonly request: ChatRequest
  /** Everything in it that is text, as the template will hold it. */
  readonly texts: readonly string[]
  /** Messages and tools: around each the template writes some tokens of its own. */
  readonly pieces: number
  readonly images: number
  /** Characters of texts that are not here, because a large body's long texts travel beside it (lib/body/detach.ts). */
  readonly hidden: number
}

/** `bodyBytes` is the size of the body as received. */
export function promptOf(request: ChatRequest, bodyBytes: number): Prompt {
  const images: string[] = []
  const messages = request.messages.map(message => withoutImages(message, images))
  const texts = [...messages.flatMap(message => [...messageTexts(message)]), ...request.tools.map(toolText)]
  return {
    request: { ...request, messages },
    texts,
    pieces: messages.length + request.tools.length,
    images: images.length,
    hidden: hiddenCharacters(texts, images, bodyBytes),
  }
}

/** Adds the images that it takes out to `images`. */
function withoutImages(message: ChatMessage, images: string[]): ChatMessage {
  const { content } = message
  if (!Array.isArray(content)) return message
  const texts: ContentPart[] = []
  for (const part of content) {
    if (part.type === 'image') images.push(part.url)
    else texts.push(part)
  }
  return { ...message, content: texts.length > 0 ? texts : '' } as ChatMessage
}

function* messageTexts(message: ChatMessage): Generator<string> {
  const { content } = message
  if (typeof content === 'string') yield content
  else for (const part of content ?? []) if (part.type === 'text') yield part.text
  if (message.role !== 'assistant') return
  for (const { name, arguments: text } of message.toolCalls ?? []) yield `${name} ${text}`
}

function toolText({ name, description, parameters }: ChatRequest['tools'][number]): string {
  return JSON.stringify({ name, description, parameters })
}

/** What is missing of the body, divided among the texts and images that something is missing from. */
function hiddenCharacters(texts: readonly string[], images: readonly string[], bodyBytes: number): number {
  const cut = texts.filter(isCut).length
  if (cut === 0) return 0
  const visible = [...texts, ...images].reduce((sum, { length }) => sum + length, 0)
  return Math.round((Math.max(0, bodyBytes - visible) * cut) / (cut + images.filter(isCut).length))
}

function isCut(text: string): boolean {
  return text.includes(MARK_START)
}
