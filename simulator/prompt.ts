import { isObject, type Json, type JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Settings } from './options.ts'
import { badRequest, invalidMember } from './refusal.ts'

/** Number of tokens per image. */
export const IMAGE_TOKENS = 64

export interface Prompt {
  readonly text: string
  readonly images: number
  /** Text of the last user message. */
  readonly question: string
  /** The last message is the result of a tool. */
  readonly isAfterTool: boolean
}

/**
 * The simulated chat template. It writes into the prompt what real templates do: tools, reasoning of earlier turns, the
 * switch for thinking. Throws a Refusal for errors of real templates: a misplaced tool result, an unknown role.
 */
export function renderChat(body: JsonObject, vision: boolean, settings: Settings, engine: EngineTraits): Prompt {
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0)
    throw badRequest('messages must be a list that is not empty', 'messages')
  const parts: string[] = []
  let images = 0
  let question = ''
  let before = ''
  for (const message of messages) {
    if (!isObject(message)) throw badRequest('each message must be an object', 'messages')
    const role = String(message.role)
    checkRole(role, before, settings)
    const content = readContent(message.content, vision, engine)
    images += content.images
    if (role === 'user') question = content.text
    parts.push(`<|${role}|>\n`, reasoningOf(message, engine), content.text, callsOf(message), '\n')
    before = role === 'assistant' && hasCalls(message) ? 'call' : role
  }
  if (Array.isArray(body.tools) && body.tools.length > 0) parts.unshift(`<|tools|>\n${JSON.stringify(body.tools)}\n`)
  if (body.add_generation_prompt !== false)
    parts.push('<|assistant|>\n', isThinkingOn(body, settings) ? '<think>\n' : '')
  return { text: parts.join(''), images, question, isAfterTool: before === 'tool' }
}

/** True if the request switches reasoning on; undefined: not specified. */
export function requestedThinking(body: JsonObject, settings: Settings): boolean | undefined {
  const kwargs = isObject(body.chat_template_kwargs) ? body.chat_template_kwargs : {}
  const asked = kwargs[settings.thinkingKwarg]
  if (typeof asked === 'boolean') return asked
  const { reasoning } = body
  if (isObject(reasoning) && typeof reasoning.enabled === 'boolean') return reasoning.enabled
  const effort = effortOf(body)
  return effort === undefined ? undefined : effort !== 'none'
}

export function effortOf(body: JsonObject): string | undefined {
  const effort = body.reasoning_effort ?? (isObject(body.reasoning) ? body.reasoning.effort : undefined)
  return effort === undefined || effort === null ? undefined : String(effort)
}

function isThinkingOn(body: JsonObject, settings: Settings): boolean {
  return requestedThinking(body, settings) ?? settings.reasoningByDefault
}

function checkRole(role: string, before: string, settings: Settings): void {
  if (role === 'tool' && before !== 'call' && before !== 'tool') {
    throw badRequest('A tool message must follow the assistant message whose calls it answers.', 'messages')
  }
  if (before === 'call' && role !== 'tool') {
    throw badRequest('An assistant message with tool_calls must be followed by tool messages.', 'messages')
  }
  if (role === 'system' && before !== '' && !settings.systemInline) {
    throw badRequest('System message must be at the beginning.', 'messages')
  }
  const known = role === 'system' || role === 'user' || role === 'assistant' || role === 'tool'
  if (!known && !(role === 'developer' && settings.developerRole))
    throw badRequest('Unexpected message role.', 'messages')
}

function readContent(
  content: Json | undefined,
  vision: boolean,
  engine: EngineTraits,
): { text: string; images: number } {
  if (typeof content === 'string') return { text: content, images: 0 }
  if (content === undefined || content === null) return { text: '', images: 0 }
  if (!Array.isArray(content)) throw badRequest('content must be a string or a list of parts', 'messages')
  let text = ''
  let images = 0
  for (const part of content) {
    if (isObject(part) && part.type === 'text' && typeof part.text === 'string') {
      text += part.text
    } else if (isObject(part) && part.type === 'image_url') {
      checkDetail(part.image_url, engine)
      if (!vision) throw engine.noVision
      images++
    } else {
      throw badRequest('Unknown part type in content.', 'messages')
    }
  }
  return { text, images }
}

function checkDetail(image: Json | undefined, { imageDetails }: EngineTraits): void {
  const detail = isObject(image) ? (image.detail ?? 'auto') : 'auto'
  if (imageDetails === null || imageDetails.includes(String(detail))) return
  const known = imageDetails.map(name => `'${name}'`)
  throw invalidMember(
    'messages',
    'literal_error',
    `Input should be ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  )
}

function reasoningOf(message: JsonObject, engine: EngineTraits): string {
  for (const name of engine.reasoningInputs) {
    const text = message[name]
    if (typeof text === 'string' && text !== '') return `<think>\n${text}\n</think>\n`
  }
  return ''
}

function hasCalls(message: JsonObject): boolean {
  return Array.isArray(message.tool_calls) && message.tool_calls.length > 0
}

/** Calls without ids. Templates omit ids too, which keeps the prefix cache effective. */
function callsOf(message: JsonObject): string {
  if (!Array.isArray(message.tool_calls)) return ''
  return message.tool_calls
    .map(call => (isObject(call) ? `\n<tool_call>${JSON.stringify(call.function)}` : ''))
    .join('')
}
