/** A lower bound for the number of tokens of a text, with any tokenizer. */
import { isText, partsOf, textBytes, textPieces } from '../body/index.ts'
import type { CanonicalRequest, Message } from '../canonical/request.ts'

/** Characters that are scanned per token of `enough`. A text with longer words is not scanned to its end. */
const CHARACTERS_PER_WORD = 16

/** Limit of the characters that are scanned. A million takes a millisecond. */
const MAX_CHARACTERS = 8_000_000

/** Lower bound for the tokens of the longest prompt. Stops above `enough`. 0 for prompts of token ids. */
export function leastTextTokens(request: CanonicalRequest, enough: number): number {
  // Nearly every conversation is shorter than `enough` words with a blank each.
  if (request.kind === 'chat') return isShort(request.messages, 2 * enough) ? 0 : wordsOf(request.messages, enough)
  if (isText(request, 'prompt')) return wordsIn(request, 'prompt', enough)
  let longest = 0
  for (let i = 0; i < request.prompt.length; i++)
    longest = Math.max(longest, wordsIn(request.prompt as string[], i, enough))
  return longest
}

/** Whether all texts together have at most this many bytes. */
function isShort(messages: readonly Message[], bytes: number): boolean {
  let left = bytes
  for (const message of messages) {
    left -= textBytes(message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'text') left -= textBytes(part, 'text')
      if (left < 0) break
    }
    if (left < 0) return false
  }
  return true
}

/** Assistant messages do not count: templates may drop the reasoning in them. */
function wordsOf(messages: readonly Message[], enough: number): number {
  const counter = new WordCounter(enough)
  for (const message of messages) {
    if (message.role === 'assistant') continue
    counter.add(message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'text') counter.add(part, 'text')
      if (counter.isDone) break
    }
    if (counter.isDone) break
  }
  return counter.words
}

function wordsIn<T extends object>(holder: T, name: keyof T, enough: number): number {
  const counter = new WordCounter(enough)
  counter.add(holder, name)
  return counter.words
}

/**
 * Counts letters and digits after a blank: each such word begins a token. Nothing else is certain: one token may be
 * more than a hundred blanks or equal characters.
 */
class WordCounter {
  readonly #enough: number
  /** Characters that may still be scanned. */
  #left: number
  #found = 0

  constructor(enough: number) {
    this.#enough = enough
    this.#left = Math.min(enough * CHARACTERS_PER_WORD, MAX_CHARACTERS)
  }

  get words(): number {
    return Math.min(this.#found, this.#enough + 1)
  }

  get isDone(): boolean {
    return this.#left === 0 || this.#found > this.#enough
  }

  add<T extends object>(holder: T, name: keyof T): void {
    for (const piece of textPieces(holder, name)) {
      if (this.isDone) return
      this.#count(piece.slice(0, this.#left))
    }
  }

  #count(text: string): void {
    this.#left -= text.length
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const kind = code < 128 ? KINDS[code]! : 0
      this.#found += before & kind
      before = kind >> 1
    }
  }
}

/** By ASCII code: 1 for letters and digits, 2 for blanks. */
const KINDS = new Uint8Array(128)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')) KINDS[byte] = 1
for (const byte of Buffer.from(' \n')) KINDS[byte] = 2
