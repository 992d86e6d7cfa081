import type { ChatChunk, FinishReason, GatewayError, Head, Sink, ToolCallDelta, Usage, WriteFrame } from '../../chat.ts'
import { incompleteReason, type MessageItem, Output, type OutputItem, responseObject } from './output.ts'

/**
 * Writes chunks as the events of api.md "Responses-format stream", and no others: official clients throw on events
 * they do not know. A reply that is cut short ends with response.completed and status incomplete.
 */
export class ResponseStream implements Sink {
  readonly #head: Head
  readonly #write: WriteFrame
  readonly #output: Output
  readonly #numbered: boolean
  #events = 0
  /** Members of a text delta up to its text, so that a delta costs one JSON.stringify of a string. */
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
      for (const fragment of chunk.toolCalls) this.#call(fragment)
    }
    if (chunk.finish !== undefined) this.#finish = chunk.finish
    if (chunk.usage !== undefined) this.#usage = chunk.usage
  }

  end(): void {
    this.#start()
    const { items } = this.#output
    const reason = incompleteReason(this.#finish)
    const last = items.at(-1)
    for (const item of items) {
      if (item.status === 'in_progress')
        this.#close(item, reason !== undefined && item === last ? 'incomplete' : 'completed')
    }
    const status = reason === undefined ? 'completed' : 'incomplete'
    this.#send('response.completed', responseMember(responseObject(this.#head, status, items, this.#usage, { reason })))
  }

  /** Items that have begun are left open: a client must not run a call whose arguments may be cut. */
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
    const before = this.#output.items.length
    const item = this.#output.message()
    if (this.#output.items.length > before) this.#openMessage(item, before)
    item.content[0].text += text
    if (!this.#output.wholeJson) this.#send('response.output_text.delta', this.#deltaStart + JSON.stringify(text))
  }

  #openMessage(item: MessageItem, index: number): void {
    const { content, ...rest } = item
    const place = `"item_id":${JSON.stringify(item.id)},"output_index":${index},"content_index":0`
    this.#send('response.output_item.added', itemMembers(index, { ...rest, content: [] }))
    this.#send('response.content_part.added', `${place},"part":${JSON.stringify(content[0])}`)
    this.#deltaStart = `${place},"delta":`
  }

  #call(fragment: ToolCallDelta): void {
    const { items } = this.#output
    const before = items.length
    const item = this.#output.call(fragment)
    if (items.length > before) {
      const previous = items[before - 1]
      if (previous?.type === 'message') this.#close(previous, 'completed')
      this.#send('response.output_item.added', itemMembers(before, item))
    }
    if (fragment.arguments === '') return
    item.arguments += fragment.arguments
    const delta = `${placeOf(item, items.indexOf(item))},"delta":${JSON.stringify(fragment.arguments)}`
    this.#send('response.function_call_arguments.delta', delta)
  }

  #close(item: OutputItem, status: 'completed' | 'incomplete'): void {
    const index = this.#output.items.indexOf(item)
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
