import type { Head, WriteFrame } from '../../canonical/format.ts'
import type { ChatChunk, FinishReason, Sink, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { errorBody } from './errors.ts'
import { isThinkingShown, messageBody } from './message.ts'
import { stopOf } from './stop-reason.ts'
import { type HeldCall, ToolCalls } from './tool-calls.ts'
import { toolInputText } from './tool-input.ts'
import { usageBody } from './usage.ts'

/** Blocks that grow by deltas, as they start and as JSON text before what a delta adds. */
const GROWING = {
  thinking: { start: '{"type":"thinking","thinking":"","signature":""}', delta: '"thinking_delta","thinking":' },
  text: { start: '{"type":"text","text":""}', delta: '"text_delta","text":' },
} as const

type Growing = keyof typeof GROWING

/**
 * Writes chunks as the events of docs/api/messages.md#stream, and no others. Thinking and text go out as they come;
 * tool calls are written whole behind them, once the reply is known to be complete: nobody runs a call of a failed one.
 */
export class MessagesStream implements Sink {
  readonly #head: Head
  readonly #write: WriteFrame
  readonly #thinkingShown: boolean
  readonly #calls: ToolCalls
  #started = false
  #open: Growing | undefined = undefined
  /** Of the open block, or of the next one. */
  #index = 0
  /** A delta of the open block up to its text, so that a delta costs one JSON.stringify of a string. */
  #deltaStart = ''
  #finish: FinishReason | undefined = undefined
  #matchedStop: string | number | undefined = undefined
  #usage: Usage | undefined = undefined

  constructor(head: Head, write: WriteFrame) {
    this.#head = head
    this.#write = write
    this.#thinkingShown = isThinkingShown(head.request)
    this.#calls = new ToolCalls(head.id)
  }

  chunk(chunk: ChatChunk): void {
    if (!this.#started) this.#start()
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.reasoning && this.#thinkingShown) this.#grow('thinking', chunk.reasoning)
    const text = chunk.text ?? chunk.refusal
    if (text) this.#grow('text', text)
    if (chunk.toolCalls !== undefined) this.#calls.add(chunk.toolCalls)
    if (chunk.finish !== undefined) {
      this.#finish = chunk.finish
      this.#matchedStop = chunk.matchedStop
    }
  }

  end(): void {
    if (!this.#started) this.#start()
    if (this.#open !== undefined) this.#stopBlock()
    const calls = this.#calls.all()
    for (const call of calls) this.#toolUse(call)
    const delta = stopOf(this.#finish, this.#matchedStop, calls.length > 0, this.#head.request)
    this.#send('message_delta', `"delta":${JSON.stringify(delta)},"usage":${JSON.stringify(usageBody(this.#usage))}`)
    this.#write('message_stop', '{"type":"message_stop"}')
  }

  /** The last event: without message_stop nobody takes what came before for a whole answer. */
  fail(error: GatewayError): void {
    this.#write('error', JSON.stringify(errorBody(this.#head.errorBody(error))))
  }

  #start(): void {
    this.#started = true
    const message = messageBody(this.#head, [], undefined, usageBody(undefined))
    this.#send('message_start', `"message":${JSON.stringify(message)}`)
  }

  #grow(kind: Growing, piece: string): void {
    if (this.#open !== kind) {
      if (this.#open !== undefined) this.#stopBlock()
      this.#startBlock(GROWING[kind].start)
      this.#open = kind
      this.#deltaStart = `{"type":"content_block_delta","index":${this.#index},"delta":{"type":${GROWING[kind].delta}`
    }
    this.#write('content_block_delta', `${this.#deltaStart}${JSON.stringify(piece)}}}`)
  }

  #toolUse({ id, name, arguments: text }: HeldCall): void {
    this.#startBlock(JSON.stringify({ type: 'tool_use', id, name, input: {} }))
    const delta = JSON.stringify({ type: 'input_json_delta', partial_json: toolInputText(text) })
    this.#send('content_block_delta', `"index":${this.#index},"delta":${delta}`)
    this.#stopBlock()
  }

  #startBlock(block: string): void {
    this.#send('content_block_start', `"index":${this.#index},"content_block":${block}`)
  }

  #stopBlock(): void {
    this.#send('content_block_stop', `"index":${this.#index}`)
    this.#open = undefined
    this.#index++
  }

  /** `members` is the inside of a JSON object. */
  #send(type: string, members: string): void {
    this.#write(type, `{"type":"${type}",${members}}`)
  }
}
