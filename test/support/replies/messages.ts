import type Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import { type Call, framesOf, type Outcome } from './outcome.ts'

type Event = Anthropic.RawMessageStreamEvent | { readonly type: 'error'; readonly error: { readonly code: string } }
type Block = { readonly type: string; text: string; readonly id: string; readonly name: string }

export function messagesReply(body: string): Outcome {
  const { content, stop_reason, usage } = JSON.parse(body) as Anthropic.Message
  const texts = content.map(block => (block.type === 'text' ? block.text : ''))
  const thoughts = content.map(block => (block.type === 'thinking' ? block.thinking : ''))
  const calls = content.flatMap(block =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
  )
  return {
    text: texts.join(''),
    reasoning: thoughts.join(''),
    calls,
    finish: String(stop_reason),
    usage: usageOf(usage),
  }
}

/** Demands the order of events in docs/api/messages.md#stream, and that nothing else is sent. */
export function messagesStream(body: string): Outcome {
  const events = framesOf(body).map(({ event, data }) => {
    const parsed = JSON.parse(data) as Event
    expect(parsed.type, 'the event line names the type').equal(event)
    return parsed
  })
  const blocks: Block[] = []
  let open = false
  let finish: string | null | undefined
  let usage = { input: 0, output: 0, cached: 0 }
  const textOf = (type: string) => blocks.map(block => (block.type === type ? block.text : '')).join('')
  for (const [at, event] of events.entries()) {
    const isLast = at === events.length - 1
    switch (event.type) {
      case 'message_start':
        expect(at, 'message_start comes first').equal(0)
        expect(event.message.content).deep.equal([])
        expect(Object.values(event.message.usage), 'every counter is zero at the start').deep.equal([0, 0, 0, 0])
        break
      case 'content_block_start':
        expect({ open, index: event.index }).deep.equal({ open: false, index: blocks.length })
        open = true
        blocks.push({ ...(event.content_block as unknown as Block), text: '' })
        break
      case 'content_block_delta': {
        expect({ open, index: event.index }).deep.equal({ open: true, index: blocks.length - 1 })
        const block = blocks.at(-1) as Block
        if (event.delta.type === 'text_delta' && block.type === 'text') block.text += event.delta.text
        else if (event.delta.type === 'thinking_delta' && block.type === 'thinking') block.text += event.delta.thinking
        else if (event.delta.type === 'input_json_delta' && block.type === 'tool_use')
          block.text += event.delta.partial_json
        else throw new Error(`A delta of type ${event.delta.type} in a block of type ${block.type}.`)
        break
      }
      case 'content_block_stop':
        expect({ open, index: event.index }).deep.equal({ open: true, index: blocks.length - 1 })
        open = false
        break
      case 'message_delta':
        expect(open, 'every block is closed').equal(false)
        finish = event.delta.stop_reason
        usage = usageOf(event.usage)
        break
      case 'message_stop':
        expect({ isLast, finished: finish !== undefined }).deep.equal({ isLast: true, finished: true })
        break
      case 'error':
        expect(isLast, 'an error is the last event').equal(true)
        return { failed: event.error.code, text: textOf('text') }
    }
  }
  expect(events.at(-1)?.type).equal('message_stop')
  const calls = blocks.flatMap(({ type, id, name, text }): Call[] =>
    type === 'tool_use' ? [{ id, name, arguments: text }] : [],
  )
  return { text: textOf('text'), reasoning: textOf('thinking'), calls, finish: String(finish), usage }
}

type Counters = Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens', number | null>

function usageOf({ input_tokens, output_tokens, cache_read_input_tokens }: Counters) {
  return { input: Number(input_tokens), output: Number(output_tokens), cached: Number(cache_read_input_tokens) }
}
