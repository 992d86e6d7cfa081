import { partsOf } from '../body/index.ts'
import type { ChatRequest, ImagePart, Message } from '../canonical/request.ts'

/** Every image of a conversation with its path for `error.param`. */
export function* imageParts(messages: readonly Message[]): Generator<{ part: ImagePart; param: string }> {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    const parts = partsOf(message)
    for (let j = 0; j < parts.length; j++) {
      const part = parts[j]!
      if (part.type !== 'image') continue
      yield { part, param: part.origin ?? `${message.origin ?? `messages.${i}`}.content.${j}` }
    }
  }
}

/** True where the conversation holds an image. Does not decode long texts. */
export function hasImages(request: ChatRequest): boolean {
  for (const message of request.messages) for (const part of partsOf(message)) if (part.type === 'image') return true
  return false
}
