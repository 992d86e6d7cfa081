/** How large the prompt of a request is, by kinds of content that differ in tokens per byte. No text is kept. */
import type { JsonObject } from '../base/json.ts'
import { isText, partsOf, textBytes, textSample, withoutDecoding } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, Message } from '../canonical/request.ts'

/**
 * Of its texts the bytes by kind. `tools`: bytes of descriptions and schemas of tools. Numbers of things are the others. `toolsets`: 1
 * where there are tools, for what tells a model how to call them. `pieces`: messages, tools and texts, around which templates write
 * marks. `requests`: 1, for what a template adds to each prompt. `ids`: token ids.
 */
export interface PromptSize extends TextSize {
  tools: number
  toolsets: number
  pieces: number
  images: number
  requests: number
  ids: number
}

export type TokenKind = keyof PromptSize
export function emptySize(): PromptSize {
  const text = { letters: 0, symbols: 0, digits: 0, mixed: 0, wide: 0, rare: 0 }
  return { ...text, tools: 0, toolsets: 0, pieces: 0, images: 0, requests: 0, ids: 0 }
}

/** Of a chat or a text completion. Its cost does not grow with the length of texts: long ones are read in samples. */
export function promptSize(request: CanonicalRequest): PromptSize {
  const size = emptySize()
  const measure = { size, sampler: new TextSampler() }
  if (request.kind === 'chat') {
    size.requests = 1
    addTools(measure, request.tools)
    addMessages(measure, request.messages, request.preserveThinking.asked)
  } else if (isText(request, 'prompt')) addText(measure, request, 'prompt')
  else addPrompts(measure, request.prompt as string[] | number[] | number[][])
  return size
}

/** A prompt that is being measured. */
interface Measure {
  readonly size: PromptSize
  readonly sampler: TextSampler
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

function addPrompts(measure: Measure, prompts: string[] | number[] | number[][]): void {
  const { size } = measure
  for (let i = 0; i < prompts.length; i++) {
    if (isText(prompts as string[], i)) {
      addText(measure, prompts as string[], i)
      continue
    }
    const item = prompts[i]
    size.ids += Array.isArray(item) ? item.length : 1
  }
}

function addTools({ size }: Measure, tools: ChatRequest['tools']): void {
  if (tools.length === 0) return
  size.toolsets = 1
  size.pieces += tools.length
  for (const tool of tools) {
    // Of texts in schemas of hundreds of kilobytes the start is enough: no model could read all of them.
    const rest = withoutDecoding(() => JSON.stringify([tool.name, tool.parameters]))
    size.tools += textBytes(tool, 'description') + Buffer.byteLength(rest)
  }
}

/** `thinking`: reasoning of earlier turns is part of the prompt. */
function addMessages(measure: Measure, messages: readonly Message[], thinking: boolean): void {
  const { size } = measure
  size.pieces += messages.length
  for (const message of messages) {
    addText(measure, message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'image') size.images++
      else addText(measure, part, 'text')
    }
    if (message.role !== 'assistant') continue
    if (thinking) addText(measure, message, 'reasoning')
    for (const call of message.toolCalls ?? []) addText(measure, call, 'arguments')
  }
}

function addText<T extends object>({ size, sampler }: Measure, holder: T, name: keyof T): void {
  const bytes = textBytes(holder, name)
  if (bytes === 0) return
  sampler.sample(textSample(holder, name, SAMPLES, SAMPLE_CHARACTERS))
  sampler.addTo(size, bytes)
}

/** What a text is made of, from samples of it. */

/**
 * Bytes of UTF-8. `letters`: small letters and blanks, as prose is. `symbols`: capitals and punctuation, as code and JSON have many.
 * `digits`: with the blank before each. `mixed`: characters that follow another kind inside a word or number, such as a digit after
 * a letter: Base64, hashes and identifiers are full of them, and tokenizers have few words for those. `wide`: all scripts but the
 * Latin one, without the `rare` ones: emoji, and the scripts from U+0800 to U+1FFF, such as Devanagari, Thai, Georgian and Ethiopic.
 */
export interface TextSize {
  letters: number
  symbols: number
  digits: number
  mixed: number
  wide: number
  rare: number
}

export type TextKind = keyof TextSize

/** Samples of a text, evenly spread, and characters of each. */
export const SAMPLES = 8
export const SAMPLE_CHARACTERS = 16
/** Characters that are sampled of one request: about ten microseconds. */
const MAX_CHARACTERS = 2048
/** A sample of each text still tells its script. */
const MIN_CHARACTERS = SAMPLE_CHARACTERS

/** Classes of characters of ASCII; a character beyond it stands for punctuation to those after it. */
const SMALL = 0
const BLANK = 1
const CAPITAL = 2
const MARK = 3
const DIGIT = 4
const CLASSES = new Uint8Array(128).fill(MARK)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz')) CLASSES[byte] = SMALL
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) CLASSES[byte] = CAPITAL
for (const byte of Buffer.from('0123456789')) CLASSES[byte] = DIGIT
CLASSES[32] = BLANK

/** What a character adds to a sum of counts, ten bits each: a sample never has a thousand. */
const LETTERS = 1
const SYMBOLS = 1 << 10
const DIGITS = 1 << 20
/** The blank before a digit was counted as a letter. */
const SPACED_DIGIT = 2 * DIGITS - LETTERS
const COUNT = 1023

/** By the class of the character before (times eight) and its own: what a character adds, or 0 for a mixed one. */
const ADDED = new Int32Array(64)
for (const before of [SMALL, BLANK, CAPITAL, MARK, DIGIT]) {
  const row = [LETTERS, LETTERS, SYMBOLS, SYMBOLS, DIGITS]
  if (before === SMALL) row[CAPITAL] = row[DIGIT] = 0
  if (before === CAPITAL) row[DIGIT] = 0
  if (before === BLANK) row[DIGIT] = SPACED_DIGIT
  if (before === DIGIT) row[SMALL] = row[CAPITAL] = row[MARK] = 0
  ADDED.set(row, before * 8)
}

/** Counts the bytes of samples by kind. One for each request. */
export class TextSampler {
  #letters = 0
  #symbols = 0
  #digits = 0
  #mixed = 0
  #wide = 0
  #rare = 0
  #left = MAX_CHARACTERS

  /** Samples a text, or what represents it. */
  sample(text: string): void {
    this.#letters = this.#symbols = this.#digits = this.#mixed = this.#wide = this.#rare = 0
    const allowed = Math.max(MIN_CHARACTERS, Math.min(this.#left, SAMPLES * SAMPLE_CHARACTERS))
    const { length } = text
    const sampled = Math.min(length, allowed)
    this.#left -= sampled
    if (sampled === length) return this.#count(text, 0, length)
    const samples = Math.floor(sampled / SAMPLE_CHARACTERS)
    const stride = samples > 1 ? (length - SAMPLE_CHARACTERS) / (samples - 1) : 0
    for (let i = 0; i < samples; i++) {
      const at = Math.floor(i * stride)
      this.#count(text, at, at + SAMPLE_CHARACTERS)
    }
  }

  /** Adds all bytes of the text, in the shares of what was sampled of it. */
  addTo(size: TextSize, bytes: number): void {
    const sampled = this.#letters + this.#symbols + this.#digits + this.#mixed + this.#wide + this.#rare
    if (sampled === 0) {
      size.letters += bytes
      return
    }
    const share = bytes / sampled
    size.letters += this.#letters * share
    size.symbols += this.#symbols * share
    size.digits += this.#digits * share
    size.mixed += this.#mixed * share
    size.wide += this.#wide * share
    size.rare += this.#rare * share
  }

  #count(text: string, from: number, end: number): void {
    let before = MARK
    let sum = 0
    let beyond = 0
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code < 128) {
        const own = CLASSES[code]!
        sum += ADDED[before * 8 + own]!
        before = own
        continue
      }
      beyond++
      before = MARK
      // Half of a surrogate pair has two of its four bytes.
      if (code < 0x800) this.#wide += 2
      else if (code >= 0xd800 && code < 0xe000) this.#rare += 2
      else if (code < 0x2000) this.#rare += 3
      else this.#wide += 3
    }
    this.#add(sum, end - from - beyond)
  }

  /** Adds what was counted in `ascii` characters of ASCII. */
  #add(sum: number, ascii: number): void {
    const letters = sum & COUNT
    const symbols = (sum >> 10) & COUNT
    const digits = sum >> 20
    this.#letters += letters
    this.#symbols += symbols
    this.#digits += digits
    this.#mixed += ascii - letters - symbols - digits
  }
}
