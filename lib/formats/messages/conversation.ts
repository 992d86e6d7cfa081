import type { AssistantMessage, ContentPart, Message, ToolCall, ToolMessage } from '../../canonical/request.ts'
import type { Block, BodyMessage, MessagesBody, ToolResultBlock, ToolUseBlock } from './body.ts'
import { contentOf, inside, type Place, readPart, refuseBlock } from './content.ts'
import { systemText } from './system.ts'

type Content = string | readonly Block[]

/** The system text and the turns as canonical messages. Every message knows its path in the client's body. */
export function readConversation({ model, system, messages: turns }: MessagesBody): Message[] {
  const messages: Message[] = []
  if (system != null) addSystem(messages, system, { path: 'system', model })
  for (const [index, turn] of turns.entries()) addTurn(messages, turn, { path: `messages.${index}`, model })
  return messages
}

function addTurn(messages: Message[], { role, content }: BodyMessage, place: Place): void {
  if (role === 'system') addSystem(messages, content, place)
  else if (role === 'user') addUser(messages, content, place)
  else addAssistant(messages, readAssistant(content, place))
}

/** Also inside a conversation: the encoder moves it where the engine's template needs it (docs/DESIGN.md#messages). */
function addSystem(messages: Message[], content: Content, place: Place): void {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.map((block, i) => (block.type === 'text' ? block.text : refuseBlock(block, inside(place, i), 'system')))
  const text = systemText(texts)
  if (text !== '') messages.push({ role: 'system', content: text, origin: place.path })
}

/** Tool results become messages of their own, before what the user says: templates want them right behind the calls. */
function addUser(messages: Message[], content: Content, place: Place): void {
  if (typeof content === 'string') {
    messages.push({ role: 'user', content, origin: place.path })
    return
  }
  const before = messages.length
  const rest: ContentPart[] = []
  content.forEach((block, i) => {
    if (block.type === 'tool_result') messages.push(readResult(block, inside(place, i)))
    else rest.push(readPart(block, inside(place, i), 'user'))
  })
  if (rest.length > 0 || messages.length === before) {
    messages.push({ role: 'user', content: contentOf(rest), origin: place.path })
  }
}

function readResult({ tool_use_id, content, is_error }: ToolResultBlock, place: Place): ToolMessage {
  const result =
    typeof content === 'string'
      ? content
      : contentOf((content ?? []).map((block, i) => readPart(block, inside(place, i), 'tool_result')))
  return {
    role: 'tool',
    toolCallId: tool_use_id ?? undefined,
    content: is_error === true ? markedAsError(result) : result,
    origin: place.path,
  }
}

/** Chat templates have no place for `is_error`: the text has to say it. */
function markedAsError(content: string | ContentPart[]): string | ContentPart[] {
  if (typeof content === 'string') return content === '' ? 'Error' : `Error: ${content}`
  return [{ type: 'text', text: 'Error:' }, ...content]
}

function readAssistant(content: Content, place: Place): AssistantMessage {
  if (typeof content === 'string') return assistantMessage(content, '', [], place.path)
  let text = ''
  let reasoning = ''
  const toolCalls: ToolCall[] = []
  content.forEach((block, i) => {
    // Blocks of one kind are pieces of what the model wrote in one go: joined without anything between them.
    if (block.type === 'text') text += block.text
    else if (block.type === 'thinking') reasoning += block.thinking
    else if (block.type === 'tool_use') toolCalls.push(readCall(block))
    else if (block.type !== 'redacted_thinking') refuseBlock(block, inside(place, i), 'assistant')
  })
  return assistantMessage(text, reasoning, toolCalls, place.path)
}

function readCall({ id, name, input }: ToolUseBlock): ToolCall {
  return { id, name, arguments: JSON.stringify(input ?? {}) }
}

/** Two turns of the assistant in a row are one: else the calls of the first would stand without their results. */
function addAssistant(messages: Message[], turn: AssistantMessage): void {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') {
    messages.push(turn)
    return
  }
  // In place: a copy for each turn would take a client's hundred thousand of them squared.
  const reasoning = lines(last.reasoning, turn.reasoning)
  if (reasoning) last.reasoning = reasoning
  if (turn.toolCalls !== undefined) {
    last.toolCalls ??= []
    for (const call of turn.toolCalls) last.toolCalls.push(call)
  }
  last.content = lines(last.content, turn.content) || (last.toolCalls === undefined ? '' : null)
}

/** Two texts as lines of one. Either may be empty, or null as the content of a turn with tool calls is. */
function lines<T>(first: T, second: T): T | string {
  return first && second ? `${first}\n${second}` : first || second
}

function assistantMessage(text: string, reasoning: string, toolCalls: ToolCall[], origin = ''): AssistantMessage {
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    // Templates stumble over empty reasoning: better none.
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    origin,
  }
}
