import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { Chunk, Sink, ToolCallDelta, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { eventStart, finishText, usageText, writeEnd, writeError } from '../openai/stream.ts'

/**
 * Writes chunks as `chat.completion.chunk` events (docs/api/chat-completions.md#stream). Every event has the usage so
 * far, unless only the last is to have it. An event without choices before `[DONE]` repeats the last usage.
 */
export class StreamEncoder implements Sink {
  readonly #context: ReplyContext
  readonly #write: WriteEvent
  /** JSON text of an event up to its choices. */
  readonly #start: string
  readonly #isUsageLast: boolean
  /** By index of the choice: true if its role has been written. */
  readonly #isOpened: boolean[] = []
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, write: WriteEvent) {
    this.#context = context
    this.#write = write
    this.#start = eventStart(context, 'chatcmpl-', 'chat.completion.chunk')
    this.#isUsageLast = context.options.chat.usage_chunks === 'last'
  }

  chunk(chunk: Chunk): void {
    const { choice, usage, logprobs, finish } = chunk
    if (usage !== undefined) this.#usage = usage
    if (choice === -1) return
    const isFirst = this.#isOpened[choice] !== true
    if (isFirst) this.#isOpened[choice] = true
    const promptIds =
      chunk.promptTokenIds === undefined ? '' : `,"prompt_token_ids":${JSON.stringify(chunk.promptTokenIds)}`
    const ids = chunk.tokenIds === undefined ? '' : `,"token_ids":${JSON.stringify(chunk.tokenIds)}`
    const usageMember = this.#usage === undefined || this.#isUsageLast ? '' : `,"usage":${usageText(this.#usage)}`
    const delta = deltaText(chunk, isFirst)
    const logprobsText = logprobs === undefined ? 'null' : JSON.stringify(logprobs)
    this.#write(
      undefined,
      `${this.#start}{"index":${choice},"delta":${delta},"logprobs":${logprobsText},"finish_reason":${finishText(finish)}${ids}}]${promptIds}${usageMember}}`,
    )
  }

  end(): void {
    writeEnd(this.#write, this.#start, this.#usage)
  }

  fail(error: GatewayError): void {
    writeError(this.#write, this.#context, error)
  }
}

function deltaText(chunk: Chunk, isFirst: boolean): string {
  const { text, reasoning, refusal, toolCalls } = chunk
  const members: string[] = []
  if (isFirst) members.push(`"role":"assistant","content":${JSON.stringify(text ?? '')}`)
  else if (text !== undefined) members.push(`"content":${JSON.stringify(text)}`)
  if (reasoning !== undefined) members.push(`"reasoning_content":${JSON.stringify(reasoning)}`)
  if (refusal !== undefined) members.push(`"refusal":${JSON.stringify(refusal)}`)
  if (toolCalls !== undefined) members.push(`"tool_calls":${JSON.stringify(toolCalls.map(toBodyCall))}`)
  return `{${members.join(',')}}`
}

/** Only the first piece of a call has `id`, `type` and `name`. */
function toBodyCall({ index, id, name, arguments: text }: ToolCallDelta): object {
  return {
    index,
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), arguments: text },
  }
}
