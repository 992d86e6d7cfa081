import { type AssistantMessage, type ChatMessage, fail, type TextPart } from '../../chat.ts'
import type { FunctionCall, FunctionCallOutput, Item, Message, Part } from './body.ts'

/** Longest piece of a client's own word that an error repeats. */
const QUOTED = 64

/** Items that only mean something to the client or to a provider's own servers: design.md section 6, Responses items. */
const SKIPPED: ReadonlySet<string> = new Set([
  'reasoning',
  'additional_tools',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'local_shell_call',
])

/**
 * Input items as messages (api.md "Input items"). `model` is named when a part needs what no model here has.
 * Refuses with `unsupported_input_item` and `unsupported_feature`.
 */
export function readItems(items: readonly Item[], model: string): ChatMessage[] {
  const conversation = new Conversation(countOutputs(items))
  items.forEach((item, index) => {
    const path = `input.${index}`
    switch (item.type) {
      case 'message':
        conversation.message(item, readContent(item.content, `${path}.content`, model), path)
        break
      case 'function_call':
        conversation.call(item, path)
        break
      case 'function_call_output':
        conversation.output(item, readOutput(item.output, `${path}.output`, model), path)
        break
      default:
        if (!SKIPPED.has(String(item.type))) refuse(item, path)
    }
  })
  return conversation.finish()
}

/** How many results each call id has: some engines number calls anew in each turn. */
function countOutputs(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    if (item.type !== 'function_call_output' || item.call_id == null) continue
    counts.set(item.call_id, (counts.get(item.call_id) ?? 0) + 1)
  }
  return counts
}

/**
 * Puts items together to turns. Engines want one assistant message with all calls of a turn, and the results directly
 * behind it, while items are a flat list that may have a user's interjection anywhere.
 */
class Conversation {
  readonly #messages: ChatMessage[] = []
  /** Results still ahead in the list, by call id. A call that never gets one holds nothing up. */
  readonly #ahead: Map<string, number>
  /** The assistant's turn that the next call belongs to. */
  #turn: AssistantMessage | undefined
  /** Calls of the turn whose results are still to come. */
  readonly #awaited = new Set<string>()
  /** Messages that stood between a call and its result: they follow the results. */
  readonly #held: ChatMessage[] = []

  constructor(ahead: Map<string, number>) {
    this.#ahead = ahead
  }

  message({ role }: Message, content: string | TextPart[], origin: string): void {
    if (role === 'assistant') {
      if (this.#turn !== undefined && this.#awaited.size > 0) this.#turn.content = joined(this.#turn.content, content)
      else this.#begin({ role, content, origin })
    } else if (this.#awaited.size > 0) {
      this.#held.push({ role, content, origin })
    } else {
      this.#messages.push({ role, content, origin })
      this.#turn = undefined
    }
  }

  call({ call_id: id, name, arguments: args }: FunctionCall, origin: string): void {
    const turn = this.#turn ?? this.#begin({ role: 'assistant', content: null, origin })
    turn.toolCalls ??= []
    turn.toolCalls.push({ id, name, arguments: args })
    if ((this.#ahead.get(id) ?? 0) > 0) this.#awaited.add(id)
  }

  /** A result whose call is unknown stays where it is: the tools rule refuses it by its place. */
  output({ call_id }: FunctionCallOutput, content: string, origin: string): void {
    this.#messages.push({ role: 'tool', toolCallId: call_id ?? undefined, content, origin })
    if (call_id != null) {
      this.#ahead.set(call_id, (this.#ahead.get(call_id) ?? 1) - 1)
      this.#awaited.delete(call_id)
    }
    if (this.#awaited.size > 0) return
    this.#turn = undefined
    this.#release()
  }

  finish(): ChatMessage[] {
    this.#release()
    return this.#messages
  }

  #begin(turn: AssistantMessage): AssistantMessage {
    this.#messages.push(turn)
    this.#turn = turn
    return turn
  }

  #release(): void {
    for (const message of this.#held) this.#messages.push(message)
    this.#held.length = 0
  }
}

/** Text of a message; one part stays a plain string, which every chat template takes. */
function readContent(content: string | readonly Part[], path: string, model: string): string | TextPart[] {
  if (typeof content === 'string') return content
  const texts = readParts(content, path, model)
  if (texts.length > 1) return texts.map(text => ({ type: 'text', text }))
  return texts[0] ?? ''
}

function readOutput(output: FunctionCallOutput['output'], path: string, model: string): string {
  if (typeof output === 'string') return output
  return readParts(output ?? [], path, model).join('\n')
}

/** Images are left out without a word (api.md "Input items", rule 5). */
function readParts(parts: readonly Part[], path: string, model: string): string[] {
  const texts: string[] = []
  parts.forEach((part, index) => {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
        texts.push(part.text)
        break
      case 'refusal':
        texts.push(part.refusal)
        break
      case 'input_image':
        break
      default:
        fail('unsupported_feature', { model, feature: part.type }, { param: `${path}.${index}.type`, ownParam: true })
    }
  })
  return texts
}

function joined(before: AssistantMessage['content'], after: string | TextPart[]): string | TextPart[] {
  if (before === null || before === '') return after
  return [...asParts(before), ...asParts(after)]
}

function asParts(content: string | TextPart[]): TextPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function refuse(item: Item, path: string): never {
  fail('unsupported_input_item', { problem: advice(item, path) }, { param: `${path}.type`, ownParam: true })
}

/** What is wrong with an item and how to write it instead. */
function advice(item: Item, path: string): string {
  if (typeof item.type !== 'string') {
    const written = 'role' in item ? 'this message' : 'a message'
    return `${path} has no type: write ${written} as {"type": "message", "role": "user", "content": "..."}.`
  }
  if (item.type === 'item_reference') {
    return `${path} refers to a stored item, and nothing is stored here: send the item itself (many clients do so when store is false).`
  }
  const type = String(item.type).slice(0, QUOTED)
  return `${path} has type '${type}', which is not supported: use message, function_call or function_call_output.`
}
