/** A lower bound of the tokens of a text, whatever the tokenizer. */
import { isText, mostCharacters, partsOf, scanText, type TextScanner, walkMessages } from '../body/index.ts'
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
  if (request.kind === 'chat') return walkMessages(request, wordsOfAll, enough)
  if (isText(request, 'prompt')) return wordsIn(request, 'prompt', enough)
  let longest = 0
  for (let i = 0; i < request.prompt.length; i++)
    longest = Math.max(longest, wordsIn(request.prompt as string[], i, enough))
  return longest
}

function wordsOfAll(messages: readonly Message[], enough: number): number {
  // Nearly every conversation has fewer characters than `enough` words need.
  return isShort(messages, 2 * enough) ? 0 : wordsOf(messages, enough)
}

function isShort(messages: readonly Message[], characters: number): boolean {
  let left = characters
  for (const message of messages) {
    left -= mostCharacters(message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'text') left -= mostCharacters(part, 'text')
      if (left < 0) break
    }
    if (left < 0) return false
  }
  return true
}

/** Without assistant messages: templates drop the reasoning in them, wherever it is. */
function wordsOf(messages: readonly Message[], enough: number): number {
  const counter = new WordCounter(enough)
  for (const message of messages) {
    if (message.role === 'assistant') continue
    scanText(message, 'content', counter)
    for (const part of partsOf(message)) {
      if (part.type === 'text') scanText(part, 'text', counter)
      if (counter.isDone) break
    }
    if (counter.isDone) break
  }
  return counter.words
}

function wordsIn<T extends object>(holder: T, name: keyof T, enough: number): number {
  const counter = new WordCounter(enough)
  scanText(holder, name, counter)
  return counter.words
}

/**
 * Counts letters and digits that follow a blank. Tokenizers split text there first, so each of them begins a token. Nothing
 * else is certain: one token may be more than a hundred blanks or equal characters.
 */
class WordCounter implements TextScanner {
  readonly #enough: number
  /** Characters or bytes that may still be scanned. */
  #left: number
  #found = 0

  constructor(enough: number) {
    this.#enough = enough
    this.#left = Math.min(enough * CHARACTERS_PER_WORD, MOST_CHARACTERS)
  }

  get words(): number {
    return Math.min(this.#found, this.#enough + 1)
  }

  get isDone(): boolean {
    return this.#left === 0 || this.#found > this.#enough
  }

  text(text: string, from: number, end: number): boolean {
    const to = this.#take(from, end)
    let found = 0
    let before = 0
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      const kind = code < 128 ? KINDS[code]! : 0
      found += before & kind
      before = kind >> 1
    }
    this.#found += found
    return !this.isDone
  }

  bytes(bytes: Buffer, from: number, end: number): boolean {
    const to = this.#take(from, end)
    let found = 0
    let before = 0
    for (let at = from; at < to; at++) {
      const kind = KINDS[bytes[at]!]!
      found += before & kind
      before = kind >> 1
    }
    this.#found += found
    return !this.isDone
  }

  #take(from: number, end: number): number {
    const count = Math.min(end - from, this.#left)
    this.#left -= count
    return from + count
  }
}

/** By byte: 1 for letters and digits, 2 for blanks. ASCII alone, which is right in bytes of UTF-8 as well. */
const KINDS = new Uint8Array(256)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')) KINDS[byte] = 1
for (const byte of Buffer.from(' \n')) KINDS[byte] = 2
