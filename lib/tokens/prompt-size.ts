/** The size of a prompt by kinds of content that differ in tokens per byte. Keeps no text. */
import type { JsonObject } from '../base/json.ts'
import { isText, partsOf, textBytes, textSample, withoutDecoding } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, Message } from '../canonical/request.ts'

/** Bytes of UTF-8 in texts, by kind of character. */
interface TextSize {
  /** Small letters and blanks, as in prose. */
  letters: number
  /** Capitals and punctuation, as in code and JSON. */
  symbols: number
  /** Digits, each with the blank before it. */
  digits: number
  /**
   * Characters that follow another kind inside a word or number, such as a digit after a letter. Base64, hashes and
   * identifiers have many of them, and tokenizers have few tokens for them.
   */
  mixed: number
  /** Non-Latin scripts, without `rare`. */
  wide: number
  /** Emoji, and scripts from U+0800 to U+1FFF, such as Devanagari, Thai, Georgian and Ethiopic. */
  rare: number
}

/** Amounts of content in a prompt, by kind. */
export interface PromptSize extends TextSize {
  /** Bytes of the descriptions and schemas of tools. */
  tools: number
  /** 1 if there are tools: templates then add instructions for calls. */
  toolsets: number
  /** Number of messages, tools and texts, which templates delimit. */
  pieces: number
  images: number
  /** 1 for a chat: templates add a fixed text to each prompt. */
  requests: number
  ids: number
}

export type TextKind = keyof TextSize
export type TokenKind = keyof PromptSize

function emptySize(): PromptSize {
  const text = { letters: 0, symbols: 0, digits: 0, mixed: 0, wide: 0, rare: 0 }
  return { ...text, tools: 0, toolsets: 0, pieces: 0, images: 0, requests: 0, ids: 0 }
}

/** The size of a chat or a text completion. Reads long texts in samples: the cost does not grow with their length. */
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

interface Measure {
  readonly size: PromptSize
  readonly sampler: TextSampler
}

/** Number of prompts of a text completion. A list of token ids is one prompt. */
export function promptCount({ prompt }: { readonly prompt: string | string[] | number[] | number[][] }): number {
  return typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : Math.max(1, prompt.length)
}

/** A digit and a comma: the shortest id. */
const BYTES_PER_ID = 2
/** Engines add fewer delimiters to a text of a batch than to a message. */
const PIECES_PER_TEXT = 0.5
/** Members that can be a batch. */
const LISTS = ['input', 'documents', 'text_2', 'items']
/** Members that are compared with each of several texts. */
const QUERIES = ['query', 'text_1']

/** The size of a request whose reply is passed on as bytes. */
export function pipeSize(body: JsonObject, bodyBytes: number): PromptSize {
  const member = LISTS.find(name => !isText(body, name) && Array.isArray(body[name]))
  const items = member === undefined ? undefined : body[member]
  const list = Array.isArray(items) ? items : []
  const hasIds = list.length > 0 && !isText(list, 0)
  const texts = hasIds && !Array.isArray(list[0]) ? 1 : Math.max(1, list.length)
  const query = QUERIES.find(name => isText(body, name))
  // The model reads a query once per document.
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
    // Of long texts in schemas only the start counts: no model could read hundreds of kilobytes of them.
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
  sampler.sample(textSample(holder, name, sampler.samples, SAMPLE_CHARACTERS))
  sampler.addTo(size, bytes)
}

/** Number of samples of a text, which are evenly spread, and characters per sample. */
const SAMPLES = 8
const SAMPLE_CHARACTERS = 16
/** Maximum number of sampled characters per request: about ten microseconds. */
const MAX_CHARACTERS = 2048

/** Classes of ASCII characters. Other characters count as MARK for the class of the next character. */
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

/** Increments of a sum that packs three counts of ten bits: a sample has fewer than a thousand characters. */
const LETTERS = 1
const SYMBOLS = 1 << 10
const DIGITS = 1 << 20
/** Moves the blank before a digit, which was counted as a letter. */
const SPACED_DIGIT = 2 * DIGITS - LETTERS
const COUNT = 1023

/** The increment by the class of the previous character (times eight) plus the class of the character; 0: mixed. */
const ADDED = new Int32Array(64)
for (const before of [SMALL, BLANK, CAPITAL, MARK, DIGIT]) {
  const row = [LETTERS, LETTERS, SYMBOLS, SYMBOLS, DIGITS]
  if (before === SMALL) row[CAPITAL] = row[DIGIT] = 0
  if (before === CAPITAL) row[DIGIT] = 0
  if (before === BLANK) row[DIGIT] = SPACED_DIGIT
  if (before === DIGIT) row[SMALL] = row[CAPITAL] = row[MARK] = 0
  ADDED.set(row, before * 8)
}

/** Counts the bytes of samples by kind. One instance per request. */
class TextSampler {
  #letters = 0
  #symbols = 0
  #digits = 0
  #mixed = 0
  #wide = 0
  #rare = 0
  #left = MAX_CHARACTERS

  /** Number of samples of the next text: at least one, which shows its script. */
  get samples(): number {
    return Math.max(1, Math.min(Math.floor(this.#left / SAMPLE_CHARACTERS), SAMPLES))
  }

  /** Samples a text, or the samples that a large text consists of. */
  sample(text: string): void {
    this.#letters = this.#symbols = this.#digits = this.#mixed = this.#wide = this.#rare = 0
    const allowed = this.samples * SAMPLE_CHARACTERS
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

  /** Adds all bytes of the text, in the proportions of the sample. */
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
      // Each half of a surrogate pair counts two of the four bytes.
      if (code < 0x800) this.#wide += 2
      else if (code >= 0xd800 && code < 0xe000) this.#rare += 2
      else if (code < 0x2000) this.#rare += 3
      else this.#wide += 3
    }
    this.#add(sum, end - from - beyond)
  }

  /** Unpacks `sum`, the counts of `ascii` characters. */
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
