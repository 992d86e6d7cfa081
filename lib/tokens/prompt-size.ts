/** How large the prompt of a request is, by kinds of content that differ in tokens per byte. No text is kept. */

import type { JsonObject } from '../base/json.ts'
import { isText, partsOf, scanText, type TextScanner, textBytes, walkMessages, withoutDecoding } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, Message } from '../canonical/request.ts'

/**
 * Bytes of UTF-8 for the first five, numbers of things for the others. `letters`: small letters and blanks, as prose is.
 * `symbols`: capitals and punctuation, as code, JSON and Base64 have many. `digits`: with the blank before each. `wide`: all
 * scripts but the Latin one. `tools`: descriptions and schemas of tools. `pieces`: messages, tools and texts, around which
 * templates write marks. `requests`: 1, for what a template adds to each prompt. `ids`: token ids.
 */
export interface PromptSize {
  letters: number
  symbols: number
  digits: number
  wide: number
  tools: number
  pieces: number
  images: number
  requests: number
  ids: number
}

export type TokenKind = keyof PromptSize

export function emptySize(): PromptSize {
  return { letters: 0, symbols: 0, digits: 0, wide: 0, tools: 0, pieces: 0, images: 0, requests: 0, ids: 0 }
}

/** Of a chat or a text completion. Its cost does not grow with the length of texts: long ones are read in samples. */
export function promptSize(request: CanonicalRequest): PromptSize {
  const size = emptySize()
  sampler.begin()
  if (request.kind === 'chat') {
    size.requests = 1
    addTools(size, request.tools)
    walkMessages(request, addMessages, { size, thinking: request.preserveThinking.asked })
  } else if (isText(request, 'prompt')) addText(size, request, 'prompt')
  else addPrompts(size, request.prompt as string[] | number[] | number[][])
  return size
}

/** Prompts of a text completion; those of a batch are added. A list of token ids is one prompt. */
export function promptCount({ prompt }: { readonly prompt: string | string[] | number[] | number[][] }): number {
  return typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : Math.max(1, prompt.length)
}

/** A digit and a comma. */
const BYTES_PER_ID = 2
/** Engines write fewer marks around a text of a batch than around a message. */
const PIECES_PER_TEXT = 0.5
/** Members that may be a batch. */
const LISTS = ['input', 'documents', 'text_2', 'items']
/** Members that are compared with each of several texts. */
const QUERIES = ['query', 'text_1']

/** Of a request whose reply passes as bytes. */
export function pipeSize(body: JsonObject, bodyBytes: number): PromptSize {
  const member = LISTS.find(name => !isText(body, name) && Array.isArray(body[name]))
  const items = member === undefined ? undefined : body[member]
  const list = Array.isArray(items) ? items : []
  const hasIds = list.length > 0 && !isText(list, 0)
  const texts = hasIds && !Array.isArray(list[0]) ? 1 : Math.max(1, list.length)
  const query = QUERIES.find(name => isText(body, name))
  // A query is read once for each document.
  const bytes = bodyBytes + (query === undefined ? 0 : textBytes(body, query) * (texts - 1))
  const size = emptySize()
  size.pieces = texts * PIECES_PER_TEXT
  if (hasIds) size.ids = Math.ceil(bytes / BYTES_PER_ID)
  else size.letters = bytes
  return size
}

function addPrompts(size: PromptSize, prompts: string[] | number[] | number[][]): void {
  for (let i = 0; i < prompts.length; i++) {
    if (isText(prompts as string[], i)) {
      addText(size, prompts as string[], i)
      continue
    }
    const item = prompts[i]
    size.ids += Array.isArray(item) ? item.length : 1
  }
}

function addTools(size: PromptSize, tools: ChatRequest['tools']): void {
  size.pieces += tools.length
  // Of texts of hundreds of kilobytes the start is enough: no model could read all of them.
  withoutDecoding(() => {
    for (const { name, description, parameters } of tools)
      size.tools += Buffer.byteLength(JSON.stringify([name, description, parameters]))
  })
}

/** `thinking`: reasoning of earlier turns is part of the prompt. */
interface Walk {
  readonly size: PromptSize
  readonly thinking: boolean
}

function addMessages(messages: readonly Message[], { size, thinking }: Walk): void {
  size.pieces += messages.length
  for (const message of messages) {
    addText(size, message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'image') size.images++
      else addText(size, part, 'text')
    }
    if (message.role !== 'assistant') continue
    if (thinking) addText(size, message, 'reasoning')
    for (const call of message.toolCalls ?? []) addText(size, call, 'arguments')
  }
}

function addText<T extends object>(size: PromptSize, holder: T, name: keyof T): void {
  const bytes = textBytes(holder, name)
  if (bytes === 0) return
  sampler.sample()
  scanText(holder, name, sampler)
  const { letters, symbols, digits, wide } = sampler
  const sampled = letters + symbols + digits + wide
  if (sampled === 0) {
    size.letters += bytes
    return
  }
  const share = bytes / sampled
  size.letters += letters * share
  size.symbols += symbols * share
  size.digits += digits * share
  size.wide += wide * share
}

const LETTER = 0
const SYMBOL = 1
const DIGIT = 2

/** By character of ASCII. */
const CLASSES = new Uint8Array(128).fill(SYMBOL)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz ')) CLASSES[byte] = LETTER
for (const byte of Buffer.from('0123456789')) CLASSES[byte] = DIGIT
const BLANK = 32

/** Samples of a text, evenly spread, and characters of each. */
const SAMPLES = 8
const SAMPLE_CHARACTERS = 16
/** Characters that are sampled of one request: about ten microseconds. */
const MOST_CHARACTERS = 2048
/** A sample of each text still tells its script. */
const LEAST_CHARACTERS = SAMPLE_CHARACTERS

const ALL = -1

/** Counts the bytes of samples by class. */
class Sampler implements TextScanner {
  letters = 0
  symbols = 0
  digits = 0
  wide = 0
  #left = 0
  #leftOfText = 0

  /** A request begins. */
  begin(): void {
    this.#left = MOST_CHARACTERS
  }

  /** A text begins. */
  sample(): void {
    this.letters = this.symbols = this.digits = this.wide = 0
    this.#leftOfText = Math.max(LEAST_CHARACTERS, Math.min(this.#left, SAMPLES * SAMPLE_CHARACTERS))
  }

  text(text: string, from: number, end: number): boolean {
    const samples = this.#samplesOf(end - from)
    if (samples === ALL) this.#countText(text, from, end)
    const stride = samples > 1 ? (end - from - SAMPLE_CHARACTERS) / (samples - 1) : 0
    for (let i = 0; i < samples; i++) {
      const at = from + Math.floor(i * stride)
      this.#countText(text, at, at + SAMPLE_CHARACTERS)
    }
    return this.#leftOfText > 0
  }

  bytes(bytes: Buffer, from: number, end: number): boolean {
    const samples = this.#samplesOf(end - from)
    if (samples === ALL) this.#countBytes(bytes, from, end)
    const stride = samples > 1 ? (end - from - SAMPLE_CHARACTERS) / (samples - 1) : 0
    for (let i = 0; i < samples; i++) {
      const at = from + Math.floor(i * stride)
      this.#countBytes(bytes, at, at + SAMPLE_CHARACTERS)
    }
    return this.#leftOfText > 0
  }

  /** How many samples of so many characters are counted; ALL: every character. */
  #samplesOf(length: number): number {
    const most = Math.min(length, this.#leftOfText)
    this.#leftOfText -= most
    this.#left -= most
    return most === length ? ALL : Math.floor(most / SAMPLE_CHARACTERS)
  }

  #countText(text: string, from: number, end: number): void {
    let letters = 0
    let symbols = 0
    let digits = 0
    let before = 0
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code >= 128) this.wide += code < 2048 || (code >= 0xd800 && code < 0xe000) ? 2 : 3
      else if (CLASSES[code] === LETTER) letters++
      else if (CLASSES[code] === SYMBOL) symbols++
      else {
        digits++
        if (before === BLANK) {
          digits++
          letters--
        }
      }
      before = code
    }
    this.letters += letters
    this.symbols += symbols
    this.digits += digits
  }

  #countBytes(bytes: Buffer, from: number, end: number): void {
    let letters = 0
    let symbols = 0
    let digits = 0
    let before = 0
    for (let at = from; at < end; at++) {
      const code = bytes[at]!
      if (code >= 128) this.wide++
      else if (CLASSES[code] === LETTER) letters++
      else if (CLASSES[code] === SYMBOL) symbols++
      else {
        digits++
        if (before === BLANK) {
          digits++
          letters--
        }
      }
      before = code
    }
    this.letters += letters
    this.symbols += symbols
    this.digits += digits
  }
}

/** One for all requests: a prompt is measured without a pause. */
const sampler = new Sampler()
