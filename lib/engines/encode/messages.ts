import type { Json, JsonObject } from '../../base/json.ts'
import type {
  AssistantMessage,
  ContentPart,
  ImagePart,
  Message,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
} from '../../canonical/request.ts'
import type { BackendProfile } from '../../config/profile.ts'
import { fail } from '../../errors/errors.ts'

/**
 * A conversation in OpenAI's format that chat templates accept: system texts in one leading message if the engine
 * requires it, tool results directly after their calls, images of tool results in the next user message.
 */
export function wireMessages(
  messages: readonly Message[],
  preserveThinking: boolean,
  profile: BackendProfile,
): JsonObject[] {
  const wire: JsonObject[] = []
  const merged = profile.system_inline ? undefined : mergedSystem(messages)
  if (merged !== undefined) wire.push(systemMessage(merged, profile))
  // Merged messages are removed first: one may be between a call and its result.
  const conversation = merged === undefined ? messages : messages.filter(message => !isSystem(message))
  let lifted: ImagePart[] = []

  for (const message of areInPlace(conversation) ? conversation : resultsBehindCalls(conversation)) {
    if (message.role === 'tool') {
      wire.push(toolMessage(message, lifted))
      continue
    }
    if (lifted.length > 0 && message.role !== 'user') {
      wire.push({ role: 'user', content: wireParts(lifted, profile) })
      lifted = []
    }
    if (message.role === 'user') {
      wire.push(named({ role: 'user', content: userContent(message.content, lifted, profile) }, message.name))
      if (lifted.length > 0) lifted = []
    } else if (message.role === 'assistant') {
      wire.push(assistantMessage(message, preserveThinking))
    } else {
      wire.push(systemMessage(message, profile))
    }
  }
  if (lifted.length > 0) wire.push({ role: 'user', content: wireParts(lifted, profile) })
  return wire
}

/** All system texts as one message; undefined without system messages, or if the only one is already first. */
function mergedSystem(messages: readonly Message[]): SystemMessage | undefined {
  const system = messages.filter(isSystem)
  const first = system[0]
  if (first === undefined || (system.length === 1 && messages[0] === first)) return undefined
  return { ...first, content: system.map(textOf).join('\n\n') }
}

function isSystem(message: Message): message is SystemMessage {
  return message.role === 'system' || message.role === 'developer'
}

function textOf({ content }: SystemMessage): string {
  return typeof content === 'string' ? content : content.map(part => part.text).join('\n')
}

/** Moves each tool result directly after the assistant message with its call. */
function resultsBehindCalls(messages: readonly Message[]): readonly Message[] {
  interface Turn {
    readonly calls: Message[]
    readonly rest: Message[]
  }
  let turn: Turn = { calls: [], rest: [] }
  const turns = [turn]
  const issuers = new Map<string, Turn>()
  for (const message of messages) {
    if (message.role === 'assistant' && message.toolCalls !== undefined) {
      turn = { calls: [message], rest: [] }
      turns.push(turn)
      for (const call of message.toolCalls) issuers.set(call.id, turn)
    } else if (message.role === 'tool') {
      const issuer = message.toolCallId === undefined ? undefined : issuers.get(message.toolCallId)
      if (issuer === undefined) turn.rest.push(message)
      else issuer.calls.push(message)
    } else {
      turn.rest.push(message)
    }
  }
  return turns.flatMap(({ calls, rest }) => [...calls, ...rest])
}

/** From this number of calls per message on, ids are indexed: 30,000 results took more than a second without. */
const MIN_INDEXED_CALLS = 16

/** Whether every tool result follows the message with its call, with only tool results in between. */
function areInPlace(messages: readonly Message[]): boolean {
  let calls: readonly ToolCall[] = []
  let ids: ReadonlySet<string | undefined> | undefined
  for (const message of messages) {
    if (message.role !== 'tool') {
      calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
      ids = undefined
    } else if (calls.length < MIN_INDEXED_CALLS) {
      if (!calls.some(({ id }) => id === message.toolCallId)) return false
    } else {
      ids ??= new Set(calls.map(({ id }) => id))
      if (!ids.has(message.toolCallId)) return false
    }
  }
  return true
}

function systemMessage({ role, content, name }: SystemMessage, profile: BackendProfile): JsonObject {
  const text = typeof content === 'string' ? content : content.map(textPart)
  return named({ role: profile.developer_role ? role : 'system', content: text }, name)
}

function userContent(content: string | ContentPart[], lifted: readonly ImagePart[], profile: BackendProfile): Json {
  if (lifted.length === 0) return typeof content === 'string' ? content : wireParts(content, profile)
  const parts: readonly ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return wireParts([...lifted, ...parts], profile)
}

/** Adds the images of the message to `lifted`. */
function toolMessage({ toolCallId, content, name }: ToolMessage, lifted: ImagePart[]): JsonObject {
  let wire: Json
  if (typeof content === 'string') {
    wire = content
  } else {
    const texts = content.filter(part => part.type === 'text')
    for (const part of content) if (part.type === 'image') lifted.push(part)
    wire = texts.length > 0 ? texts.map(textPart) : ''
  }
  return named({ role: 'tool', tool_call_id: toolCallId, content: wire }, name)
}

function assistantMessage(
  { content, reasoning, toolCalls, name }: AssistantMessage,
  preserveThinking: boolean,
): JsonObject {
  const calls = (toolCalls ?? []).map(wireCall)
  // Chat templates fail on empty reasoning.
  const thinking = preserveThinking && reasoning ? inlinedReasoning(reasoning) : ''
  const wire: JsonObject = { role: 'assistant', content: assistantContent(content, thinking, calls.length > 0) }
  if (calls.length > 0) wire.tool_calls = calls
  return named(wire, name)
}

/** Reasoning as a prefix of the text of its turn (docs/api/chat-completions.md#reasoning). */
export function inlinedReasoning(reasoning: string): string {
  return `<think>\n${reasoning}\n</think>\n\n`
}

function assistantContent(content: string | TextPart[] | null, thinking: string, calls: boolean): Json {
  if (typeof content === 'string') return thinking + content
  if (content === null) return thinking === '' && calls ? null : thinking
  if (thinking === '') return content.map(textPart)
  const [first, ...rest] = content
  return [{ type: 'text', text: thinking + (first?.text ?? '') }, ...rest.map(textPart)]
}

/** Arguments are sent as the model wrote them, byte for byte. Empty ones become `{}`, because engines parse them. */
function wireCall({ id, name, arguments: json }: ToolCall): JsonObject {
  return { id, type: 'function', function: { name, arguments: json === '' ? '{}' : json } }
}

function textPart({ text }: TextPart): JsonObject {
  return { type: 'text', text }
}

function wireParts(parts: readonly ContentPart[], profile: BackendProfile): JsonObject[] {
  return parts.map(part => (part.type === 'text' ? textPart(part) : imagePart(part, profile)))
}

function imagePart(part: ImagePart, profile: BackendProfile): JsonObject {
  // Engines fetch URLs. Only data URLs are sent, so that no client can make a backend send a request.
  if (!part.url.startsWith('data:')) {
    const details = { param: part.origin, ownParam: part.origin !== undefined }
    fail('model_request_rejected', { problem: 'An image was not resolved to its bytes.' }, details)
  }
  const image: JsonObject = { url: part.url }
  if (part.detail !== undefined)
    image.detail = part.detail === 'original' && !profile.image_detail_original ? 'high' : part.detail
  return { type: 'image_url', image_url: image }
}

function named(wire: JsonObject, name: string | undefined): JsonObject {
  if (name !== undefined) wire.name = name
  return wire
}
