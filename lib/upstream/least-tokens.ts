/** A lower bound of the tokens of a text, whatever the tokenizer. */
import { asciiPieces, isText, mostCharacters, partsOf } from '../body/index.ts'
import type { CanonicalRequest, Message } from '../canonical/request.ts'

/** Characters that are scanned per token of `enough`: a text of longer words is not scanned to its end. */
const CHARACTERS_PER_WORD = 16

/** Most characters that are scanned; a million takes a millisecond. */
const MOST_CHARACTERS = 8_000_000

/**
 * Least number of tokens of the request's longest prompt; counting ends above `enough`. 0 for prompts of token ids, whose
 * number is known exactly.
 */
export function leastTextTokens(request: CanonicalRequest, enough: number): number {
  if (request.kind === 'chat') {
    // Nearly every conversation has fewer characters than `enough` words need.
    return isShort(request.messages, 2 * enough) ? 0 : words(piecesOf(request.messages), enough)
  }
  if (isText(request, 'prompt')) return words(asciiPieces(request, 'prompt'), enough)
  let longest = 0
  for (let i = 0; i < request.prompt.length; i++)
    longest = Math.max(longest, words(asciiPieces(request.prompt as string[], i), enough))
  return longest
}

function isShort(messages: readonly Message[], characters: number): boolean {
  let left = characters
  for (const message of messages) {
    left -= mostCharacters(message, 'content')
    for (const part of partsOf(message)) if (part.type === 'text') left -= mostCharacters(part, 'text')
  }
  return left >= 0
}

/** Without assistant messages: templates drop the reasoning in them, wherever it is. */
function* piecesOf(messages: readonly Message[]): Generator<string> {
  for (const message of messages) {
    if (message.role === 'assistant') continue
    yield* asciiPieces(message, 'content')
    for (const part of partsOf(message)) if (part.type === 'text') yield* asciiPieces(part, 'text')
  }
}

/**
 * Counts letters and digits that follow a blank. Tokenizers split text there first, so each of them begins a token. Nothing
 * else is certain: one token may be more than a hundred blanks or equal characters.
 */
function words(pieces: Iterable<string>, enough: number): number {
  let left = Math.min(enough * CHARACTERS_PER_WORD, MOST_CHARACTERS)
  let found = 0
  for (const text of pieces) {
    const end = Math.min(text.length, left)
    left -= end
    for (let at = 1; at < end; at++) {
      const blank = text.charCodeAt(at - 1)
      if ((blank === SPACE || blank === LINE_FEED) && isWord(text.charCodeAt(at)) && ++found > enough) return found
    }
    // Further pieces need not be made.
    if (left === 0) break
  }
  return found
}

const SPACE = 0x20
const LINE_FEED = 0x0a

/** ASCII alone, which is right in pieces that are not decoded as well. */
function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}
