import type { Head, WriteFrame } from '../../canonical/format.ts'
import type { ChatChunk, Sink, ToolCallDelta, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { errorBody } from './errors.ts'
import { usageText } from './usage.ts'

/**
 * Chunks as `chat.completion.chunk` events. Each choice opens with its role; running usage stands on the chunks that
 * carry it, its last value once more on a chunk without choices before `[DONE]` (docs/api/chat-completions.md#stream).
 * The text is put together by hand: half the cost of JSON.stringify on the whole object.
 */
export class ChatStream implements Sink {
  readonly #head: Head
  readonly #write: WriteFrame
  /** Everything of a chunk before its choices. */
  readonly #prefix: string
  /** By choice: its role has been written. */
  readonly #opened: boolean[] = []
  #usage: Usage | undefined = undefined

  constructor(head: Head, write: WriteFrame) {
    this.#head = head
    this.#write = write
    const { id, created, model } = head
    this.#prefix = `{"id":"chatcmpl-${id}","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},"choices":[`
  }

  chunk(chunk: ChatChunk): void {
    const { choice, usage, logprobs, finish } = chunk
    if (usage !== undefined) this.#usage = usage
    if (choice === -1) return
    const opened = this.#opened[choice] === true
    if (!opened) this.#opened[choice] = true
    const delta = deltaText(chunk, !opened)
    const logprobsText = logprobs === undefined ? 'null' : JSON.stringify(logprobs)
    const finishText = finish === undefined ? 'null' : `"${finish}"`
    const tail = usage === undefined ? ']}' : `],"usage":${usageText(usage)}}`
    this.#write(
      undefined,
      `${this.#prefix}{"index":${choice},"delta":${delta},"logprobs":${logprobsText},"finish_reason":${finishText}}${tail}`,
    )
  }

  end(): void {
    if (this.#usage !== undefined) this.#write(undefined, `${this.#prefix}],"usage":${usageText(this.#usage)}}`)
    this.#write(undefined, '[DONE]')
  }

  /** Clients raise this as an error. Without `[DONE]` nobody takes what came before for a whole answer. */
  fail(error: GatewayError): void {
    this.#write(undefined, JSON.stringify(errorBody(this.#head.errorBody(error))))
  }
}

function deltaText(chunk: ChatChunk, opening: boolean): string {
  const { text, reasoning, refusal, toolCalls } = chunk
  // Nearly every chunk is one piece of text.
  if (!opening && text !== undefined && reasoning === undefined && refusal === undefined && toolCalls === undefined) {
    return `{"content":${JSON.stringify(text)}}`
  }
  const members: string[] = []
  if (opening) members.push(`"role":"assistant","content":${JSON.stringify(text ?? '')}`)
  else if (text !== undefined) members.push(`"content":${JSON.stringify(text)}`)
  if (reasoning !== undefined) members.push(`"reasoning_content":${JSON.stringify(reasoning)}`)
  if (refusal !== undefined) members.push(`"refusal":${JSON.stringify(refusal)}`)
  if (toolCalls !== undefined) members.push(`"tool_calls":${JSON.stringify(toolCalls.map(wireToolCall))}`)
  return `{${members.join(',')}}`
}

/** `id`, `type` and `name` stand on the first piece of a call only. */
function wireToolCall({ index, id, name, arguments: text }: ToolCallDelta): object {
  return {
    index,
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), arguments: text },
  }
}
