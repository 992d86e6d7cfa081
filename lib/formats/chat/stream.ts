import { jsonBytes } from '../../base/json-bytes.ts'
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { Chunk, Sink, ToolCallDelta, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { eventStart, finishText, writeEnd, writeError } from '../openai/stream.ts'
import { RunningUsageText } from '../openai/usage.ts'

/**
 * Writes chunks as `chat.completion.chunk` events. The first event of a choice carries its role. From the first count on, events
 * carry the usage so far, unless the operator wants it on the last one alone; the last value is repeated on an event without
 * choices before `[DONE]` (docs/api/chat-completions.md#stream).
 */
export class StreamEncoder implements Sink {
  readonly #context: ReplyContext
  readonly #write: WriteEvent
  /** JSON text of an event up to its choices. */
  readonly #start: string
  /** The same up to a piece of text of the first choice. */
  readonly #textStart: string
  readonly #usageText = new RunningUsageText()
  readonly #isUsageLast: boolean
  /** By choice: its role has been written. */
  readonly #opened: boolean[] = []
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, write: WriteEvent) {
    this.#context = context
    this.#write = write
    this.#start = eventStart(context, 'chatcmpl-', 'chat.completion.chunk')
    this.#textStart = `${this.#start}{"index":0,"delta":{"content":`
    this.#isUsageLast = context.options.chat.usage_chunks === 'last'
  }

  chunk(chunk: Chunk): void {
    const { choice, usage, logprobs, finish } = chunk
    if (usage !== undefined) this.#usage = usage
    if (choice === -1) return
    const opened = this.#opened[choice] === true
    const tail = this.#usage === undefined || this.#isUsageLast ? ']}' : `],"usage":${this.#usageText.of(this.#usage)}}`
    if (opened && choice === 0 && isTextAlone(chunk)) {
      // Nearly every chunk. Each part less of an event makes the stream faster to put together and to write.
      return this.#write(undefined, `${this.#textStart}${jsonBytes(chunk.text)}${TEXT_END}${tail}`)
    }
    if (!opened) this.#opened[choice] = true
    const delta = deltaText(chunk, !opened)
    const logprobsText = logprobs === undefined ? 'null' : jsonBytes(logprobs)
    this.#write(
      undefined,
      `${this.#start}{"index":${choice},"delta":${delta},"logprobs":${logprobsText},"finish_reason":${finishText(finish)}}${tail}`,
    )
  }

  end(): void {
    writeEnd(this.#write, this.#start, this.#usage)
  }

  fail(error: GatewayError): void {
    writeError(this.#write, this.#context, error)
  }
}

/** Behind a text that is everything a chunk has. */
const TEXT_END = '},"logprobs":null,"finish_reason":null}'

function isTextAlone({ text, reasoning, refusal, toolCalls, logprobs, finish }: Chunk): boolean {
  return text !== undefined && (reasoning ?? refusal ?? toolCalls ?? logprobs ?? finish) === undefined
}

function deltaText(chunk: Chunk, opening: boolean): string {
  const { text, reasoning, refusal, toolCalls } = chunk
  const members: string[] = []
  if (opening) members.push(`"role":"assistant","content":${jsonBytes(text ?? '')}`)
  else if (text !== undefined) members.push(`"content":${jsonBytes(text)}`)
  if (reasoning !== undefined) members.push(`"reasoning_content":${jsonBytes(reasoning)}`)
  if (refusal !== undefined) members.push(`"refusal":${jsonBytes(refusal)}`)
  if (toolCalls !== undefined) members.push(`"tool_calls":${jsonBytes(toolCalls.map(toBodyCall))}`)
  return `{${members.join(',')}}`
}

/** `id`, `type` and `name` are members of the first piece of a call only. */
function toBodyCall({ index, id, name, arguments: text }: ToolCallDelta): object {
  return {
    index,
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), arguments: text },
  }
}
