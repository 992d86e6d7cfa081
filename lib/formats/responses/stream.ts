import type { Head, WriteFrame } from '../../canonical/format.ts'
import type { ChatChunk, FinishReason, Sink, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { type CallItem, incompleteReason, type MessageItem, Output, type OutputItem, responseObject } from './output.ts'

/**
 * Writes chunks as the events of docs/api/responses.md#stream, and no others: official clients throw on events
 * they do not know. Text goes out as it comes; calls are written behind it, one whole item after the other, once the
 * reply is known to be complete. A reply that is cut short ends with response.completed and status incomplete.
 */
export class ResponseStream implements Sink {
  readonly #head: Head
  readonly #write: WriteFrame
  readonly #output: Output
  readonly #numbered: boolean
  #events = 0
  /** Members of a text delta up to its text, so that a delta costs one JSON.stringify of a string. Empty: no text yet. */
  #deltaStart = ''
  #finish: FinishReason | undefined
  #usage: Usage | undefined

  constructor(head: Head, write: WriteFrame) {
    this.#head = head
    this.#write = write
    this.#output = new Output(head)
    this.#numbered = head.options.responses.sequence_number
  }

  chunk(chunk: ChatChunk): void {
    this.#start()
    const text = chunk.text || chunk.refusal
    if (text) this.#text(text)
    if (chunk.toolCalls !== undefined) {
      for (const fragment of chunk.toolCalls) this.#output.call(fragment).arguments += fragment.arguments
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
    this.#send('response.completed', responseMember(responseObject(this.#head, status, items, this.#usage, { reason })))
  }

  /** A message that has begun is left open, and calls are not told: nobody runs a call of a failed reply. */
  fail(error: GatewayError): void {
    this.#start()
    const { code, message } = this.#head.errorBody(error)
    const failed = responseObject(this.#head, 'failed', [], this.#usage, { error: { code, message } })
    this.#send('response.failed', responseMember(failed))
  }

  #start(): void {
    if (this.#events > 0) return
    this.#send('response.created', responseMember(responseObject(this.#head, 'in_progress', [], undefined)))
  }

  #text(text: string): void {
    const item = this.#output.message()
    if (this.#deltaStart === '') this.#openMessage(item)
    item.content[0].text += text
    if (!this.#output.wholeJson) this.#send('response.output_text.delta', this.#deltaStart + JSON.stringify(text))
  }

  #openMessage(item: MessageItem): void {
    const { content, ...rest } = item
    const place = `${placeOf(item, 0)},"content_index":0`
    this.#send('response.output_item.added', itemMembers(0, { ...rest, content: [] }))
    this.#send('response.content_part.added', `${place},"part":${JSON.stringify(content[0])}`)
    this.#deltaStart = `${place},"delta":`
  }

  #openCall(item: CallItem, index: number): void {
    this.#send('response.output_item.added', itemMembers(index, { ...item, arguments: '' }))
    if (item.arguments === '') return
    const delta = `${placeOf(item, index)},"delta":${JSON.stringify(item.arguments)}`
    this.#send('response.function_call_arguments.delta', delta)
  }

  #close(item: OutputItem, index: number, status: 'completed' | 'incomplete'): void {
    this.#output.close(item, status)
    if (item.type === 'function_call') {
      const done = `${placeOf(item, index)},"name":${JSON.stringify(item.name)},"arguments":${JSON.stringify(item.arguments)}`
      this.#send('response.function_call_arguments.done', done)
    } else if (this.#output.wholeJson && item.content[0].text !== '') {
      this.#send('response.output_text.delta', this.#deltaStart + JSON.stringify(item.content[0].text))
    }
    this.#send('response.output_item.done', itemMembers(index, item))
  }

  /** `members` is the inside of a JSON object. */
  #send(type: string, members: string): void {
    const sequence = this.#numbered ? `"sequence_number":${this.#events},` : ''
    this.#events++
    this.#write(type, `{"type":"${type}",${sequence}${members}}`)
  }
}

function placeOf(item: OutputItem, index: number): string {
  return `"item_id":${JSON.stringify(item.id)},"output_index":${index}`
}

function itemMembers(index: number, item: object): string {
  return `"output_index":${index},"item":${JSON.stringify(item)}`
}

function responseMember(response: object): string {
  return `"response":${JSON.stringify(response)}`
}
