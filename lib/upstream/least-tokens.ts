/** How few tokens text can be, whatever the tokenizer of its model. */
import { detachedFrom } from '../body/detach.ts'
import type { DetachedTexts } from '../body/texts.ts'
import type { CanonicalRequest, Message } from '../canonical/request.ts'

/** Text with fewer words than this is not looked at to its end. */
const CHARACTERS_PER_WORD = 16

/** Never more is looked at: a millisecond for each million. */
const MOST_CHARACTERS = 8_000_000

/**
 * Tokens that the text of the request's longest prompt has for certain; counting ends above `enough`. None for prompts of
 * token ids, which need no guess.
 */
export function leastTextTokens(request: CanonicalRequest, enough: number, detached: DetachedTexts | null): number {
  if (request.kind === 'chat') {
    // Nearly every conversation is too short for so many words.
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

/** Templates leave out what an assistant has thought, wherever it stands. */
function textsOf({ role, content }: Message): string[] {
  if (role === 'assistant') return []
  return typeof content === 'string' ? [content] : content.flatMap(part => (part.type === 'text' ? part.text : []))
}

/**
 * Letters and digits behind a blank. Tokenizers split text there before they look for longer tokens, so that each begins
 * one. Nothing else is certain: one token may be more than a hundred blanks or equal characters.
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
    // Not even made: what travels beside a body may be fifty megabytes more.
    if (left === 0) break
  }
  return found
}

/** As they are, or escaped for JSON: either way a letter behind a blank is one. */
function* withDetached(texts: readonly string[], detached: DetachedTexts | null): Generator<string> {
  for (const text of texts) {
    yield text
    for (const bytes of detachedFrom(text, detached)) yield bytes.toString('latin1', 0, MOST_CHARACTERS)
  }
}

const SPACE = 0x20
const LINE_FEED = 0x0a

/** ASCII alone, which bytes of UTF-8 show as well. */
function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}
