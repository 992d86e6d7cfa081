import {
  type CanonicalRequest,
  type ChatRequest,
  isText,
  type JsonObject,
  type Message,
  partsOf,
  textBytes,
  walkMessages,
} from '../../../lib/plugin.ts'

/** Tokens of a request, estimated high. */
export interface Estimate {
  readonly input: number
  readonly output: number
}

/** Real text has more bytes per token in every language; only random characters have fewer. */
const BYTES_PER_TOKEN = 3
/** Roles and marks that a chat template writes around a message or a tool. */
const TOKENS_PER_PIECE = 8
const TOKENS_PER_IMAGE = 2000

/** `context`: the model's window; undefined: not known. `assumed`: output where nothing limits it. */
export function estimate(request: CanonicalRequest, context: number | undefined, assumed: number): Estimate {
  const { tokens, prompts } = inputOf(request)
  const input = Math.min(tokens, context === undefined ? tokens : context * prompts)
  // The input is estimated high; halved, it does not make the rest of the window too small.
  const rest = context === undefined ? undefined : Math.max(0, context - Math.floor(input / prompts / 2))
  const most = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, rest ?? Number.POSITIVE_INFINITY)
  const choices = request.kind === 'text' ? Math.max(request.n, request.bestOf ?? 1) : request.n
  return { input, output: (Number.isFinite(most) ? most : assumed) * choices * prompts }
}

/** Marks that an engine adds to each text of a batch. */
const TOKENS_PER_TEXT = 4

/** Input of a request whose reply passes as bytes. It has no output. */
export function estimatePipe(body: JsonObject, bodyBytes: number): Estimate {
  const member = LISTS.find(name => !isText(body, name) && Array.isArray(body[name]))
  const items = member === undefined ? undefined : body[member]
  const list = Array.isArray(items) ? items : []
  const hasIds = list.length > 0 && !isText(list, 0)
  const texts = hasIds && !Array.isArray(list[0]) ? 1 : Math.max(1, list.length)
  const query = QUERIES.find(name => isText(body, name))
  // A query is read once for each document.
  const repeated = query === undefined ? 0 : textBytes(body, query) * (texts - 1)
  const input = Math.ceil((bodyBytes + repeated) / (hasIds ? BYTES_PER_ID : BYTES_PER_TOKEN))
  return { input: input + texts * TOKENS_PER_TEXT, output: 0 }
}

/** 16 kbit/s of speech are 2,000 bytes a second, of which models make ten to fifty tokens, and write about five. */
const AUDIO_BYTES = { perInputToken: 160, perOutputToken: 400 }

/** What a transcription may take at most: its length in seconds is not known before the reply. */
export function estimateAudio(bytes: number): Estimate {
  const { perInputToken, perOutputToken } = AUDIO_BYTES
  return { input: Math.ceil(bytes / perInputToken), output: Math.ceil(bytes / perOutputToken) }
}

/** Members that may be a batch. */
const LISTS = ['input', 'documents', 'text_2', 'items']

/** Members that are compared with each of several texts. */
const QUERIES = ['query', 'text_1']

/** A digit and a comma. */
const BYTES_PER_ID = 2

/** `prompts`: a text completion may be a batch. */
function inputOf(request: CanonicalRequest): { readonly tokens: number; readonly prompts: number } {
  if (request.kind === 'chat') return { tokens: chatTokens(request), prompts: 1 }
  if (isText(request, 'prompt')) return { tokens: tokensOf(textBytes(request, 'prompt')), prompts: 1 }
  // One list of token ids, or several of them, or several texts.
  const list = request.prompt as string[] | number[] | number[][]
  let ids = 0
  let bytes = 0
  let isIds = false
  for (let i = 0; i < list.length; i++) {
    if (isText(list as string[], i)) {
      bytes += textBytes(list as string[], i)
      continue
    }
    const item = list[i]
    isIds ||= typeof item === 'number'
    ids += Array.isArray(item) ? item.length : 1
  }
  return { tokens: ids + tokensOf(bytes), prompts: isIds ? 1 : Math.max(1, list.length) }
}

function chatTokens(request: ChatRequest): number {
  return walkMessages(request, conversationTokens, request.tools)
}

function conversationTokens(messages: readonly Message[], tools: ChatRequest['tools']): number {
  let images = 0
  let bytes = 0
  for (const message of messages) {
    bytes += textBytes(message, 'content')
    for (const part of partsOf(message)) {
      if (part.type === 'image') images++
      else bytes += textBytes(part, 'text')
    }
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) bytes += textBytes(call, 'arguments')
  }
  for (const { description, parameters } of tools) bytes += Buffer.byteLength(JSON.stringify([description, parameters]))
  return tokensOf(bytes) + (messages.length + tools.length) * TOKENS_PER_PIECE + images * TOKENS_PER_IMAGE
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
