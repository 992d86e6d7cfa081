import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { Chunk, FinishReason, Sink, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { type CallItem, incompleteReason, type MessageItem, Output, type OutputItem, responseObject } from './output.ts'

/**
 * Writes chunks as the events of docs/api/responses.md#stream, and no others: official clients throw on unknown events.
 * Calls are sent as whole items after the reply is complete. A truncated reply ends with response.completed and the
 * status incomplete. Text deltas are JSON written by hand (docs/adr/0033).
 */
export class StreamEncoder implements Sink {
  readonly #context: ReplyContext
  readonly #write: WriteEvent
  readonly #output: Output
  readonly #isNumbered: boolean
  #events = 0
  /** Members of a text delta as JSON text, up to the text. Empty until there is text. */
  #deltaStart = ''
  #finish: FinishReason | undefined = undefined
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, write: WriteEvent) {
    this.#context = context
    this.#write = write
    this.#output = new Output(context)
    this.#isNumbered = context.options.responses.sequence_number
  }

  chunk(chunk: Chunk): void {
    this.#start()
    const text = chunk.text || chunk.refusal
    if (text) this.#text(text)
    if (chunk.toolCalls !== undefined) {
      for (const delta of chunk.toolCalls) this.#output.call(delta).arguments += delta.arguments
    }
    if (chunk.finish !== undefined) this.#finish = chunk.finish
    if (chunk.usage !== undefined) this.#usage = chunk.usage
  }

  end(): void {
    this.#start()
    const { items } = this.#output
    const reason = incompleteReason(this.#finish)
    items.forEach((item, index) => {
      if (item.type === 'function_call') this.#openCall(item, index)
      this.#close(item, index, reason !== undefined && index === items.length - 1 ? 'incomplete' : 'completed')
    })
    const status = reason === undefined ? 'completed' : 'incomplete'
    const response = responseObject(this.#context, status, items, this.#usage, { reason })
    this.#send('response.completed', { response })
  }

  /** Leaves a started message open and writes no calls, so that no client runs a call of a failed reply. */
  fail(error: GatewayError): void {
    this.#start()
    const { code, message } = this.#context.errorBody(error)
    const failed = responseObject(this.#context, 'failed', [], this.#usage, { error: { code, message } })
    this.#send('response.failed', { response: failed })
  }

  #start(): void {
    if (this.#events > 0) return
    this.#send('response.created', { response: responseObject(this.#context, 'in_progress', [], undefined) })
  }

  #text(text: string): void {
    const item = this.#output.message()
    if (this.#deltaStart === '') this.#openMessage(item)
    item.content[0].text += text
    if (!this.#output.isWholeJson) this.#delta(text)
  }

  #delta(text: string): void {
    const type = 'response.output_text.delta'
    const sequence = this.#isNumbered ? `"sequence_number":${this.#events},` : ''
    this.#events++
    this.#write(type, `{"type":"${type}",${sequence}${this.#deltaStart}${JSON.stringify(text)}}`)
  }

  #openMessage(item: MessageItem): void {
    const { content, ...rest } = item
    this.#send('response.output_item.added', { output_index: 0, item: { ...rest, content: [] } })
    const location = { item_id: item.id, output_index: 0, content_index: 0 }
    this.#send('response.content_part.added', { ...location, part: content[0] })
    this.#deltaStart = `${JSON.stringify(location).slice(1, -1)},"delta":`
  }

  #openCall(item: CallItem, index: number): void {
    this.#send('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } })
    if (item.arguments === '') return
    const delta = { item_id: item.id, output_index: index, delta: item.arguments }
    this.#send('response.function_call_arguments.delta', delta)
  }

  #close(item: OutputItem, index: number, status: 'completed' | 'incomplete'): void {
    this.#output.close(item, status)
    if (item.type === 'function_call') {
      const { id, name, arguments: text } = item
      this.#send('response.function_call_arguments.done', { item_id: id, output_index: index, name, arguments: text })
    } else if (this.#output.isWholeJson && item.content[0].text !== '') {
      this.#delta(item.content[0].text)
    }
    this.#send('response.output_item.done', { output_index: index, item })
  }

  #send(type: string, members: object): void {
    const sequence = this.#isNumbered ? { sequence_number: this.#events } : undefined
    this.#events++
    this.#write(type, JSON.stringify({ type, ...sequence, ...members }))
  }
}
