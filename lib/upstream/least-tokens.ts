/** A lower bound of the tokens of a text, whatever the tokenizer. */
import { detachedFrom } from '../body/detach.ts'
import type { DetachedTexts } from '../body/texts.ts'
import type { CanonicalRequest, Message } from '../canonical/request.ts'

/** Characters that are scanned per token of `enough`: a text of longer words is not scanned to its end. */
const CHARACTERS_PER_WORD = 16

/** Most characters that are scanned; a million takes a millisecond. */
const MOST_CHARACTERS = 8_000_000

/**
 * Least number of tokens of the request's longest prompt; counting ends above `enough`. 0 for prompts of token ids, whose
 * number is known exactly.
 */
export function leastTextTokens(request: CanonicalRequest, enough: number, detached: DetachedTexts | null): number {
  if (request.kind === 'chat') {
    // Nearly every conversation has fewer characters than `enough` words need.
    if (isShort(request.messages, 2 * enough - (detached?.length ?? 0))) return 0
    return words(request.messages.flatMap(textsOf), enough, detached)
  }
  let longest = 0
  for (const prompt of typeof request.prompt === 'string' ? [request.prompt] : request.prompt) {
    if (typeof prompt === 'string') longest = Math.max(longest, words([prompt], enough, detached))
  }
  return longest
}

function isShort(messages: readonly Message[], characters: number): boolean {
  let left = characters
  for (const { content } of messages) {
    if (typeof content === 'string') left -= content.length
    else if (content !== null) for (const part of content) if (part.type === 'text') left -= part.text.length
  }
  return left >= 0
}

/** Without assistant messages: templates drop the reasoning in them, wherever it is. */
function textsOf({ role, content }: Message): string[] {
  if (role === 'assistant') return []
  return typeof content === 'string' ? [content] : content.flatMap(part => (part.type === 'text' ? part.text : []))
}

/**
 * Counts letters and digits that follow a blank. Tokenizers split text there first, so each of them begins a token. Nothing
 * else is certain: one token may be more than a hundred blanks or equal characters.
 */
function words(texts: readonly string[], enough: number, detached: DetachedTexts | null): number {
  let left = Math.min(enough * CHARACTERS_PER_WORD, MOST_CHARACTERS)
  let found = 0
  for (const text of withDetached(texts, detached)) {
    const end = Math.min(text.length, left)
    left -= end
    for (let at = 1; at < end; at++) {
      const blank = text.charCodeAt(at - 1)
      if ((blank === SPACE || blank === LINE_FEED) && isWord(text.charCodeAt(at)) && ++found > enough) return found
    }
    // The next text may be detached: converting its bytes would be wasted.
    if (left === 0) break
  }
  return found
}

/** Detached texts may be escaped for JSON, which changes no letter that follows a blank. */
function* withDetached(texts: readonly string[], detached: DetachedTexts | null): Generator<string> {
  for (const text of texts) {
    yield text
    for (const bytes of detachedFrom(text, detached)) yield bytes.toString('latin1', 0, MOST_CHARACTERS)
  }
}

const SPACE = 0x20
const LINE_FEED = 0x0a

/** ASCII only, which is the same in the bytes of UTF-8. */
function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}
