import { isText, partsOf, textBytes, textEnd, textPieces, textStart } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, FunctionTool, Message, TextRequest } from '../canonical/request.ts'
import { CHUNK_BYTES, ChunkHasher, type HashKey } from './chunk-hash.ts'

/** What routing keeps of a prompt: no text. */
export interface Prompt {
  /** Two words for each complete chunk. Each hash covers everything before it. */
  readonly hashes: Int32Array
  /** Bytes of canonical text. */
  readonly length: number
  /** Two words: the client's session on this model; null: it named none. */
  readonly session: Int32Array | null
  /** The backend's answer arrives as it is generated. */
  readonly streamed: boolean
  /** Its hashes stay in this process. */
  readonly isPrivate: boolean
}

export interface PromptOptions {
  readonly key: HashKey
  /**
   * Everything beside the text that decides whether two prompts share a prefix: the model, what keeps tenants apart.
   */
  readonly seed: string
  /** Value of the session header. */
  readonly session: string | undefined
  /** System messages go to the front of the prompt, wherever the client put them. */
  readonly systemFirst: boolean
  readonly isPrivate: boolean
}

/** Bytes that stand for an image: 512 tokens, about what models take for one. */
const IMAGE_BYTES = 2048
/** Characters of both ends of an image that are part of its digest. */
const IMAGE_ENDS = 512

/** One for all prompts: a prompt is hashed without a pause. */
const hasher = new ChunkHasher()

/** Hashes a request in the order in which chat templates place its parts: tools, system texts, messages. */
export function promptOf(request: CanonicalRequest, options: PromptOptions): Prompt {
  const { key, seed, session } = options
  hasher.begin(key, `${seed}\n${request.kind === 'chat' ? templateSwitches(request) : request.kind}`)
  if (request.kind === 'chat') addChat(request, options.systemFirst)
  else addText(request)
  return {
    hashes: hasher.hashes(),
    length: hasher.length,
    session: session === undefined ? null : sessionHash(key, seed, session),
    streamed: request.stream,
    isPrivate: options.isPrivate,
  }
}

/** A request without a prefix to reuse, such as one for embeddings. `length`: bytes of its text. */
export function promptOfLength(length: number): Prompt {
  return { hashes: NO_HASHES, length, session: null, streamed: false, isPrivate: true }
}

const NO_HASHES = new Int32Array(0)
const sessions = new ChunkHasher()

function sessionHash(key: HashKey, seed: string, session: string): Int32Array {
  sessions.begin(key, `${seed}\nsession`)
  sessions.add(session.slice(0, MOST_SESSION).padEnd(MOST_SESSION))
  return sessions.hashes().slice(0, 2)
}

/** Characters that fill a chunk. */
const MOST_SESSION = CHUNK_BYTES

/** Switches that templates turn into text at the start of a prompt. */
function templateSwitches({ reasoning, preserveThinking, toolChoice }: ChatRequest): string {
  const choice = typeof toolChoice === 'object' ? toolChoice.name : ''
  return `chat ${reasoning.enabled} ${reasoning.effort} ${preserveThinking.asked} ${choice}`
}

function addText({ prompt }: TextRequest): void {
  if (typeof prompt === 'string') return hasher.add(prompt)
  for (const item of prompt) {
    if (typeof item === 'number') hasher.add(`${item} `)
    else if (typeof item === 'string') hasher.add(item)
    else for (const id of item) hasher.add(`${id} `)
  }
}

function addChat(request: ChatRequest, systemFirst: boolean): void {
  for (const tool of request.tools) addTool(tool)
  const { messages, preserveThinking } = request
  const ordered = systemFirst ? [...messages.filter(isSystem), ...messages.filter(one => !isSystem(one))] : messages
  for (const message of ordered) addMessage(message, preserveThinking.asked)
}

function addTool({ name, description, parameters }: FunctionTool): void {
  hasher.add(`\n<tool>${name}\n${description ?? ''}\n${JSON.stringify(parameters) ?? ''}`)
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

const MARK = {
  system: '\n<system>\n',
  developer: '\n<system>\n',
  user: '\n<user>\n',
  assistant: '\n<assistant>\n',
  tool: '\n<tool>\n',
} as const

function addMessage(message: Message, thinking: boolean): void {
  hasher.add(MARK[message.role])
  if (thinking && message.role === 'assistant') addPieces(message, 'reasoning')
  if (isText(message, 'content')) {
    addPieces(message, 'content')
  } else {
    for (const part of partsOf(message)) {
      if (part.type === 'text') addPieces(part, 'text')
      else addImage(part)
    }
  }
  if (message.role === 'assistant' && message.toolCalls !== undefined) {
    for (const call of message.toolCalls) {
      hasher.add(call.name)
      addPieces(call, 'arguments')
    }
  }
}

function addPieces<T extends object>(holder: T, name: keyof T): void {
  if (hasher.isFull) return hasher.skip(textBytes(holder, name))
  for (const piece of textPieces(holder, name)) hasher.add(piece)
}

/** An image by its size and both ends, the last of which hold its checksum. */
function addImage(part: { url: string }): void {
  const digest = `${textBytes(part, 'url')} ${textEnd(part, 'url', IMAGE_ENDS)} ${textStart(part, 'url', IMAGE_ENDS)}`
  hasher.add(digest.padEnd(IMAGE_BYTES, ' '))
}
