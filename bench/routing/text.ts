import type { ChatRequest } from '../../lib/canonical/request.ts'
import { seeded, type Turn } from './workloads.ts'

const SYLLABLES = Array.from({ length: 1024 }, (_, i) =>
  String.fromCharCode(97 + (i % 26), 97 + ((i >> 5) % 26), 97 + ((i * 7) % 26)),
)
/** Limit of the texts that are kept. */
const MAX_CHARACTERS = 128 * 1024 * 1024
let characters = 0
const texts = new Map<string, string>()

/** The text of a piece: `tokens` words of three letters and a space. Equal arguments give equal texts. */
export function textOf(id: string, tokens: number): string {
  const key = `${id} ${tokens}`
  let text = texts.get(key)
  if (text === undefined) {
    let seed = 0
    for (let i = 0; i < key.length; i++) seed = Math.imul(seed ^ key.charCodeAt(i), 0x01000193)
    const random = seeded(seed)
    const words: string[] = []
    for (let i = 0; i < tokens; i++) words.push(SYLLABLES[Math.floor(random() * 1024)]!)
    text = `${words.join(' ')} `
    characters += text.length
    for (const [oldest, { length }] of texts) {
      if (characters <= MAX_CHARACTERS) break
      texts.delete(oldest)
      characters -= length
    }
    texts.set(key, text)
  }
  return text
}

/** The first of several pieces becomes the system message, and answers become messages of the assistant. */
export function messagesOf({ pieces }: Turn): ChatRequest['messages'] {
  return pieces.map(({ id, tokens }, i) => {
    const content = textOf(id, tokens)
    if (i === 0 && pieces.length > 1) return { role: 'system', content }
    return { role: /\/a\d+$/.test(id) ? 'assistant' : 'user', content }
  })
}
