import type { ImagePart, Message } from './request.ts'

/** All images of a conversation in order, each with its path for `error.param`. */
export function* imageParts(messages: readonly Message[]): Generator<{ part: ImagePart; param: string }> {
  for (let i = 0; i < messages.length; i++) {
    const { content, origin = `messages.${i}` } = messages[i]!
    if (!Array.isArray(content)) continue
    for (let j = 0; j < content.length; j++) {
      const part = content[j]!
      if (part.type === 'image') yield { part, param: part.origin ?? `${origin}.content.${j}` }
    }
  }
}
