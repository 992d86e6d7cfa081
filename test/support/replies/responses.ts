import { expect } from 'chai'
import type OpenAI from 'openai'
import { framesOf, type Outcome } from './outcome.ts'

type Response = OpenAI.Responses.Response
type Event = OpenAI.Responses.ResponseStreamEvent

export function responsesReply(body: string): Outcome {
  return outcomeOf(JSON.parse(body) as Response)
}

/** Demands the events of docs/api/responses.md#stream and no others, and that they add up to the final object. */
export function responsesStream(body: string): Outcome {
  const events = framesOf(body).map(({ event, data }) => {
    const parsed = JSON.parse(data) as Event
    expect(parsed.type, 'the event line names the type').equal(event)
    expect(parsed).not.property('sequence_number')
    return parsed
  })
  /** Of each item the text or arguments that its deltas have said. */
  const said: string[] = []
  const ids: string[] = []
  const done: unknown[] = []
  for (const [at, event] of events.entries()) {
    const isLast = at === events.length - 1
    switch (event.type) {
      case 'response.created':
        expect(at, 'response.created comes first').equal(0)
        expect(event.response).deep.include({ status: 'in_progress', output: [] })
        break
      case 'response.output_item.added':
        expect(event.output_index).equal(said.length)
        said.push('')
        ids.push(event.item.id ?? '')
        break
      case 'response.content_part.added':
        expect(event).include({ item_id: ids[event.output_index], content_index: 0 })
        break
      case 'response.output_text.delta':
      case 'response.function_call_arguments.delta':
        expect(event.item_id).equal(ids[event.output_index])
        said[event.output_index] += event.delta
        break
      case 'response.function_call_arguments.done':
        expect(event).include({ item_id: ids[event.output_index], arguments: said[event.output_index] })
        break
      case 'response.output_item.done':
        expect(event.item.id).equal(ids[event.output_index])
        done[event.output_index] = event.item
        break
      case 'response.completed':
        expect(isLast, 'response.completed is the last event').equal(true)
        expect(event.response.output).deep.equal(done)
        expect(new Set(ids).size).equal(ids.length)
        expect(event.response.output.map(textOf)).deep.equal(said)
        return outcomeOf(event.response)
      case 'response.failed':
        expect(isLast, 'response.failed is the last event').equal(true)
        expect(event.response.status).equal('failed')
        return { failed: String(event.response.error?.code), text: said.join('') }
      default:
        throw new Error(`An event that must not be sent: ${event.type}.`)
    }
  }
  throw new Error('The stream ended without its last event.')
}

function outcomeOf({ output, status, incomplete_details, usage }: Response): Outcome {
  return {
    text: output.map(item => (item.type === 'message' ? textOf(item) : '')).join(''),
    reasoning: undefined,
    calls: output.flatMap(item =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
    ),
    finish: incomplete_details?.reason ?? String(status),
    usage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cached: usage?.input_tokens_details.cached_tokens ?? 0,
    },
  }
}

function textOf(item: OpenAI.Responses.ResponseOutputItem): string {
  if (item.type === 'function_call') return item.arguments
  if (item.type !== 'message') throw new Error(`An item that must not be there: ${item.type}.`)
  return item.content.map(part => (part.type === 'output_text' ? part.text : '')).join('')
}
