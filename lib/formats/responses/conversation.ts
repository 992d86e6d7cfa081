import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { AssistantMessage, Message, TextPart } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { quoted, type Words, words } from '../../text/quoted.ts'
import type {
  FunctionCallItem,
  FunctionCallOutputItem,
  Item,
  MessageItem,
  Part,
  ResponsesBody,
} from './generated/body.ts'
import type { ToolNames } from './tools.ts'

/**
 * Items that only clients or the servers of a provider use. They are skipped, calls together with their outputs
 * (docs/api/responses.md#input-items).
 */
const SKIPPED: ReadonlySet<string> = new Set([
  'reasoning',
  'additional_tools',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'local_shell_call',
  'local_shell_call_output',
])

/** `instructions` and `input` as messages. `names`: the request's tools. `untyped`: how to read untyped items. */
export function readConversation(
  { model, input, instructions }: ResponsesBody,
  names: ToolNames,
  untyped: FormatOptions['responses']['untyped_items'],
): Message[] {
  const messages: Message[] =
    typeof input === 'string'
      ? [{ role: 'user', content: input, origin: 'input' }]
      : readItems(input, model, names, untyped)
  if (messages.length === 0) {
    fail('schema_validation_failed', { problem: 'input holds no message.' }, { param: 'input', ownParam: true })
  }
  if (instructions) messages.unshift({ role: 'system', content: instructions, origin: 'instructions' })
  return messages
}

/** Input items as messages, or a refusal (docs/api/responses.md#input-items). `model`: name for refusals. */
function readItems(items: readonly Item[], model: string, names: ToolNames, untyped: 'refuse' | 'message'): Message[] {
  const conversation = new Conversation()
  const skippedCalls = new Set<Json>()
  for (const [index, item] of items.entries()) {
    const path = `input.${index}`
    switch (item?.type) {
      case 'message':
        conversation.message(item, readContent(item.content, `${path}.content`, model), path)
        break
      case 'function_call':
        skippedCalls.delete(item.call_id)
        conversation.call(item, names.of(item), path)
        break
      case 'function_call_output':
        // Codex sends the output of a local_shell_call as one of a function.
        if (item.call_id != null && skippedCalls.has(item.call_id)) break
        conversation.output(item, readOutput(item.output, `${path}.output`, model), path)
        break
      default:
        if (untyped === 'message' && isUntypedMessage(item)) {
          const message = checkedMessage(item, path)
          conversation.message(message, readContent(message.content, `${path}.content`, model), path)
        } else if (item?.type == null || !SKIPPED.has(item.type)) refuse(item, path)
        else if ('call_id' in item) skippedCalls.add(item.call_id as Json)
    }
  }
  return conversation.messages
}

/** `{role, content}` */
function isUntypedMessage(item: Json | Item): item is JsonObject {
  return isObject(item) && item.type == null && 'role' in item
}

/** Builds messages from a flat list of items: one assistant message has the text and all calls of a turn. */
class Conversation {
  readonly messages: Message[] = []
  /** The assistant's turn, until an item of another kind follows it. */
  #turn: AssistantMessage | undefined

  message({ role }: MessageItem, content: string | TextPart[], origin: string): void {
    if (role !== 'assistant') {
      this.messages.push({ role, content, origin })
      this.#turn = undefined
    } else if (this.#turn?.toolCalls !== undefined) {
      // Text after a call belongs to the same turn, because the result must directly follow the turn.
      addText(this.#turn, content)
    } else {
      this.#begin({ role, content, origin })
    }
  }

  call({ call_id: id, arguments: args }: FunctionCallItem, name: string, origin: string): void {
    const turn = this.#turn ?? this.#begin({ role: 'assistant', content: null, origin })
    turn.toolCalls ??= []
    turn.toolCalls.push({ id, name, arguments: args })
  }

  output({ call_id }: FunctionCallOutputItem, content: string, origin: string): void {
    this.messages.push({ role: 'tool', toolCallId: call_id ?? undefined, content, origin })
    this.#turn = undefined
  }

  #begin(turn: AssistantMessage): AssistantMessage {
    this.messages.push(turn)
    this.#turn = turn
    return turn
  }
}

const ROLES: readonly Json[] = ['user', 'assistant', 'system', 'developer'] satisfies MessageItem['role'][]

/** Checks an item without a type as a message: the schema of the route checks only items with a type. */
function checkedMessage(item: JsonObject, path: string): MessageItem {
  const { role, content } = item
  if (role === undefined || !ROLES.includes(role)) {
    invalid(`'${path}.role' must be 'user', 'assistant', 'system' or 'developer'.`, `${path}.role`)
  }
  if (Array.isArray(content)) {
    content.forEach((part, index) => {
      const at = `${path}.content.${index}`
      if (!isObject(part) || typeof part.type !== 'string') invalid(`'${at}' must be a part with a type.`, at)
      const name = part.type === 'refusal' ? 'refusal' : 'text'
      const hasText = part.type === 'refusal' || part.type === 'input_text' || part.type === 'output_text'
      if (hasText && typeof part[name] !== 'string') invalid(`'${at}.${name}' must be a string.`, `${at}.${name}`)
    })
  } else if (typeof content !== 'string') {
    invalid(`'${path}.content' must be a string or a list of parts.`, `${path}.content`)
  }
  return item as JsonObject & MessageItem
}

function invalid(problem: string, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}

/** Text of a message. A single part becomes a string, which every chat template accepts. */
function readContent(content: string | readonly Part[], path: string, model: string): string | TextPart[] {
  if (typeof content === 'string') return content
  const texts = readParts(content, path, model)
  if (texts.length > 1) return texts.map(text => ({ type: 'text', text }))
  return texts[0] ?? ''
}

function readOutput(output: FunctionCallOutputItem['output'], path: string, model: string): string {
  if (typeof output === 'string') return output
  return readParts(output ?? [], path, model).join('\n')
}

/** The texts of parts. Images are omitted without an error (docs/api/responses.md#input-items). */
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
        refusePart(part.type, `${path}.${index}.type`, model)
    }
  })
  return texts
}

/** Refuses files and audio as features that models do not have, and other types as not part of this API. */
function refusePart(type: string, param: string, model: string): never {
  const details = { param, ownParam: true }
  if (type === 'input_file' || type === 'input_audio') {
    fail('unsupported_feature', { model: quoted(model, 200), feature: `parts of type '${type}'` }, details)
  }
  fail(
    'schema_validation_failed',
    { problem: `'${param}' must be 'input_text', 'output_text' or 'input_image'.` },
    details,
  )
}

/** In place: copying for each text would take quadratic time on a body with 100,000 texts. */
function addText(turn: AssistantMessage, content: string | TextPart[]): void {
  if (turn.content === null || turn.content === '') {
    turn.content = content
    return
  }
  turn.content = asParts(turn.content)
  for (const part of asParts(content)) turn.content.push(part)
}

function asParts(content: string | TextPart[]): TextPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function refuse(item: Json, path: string): never {
  fail('unsupported_input_item', { problem: advice(item, path) }, { param: `${path}.type`, ownParam: true })
}

const UNTYPED = "The operator can have this form accepted: 'responses.untyped_items'."

/** Message about an item, with the accepted form. */
function advice(item: Json, path: string): Words {
  const type = isObject(item) ? item.type : undefined
  if (typeof type !== 'string') {
    const problem = `${path} has no type: write a message as {"type": "message", "role": "user", "content": "..."}.`
    return isUntypedMessage(item) ? `${problem} ${UNTYPED}` : problem
  }
  if (type === 'item_reference') {
    return `${path} refers to a stored item, and nothing is stored here: send the item itself (many clients do so when store is false).`
  }
  return words`${path} has type '${quoted(type)}', which is not supported: use message, function_call or function_call_output.`
}
