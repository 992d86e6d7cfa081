import { isText, partsOf, textBytes, textEnd, textPieces, textStart } from '../body/index.ts'
import type { CanonicalRequest, ChatRequest, FunctionTool, Message, TextRequest } from '../canonical/request.ts'
import { CHUNK_BYTES, ChunkHasher, type HashKey } from './chunk-hash.ts'

/** What routing stores of a prompt. It contains no text. */
export interface Prompt {
  /** Two words per complete chunk. Each hash covers all chunks before it. */
  readonly hashes: Int32Array
  /** Bytes of canonical text. */
  readonly length: number
  /** Two words: the hash of the client's session on this model; null: the request has no session. */
  readonly session: Int32Array | null
  /** The client requests a stream. */
  readonly isStreamed: boolean
  /** The hashes are not shared with other processes. */
  readonly isPrivate: boolean
}

export interface PromptOptions {
  readonly key: HashKey
  /**
   * What prompts must have in common to share a prefix, apart from their text: the model, and the tenant if isolated.
   */
  readonly seed: string
  /** The account and its name of the session; undefined: there is none. */
  readonly session: string | undefined
  /** System messages precede all others in the prompt, independent of their position in the request. */
  readonly isSystemFirst: boolean
  readonly isPrivate: boolean
}

/** Bytes that represent an image: about 512 tokens, as many as models use for one. */
const IMAGE_BYTES = 2048
/** Characters at each end of an image that are part of its digest. */
const IMAGE_ENDS = 512

/** Shared by all prompts, because hashing a prompt does not yield to other work. */
const hasher = new ChunkHasher()

/** Hashes a request in the order of chat templates: tools, system messages, other messages. */
export function promptOf(request: CanonicalRequest, options: PromptOptions): Prompt {
  const { key, seed, session } = options
  hasher.begin(key, `${seed}\n${request.kind === 'chat' ? templateSwitches(request) : request.kind}`)
  if (request.kind === 'chat') addChat(request, options.isSystemFirst)
  else addText(request)
  return {
    hashes: hasher.hashes(),
    length: hasher.length,
    session: session === undefined ? null : sessionHash(key, seed, session),
    isStreamed: request.stream,
    isPrivate: options.isPrivate,
  }
}

/** The prompt of a request whose prefix cannot be reused, such as one for embeddings. `length`: bytes of its text. */
export function promptOfLength(length: number): Prompt {
  return { hashes: NO_HASHES, length, session: null, isStreamed: false, isPrivate: true }
}

const NO_HASHES = new Int32Array(0)
const sessions = new ChunkHasher()

function sessionHash(key: HashKey, seed: string, session: string): Int32Array {
  sessions.begin(key, `${seed}\nsession`)
  sessions.add(session.slice(0, SESSION_LENGTH).padEnd(SESSION_LENGTH))
  return sessions.hashes().slice(0, 2)
}

/** A session is padded or cut to one chunk, because only complete chunks have a hash. */
const SESSION_LENGTH = CHUNK_BYTES

/** Settings that chat templates convert to text at the start of a prompt. */
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

function addChat(request: ChatRequest, isSystemFirst: boolean): void {
  for (const tool of request.tools) addTool(tool)
  const { messages, preserveThinking } = request
  const ordered = isSystemFirst
    ? [...messages.filter(isSystem), ...messages.filter(message => !isSystem(message))]
    : messages
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

function addMessage(message: Message, hasThinking: boolean): void {
  hasher.add(MARK[message.role])
  if (hasThinking && message.role === 'assistant') addPieces(message, 'reasoning')
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

/** An image is hashed by its length and both its ends. The last bytes contain its checksum. */
function addImage(part: { url: string }): void {
  const digest = `${textBytes(part, 'url')} ${textEnd(part, 'url', IMAGE_ENDS)} ${textStart(part, 'url', IMAGE_ENDS)}`
  hasher.add(digest.padEnd(IMAGE_BYTES, ' '))
}
