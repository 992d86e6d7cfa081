import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { FinishReason, ToolCallDelta, Usage } from '../../canonical/reply.ts'
import { echoMembers } from './echo.ts'

/** Status of a reply and of its items (docs/api/responses.md#response). */
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed'

export type MessageItem = {
  id: string
  type: 'message'
  status: Status
  role: 'assistant'
  content: [{ type: 'output_text'; text: string; annotations: never[] }]
}

export type CallItem = {
  id: string
  type: 'function_call'
  status: Status
  call_id: string
  name: string
  /** Clients look up a function of a namespace by both names. */
  namespace?: string
  arguments: string
}

export type OutputItem = MessageItem | CallItem

/** Collects a reply as output items: the message, then the calls in the order of their start. */
export class Output {
  /** True: the text is JSON that follows a schema. It is sent in one piece, without Markdown fences. */
  readonly isWholeJson: boolean
  readonly #context: ReplyContext
  #message: MessageItem | undefined
  readonly #calls: CallItem[] = []
  /** By index of the backend: the latest call, and its id from the backend. */
  readonly #latest = new Map<number, { readonly id: string | undefined; readonly item: CallItem }>()
  readonly #callIds = new Set<string>()

  constructor(context: ReplyContext) {
    this.#context = context
    this.isWholeJson = context.request.responseFormat?.type === 'json_schema'
  }

  get items(): OutputItem[] {
    return this.#message === undefined ? [...this.#calls] : [this.#message, ...this.#calls]
  }

  /** The message item, which is created for the first text. */
  message(): MessageItem {
    this.#message ??= {
      id: this.#newId('msg'),
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [{ type: 'output_text', text: '', annotations: [] }],
    }
    return this.#message
  }

  /** The item of the call that a piece belongs to. Another id at the same index is another call. */
  call(delta: ToolCallDelta): CallItem {
    // Some engines repeat the id on every piece, others send an empty one.
    const id = delta.id || undefined
    const known = this.#latest.get(delta.index)
    if (known !== undefined && (id === undefined || id === known.id)) return known.item
    const item: CallItem = {
      id: this.#newId('fc'),
      type: 'function_call',
      status: 'in_progress',
      call_id: this.#callId(id),
      ...this.#clientNames(delta.name ?? ''),
      arguments: '',
    }
    this.#calls.push(item)
    this.#latest.set(delta.index, { id, item })
    return item
  }

  /** Completes an item: sets its status, and removes Markdown fences from JSON that follows a schema. */
  close(item: OutputItem, status: 'completed' | 'incomplete'): void {
    item.status = status
    if (!this.isWholeJson || item.type !== 'message') return
    const [part] = item.content
    part.text = withoutFences(part.text)
  }

  #newId(prefix: string): string {
    const count = this.#calls.length + (this.#message === undefined ? 0 : 1)
    return `${prefix}_${this.#context.id}${count}`
  }

  /** The backend's id, unless it is missing or was used before: clients throw on a repeated call_id. */
  #callId(id: string | undefined): string {
    const callId = id === undefined || this.#callIds.has(id) ? this.#newId('call') : id
    this.#callIds.add(callId)
    return callId
  }

  #clientNames(name: string): Pick<CallItem, 'name' | 'namespace'> {
    const { request } = this.#context
    const tool = request.kind === 'chat' ? request.tools.find(each => each.name === name) : undefined
    return tool?.namespace === undefined ? { name } : { name: tool.namespace.member, namespace: tool.namespace.group }
  }
}

/** Why a reply is incomplete; undefined: it is complete (docs/api/responses.md#response). */
export function incompleteReason(finish: FinishReason | undefined): 'max_output_tokens' | 'content_filter' | undefined {
  if (finish === 'length') return 'max_output_tokens'
  return finish === 'content_filter' ? finish : undefined
}

/** The response object in this status. Without usage every counter is 0. */
export function responseObject(
  context: ReplyContext,
  status: Status,
  output: OutputItem[],
  usage: Usage | undefined,
  details: { readonly reason?: string | undefined; readonly error?: JsonObject } = {},
): JsonObject {
  const { request } = context
  return {
    id: `resp_${context.id}`,
    object: 'response',
    created_at: context.created,
    completed_at: status === 'completed' ? Math.floor(context.clock.now() / 1000) : null,
    model: context.model,
    status,
    output,
    parallel_tool_calls: request.kind === 'chat' ? (request.parallelToolCalls ?? true) : true,
    usage: toUsageBody(usage),
    incomplete_details: details.reason === undefined ? null : { reason: details.reason },
    error: details.error ?? null,
    ...echoMembers(context.echo),
  }
}

/** Three backticks. */
const FENCE = '\x60'.repeat(3)

/** The opening fence and, optionally, a language: a word that is not JSON. The JSON may begin on the same line. */
const OPENING = /^\x60{3}(?:(?!(?:true|false|null)\b)[A-Za-z][\w+-]*)?\s*/

/** JSON without the Markdown fence that some models write (docs/api/responses.md#structured-output). */
function withoutFences(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith(FENCE)) return trimmed
  const inner = trimmed.replace(OPENING, '')
  // A truncated reply may have no closing fence.
  return (inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).trim()
}

/** Usage under the names of Responses. An unknown count is 0, because Codex reads numbers; records keep null. */
function toUsageBody(usage: Usage | undefined): JsonObject {
  const input = usage?.promptTokens ?? 0
  const output = usage?.completionTokens ?? 0
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
    total_tokens: input + output,
  }
}
