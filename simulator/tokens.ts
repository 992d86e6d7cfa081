/**
 * The simulated tokenizer. Its rules are simple, so that tests can predict usage. Its tokens have about the length of
 * real ones (four to five characters of English).
 *
 * A token is one of these, with one preceding space: up to 6 ASCII letters, up to 3 digits, or one other code point. A
 * longer run of white space is one token per 8 characters.
 */

const SPACE = 0
const DIGIT = 1
const LETTER = 2
const OTHER = 3

const MAX_RUN = [8, 3, 6, 1]

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return SPACE
  if (code >= 48 && code <= 57) return DIGIT
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return LETTER
  return OTHER
})

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? CLASSES[code]! : OTHER
}

/** The end of the token that starts at `at`, which must be below the text's length. */
export function tokenEnd(text: string, at: number): number {
  let start = at
  let kind = classAt(text, at)
  if (kind === SPACE && text.charCodeAt(at) === 32 && at + 1 < text.length) {
    const next = classAt(text, at + 1)
    if (next !== SPACE) {
      start = at + 1
      kind = next
    }
  }
  if (kind === OTHER) return start + (text.codePointAt(start)! > 0xffff ? 2 : 1)
  const limit = Math.min(text.length, start + MAX_RUN[kind]!)
  let end = start + 1
  while (end < limit && classAt(text, end) === kind) end++
  return end
}

export function countTokens(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) count++
  return count
}

export function splitTokens(text: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    tokens.push(text.slice(at, end))
    at = end
  }
  return tokens
}

/** The longest prefix of the text with at most this many tokens. */
export function firstTokens(text: string, limit: number): string {
  let at = 0
  for (let count = 0; count < limit && at < text.length; count++) at = tokenEnd(text, at)
  return text.slice(0, at)
}

const VOCABULARY = 150_000

/** The id of a token. Two different tokens may have the same id. */
export function tokenId(token: string): number {
  return hashText(token) % VOCABULARY
}

/** The text of token ids. A hash cannot be inverted, so each id becomes a word. */
export function textOfIds(ids: readonly number[]): string {
  return ids.map(id => ` t${id % 100_000}`).join('')
}

/** FNV-1a over UTF-16 units, unsigned 32 bits. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
