import type { AssistantMessage, ContentPart, Message, ToolCall, ToolMessage } from '../../canonical/request.ts'
import { type BlockLocation, contentOf, inside, readPart, refuseBlock } from './content.ts'
import type { Block, BodyMessage, MessagesBody, ToolResultBlock, ToolUseBlock } from './generated/body.ts'

type Content = string | readonly Block[]

/** The system text and the turns as canonical messages, each with its path in the client's body. */
export function readConversation({ model, system, messages: turns }: MessagesBody): Message[] {
  const messages: Message[] = []
  if (system != null) addSystem(messages, system, { path: 'system', model })
  for (const [index, turn] of turns.entries()) {
    addTurn(messages, turn, { path: `messages.${index}`, model })
  }
  return messages
}

function addTurn(messages: Message[], { role, content }: BodyMessage, location: BlockLocation): void {
  if (role === 'system') addSystem(messages, content, location)
  else if (role === 'user') addUser(messages, content, location)
  else addAssistant(messages, readAssistant(content, location))
}

/** Adds system text, also inside a conversation. The encoder moves it to where the template needs it. */
function addSystem(messages: Message[], content: Content, location: BlockLocation): void {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.map((block, i) =>
          block.type === 'text' ? block.text : refuseBlock(block, inside(location, i), 'system'),
        )
  const text = systemText(texts)
  if (text !== '') messages.push({ role: 'system', content: text, origin: location.path })
}

/** Tool results become messages of their own before the user's text: templates need them directly after the calls. */
function addUser(messages: Message[], content: Content, location: BlockLocation): void {
  if (typeof content === 'string') {
    messages.push({ role: 'user', content, origin: location.path })
    return
  }
  const before = messages.length
  const rest: ContentPart[] = []
  for (const [i, block] of content.entries()) {
    if (block.type === 'tool_result') messages.push(readResult(block, inside(location, i)))
    else rest.push(readPart(block, inside(location, i), 'user'))
  }
  if (rest.length > 0 || messages.length === before) {
    messages.push({ role: 'user', content: contentOf(rest), origin: location.path })
  }
}

function readResult({ tool_use_id, content, is_error }: ToolResultBlock, location: BlockLocation): ToolMessage {
  const result =
    typeof content === 'string'
      ? content
      : contentOf((content ?? []).map((block, i) => readPart(block, inside(location, i), 'tool_result')))
  return {
    role: 'tool',
    toolCallId: tool_use_id ?? undefined,
    content: is_error === true ? markedAsError(result) : result,
    origin: location.path,
  }
}

/** Marks a result as an error in its text, because chat templates have no counterpart of `is_error`. */
function markedAsError(content: string | ContentPart[]): string | ContentPart[] {
  if (typeof content === 'string') return content === '' ? 'Error' : `Error: ${content}`
  return [{ type: 'text', text: 'Error:' }, ...content]
}

function readAssistant(content: Content, location: BlockLocation): AssistantMessage {
  if (typeof content === 'string') return assistantMessage(content, '', [], location.path)
  let text = ''
  let reasoning = ''
  const toolCalls: ToolCall[] = []
  for (const [i, block] of content.entries()) {
    // Blocks of one kind are pieces of one text: joined without a separator.
    if (block.type === 'text') text += block.text
    else if (block.type === 'thinking') reasoning += block.thinking
    else if (block.type === 'tool_use') toolCalls.push(readCall(block))
    else if (block.type !== 'redacted_thinking') refuseBlock(block, inside(location, i), 'assistant')
  }
  return assistantMessage(text, reasoning, toolCalls, location.path)
}

function readCall({ id, name, input }: ToolUseBlock): ToolCall {
  return { id, name, arguments: JSON.stringify(input ?? {}) }
}

/** Merges consecutive turns of the assistant: otherwise no results would follow the calls of the first turn. */
function addAssistant(messages: Message[], turn: AssistantMessage): void {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') {
    messages.push(turn)
    return
  }
  // In place: copying for each turn would take quadratic time on a body with 100,000 turns.
  const reasoning = lines(last.reasoning, turn.reasoning)
  if (reasoning) last.reasoning = reasoning
  if (turn.toolCalls !== undefined) {
    last.toolCalls ??= []
    for (const call of turn.toolCalls) last.toolCalls.push(call)
  }
  last.content = lines(last.content, turn.content) || (last.toolCalls === undefined ? '' : null)
}

/** Joins two texts with a line break. Either may be empty, or null in a turn with tool calls. */
function lines<T>(first: T, second: T): T | string {
  return first && second ? `${first}\n${second}` : first || second
}

function assistantMessage(text: string, reasoning: string, toolCalls: ToolCall[], origin = ''): AssistantMessage {
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    // Templates fail on empty reasoning.
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    origin,
  }
}

/** Claude Code begins its system text with a line that differs in every request, which makes prefix caches useless. */
const BILLING = 'x-anthropic-billing-header:'
/** The line as Claude Code writes it, without control characters. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n\x7f]*(?:\n|$)/gm

/** System blocks as one text, without the billing line. */
function systemText(blocks: readonly string[]): string {
  return blocks
    .map(text => (text.includes(BILLING) ? text.replace(BILLING_LINE, '') : text))
    .filter(text => text !== '')
    .join('\n')
}
