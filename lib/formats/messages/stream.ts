import type { JsonObject } from '../../base/json.ts'
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { Chunk, FinishReason, Sink, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { toErrorBody } from './errors.ts'
import { isThinkingShown, messageBody, stopOf, toUsageBody } from './message.ts'
import { type CompleteCall, ToolCalls, toolInputText } from './tool-calls.ts'

/** Kinds of blocks that are sent in deltas: the empty block, and JSON text of a delta up to its text. */
const GROWING = {
  thinking: { block: { type: 'thinking', thinking: '', signature: '' }, delta: '"thinking_delta","thinking":' },
  text: { block: { type: 'text', text: '' }, delta: '"text_delta","text":' },
} as const

type Growing = keyof typeof GROWING

/**
 * Writes chunks as the events of docs/api/messages.md#stream, and no others. Tool calls are sent whole after the reply
 * is complete, so that no client runs a call of a failed reply. Deltas are JSON written by hand (docs/adr/0033).
 */
export class StreamEncoder implements Sink {
  readonly #context: ReplyContext
  readonly #write: WriteEvent
  readonly #showsThinking: boolean
  readonly #calls: ToolCalls
  #isStarted = false
  #open: Growing | undefined = undefined
  /** Index of the open block, or of the next one. */
  #index = 0
  /** JSON text of a delta of the open block, up to its text. */
  #deltaStart = ''
  #finish: FinishReason | undefined = undefined
  #matchedStop: string | number | undefined = undefined
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, write: WriteEvent) {
    this.#context = context
    this.#write = write
    this.#showsThinking = isThinkingShown(context.request)
    this.#calls = new ToolCalls(context.id)
  }

  chunk(chunk: Chunk): void {
    if (!this.#isStarted) this.#start()
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.reasoning && this.#showsThinking) this.#grow('thinking', chunk.reasoning)
    const text = chunk.text ?? chunk.refusal
    if (text) this.#grow('text', text)
    if (chunk.toolCalls !== undefined) this.#calls.add(chunk.toolCalls)
    if (chunk.finish !== undefined) {
      this.#finish = chunk.finish
      this.#matchedStop = chunk.matchedStop
    }
  }

  end(): void {
    if (!this.#isStarted) this.#start()
    if (this.#open !== undefined) this.#stopBlock()
    const calls = this.#calls.all()
    for (const call of calls) this.#toolUse(call)
    const delta = stopOf(this.#finish, this.#matchedStop, calls.length > 0, this.#context.request)
    this.#send('message_delta', { delta, usage: toUsageBody(this.#usage, this.#context.options) })
    this.#send('message_stop', {})
  }

  /** Writes the last event. Without message_stop no client takes the reply for a complete one. */
  fail(error: GatewayError): void {
    this.#write('error', JSON.stringify(toErrorBody(this.#context.errorBody(error))))
  }

  #start(): void {
    this.#isStarted = true
    const message = messageBody(this.#context, [], undefined, toUsageBody(undefined, this.#context.options))
    this.#send('message_start', { message })
  }

  #grow(kind: Growing, piece: string): void {
    if (this.#open !== kind) {
      if (this.#open !== undefined) this.#stopBlock()
      this.#startBlock(GROWING[kind].block)
      this.#open = kind
      this.#deltaStart = `{"type":"content_block_delta","index":${this.#index},"delta":{"type":${GROWING[kind].delta}`
    }
    this.#write('content_block_delta', `${this.#deltaStart}${JSON.stringify(piece)}}}`)
  }

  #toolUse({ id, name, arguments: text }: CompleteCall): void {
    this.#startBlock({ type: 'tool_use', id, name, input: {} })
    const delta = { type: 'input_json_delta', partial_json: toolInputText(text) }
    this.#send('content_block_delta', { index: this.#index, delta })
    this.#stopBlock()
  }

  #startBlock(block: JsonObject): void {
    this.#send('content_block_start', { index: this.#index, content_block: block })
  }

  #stopBlock(): void {
    this.#send('content_block_stop', { index: this.#index })
    this.#open = undefined
    this.#index++
  }

  #send(type: string, members: object): void {
    this.#write(type, JSON.stringify({ type, ...members }))
  }
}
