/** How large the prompt of a request is, by kinds of content that differ in tokens per byte. No text is kept. */

import type { JsonObject } from '../base/json.ts'
import { isText, partsOf, textBytes, textSample, withoutDecoding } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, Message } from '../canonical/request.ts'
import { SAMPLE_CHARACTERS, SAMPLES, TextSampler, type TextSize } from './text-sampler.ts'

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
