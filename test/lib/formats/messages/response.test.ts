import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { ResponseCollector } from '../../../../lib/formats/messages/response.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf } from '../../../support/encoders.ts'

const THINKING = { enabled: true, effort: undefined, param: 'thinking', byDefault: 'off', hidden: false } as const
const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 4, reasoningTokens: null }

function reply(chunks: readonly Partial<Chunk>[], members: Partial<ChatRequest> = {}): JsonObject {
  const collector = new ResponseCollector(contextOf(chatRequest(members)))
  for (const chunk of chunks) collector.chunk(chunkOf(chunk))
  return collector.result()
}

describe('Messages response', () => {
  it('is a message', () => {
    expect(reply([{ text: 'Hello', finish: 'stop', usage }])).deep.equal({
      id: 'msg_0123456789abcdef0123456789abcdef',
      type: 'message',
      role: 'assistant',
      model: 'model-1',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 4 },
    })
  })

  it('has thinking before text before calls', () => {
    const call = { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }
    const chunk: Partial<Chunk> = {
      text: 'Let me look.',
      reasoning: 'Hm.',
      toolCalls: [call],
      finish: 'tool_calls',
    }
    expect(reply([chunk], { reasoning: THINKING })).deep.include({
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
      ],
      stop_reason: 'tool_use',
    })
  })

  it('hides thinking that was not requested, also of a model that always reasons', () => {
    const chunk = { reasoning: 'Hm.', text: 'Hi', finish: 'stop' } as const
    const content = [{ type: 'text', text: 'Hi' }]
    expect(reply([chunk])).deep.include({ content })
    expect(reply([chunk], { reasoning: { ...THINKING, hidden: true } })).deep.include({ content })
  })

  it('keeps the complete members of a call in which the reply was cut', () => {
    const call = { index: 0, id: 'a', name: 'write', arguments: '{"path":"a.txt","text":"half' }
    expect(reply([{ toolCalls: [call], finish: 'length' }])).deep.include({
      content: [{ type: 'tool_use', id: 'a', name: 'write', input: { path: 'a.txt' } }],
      stop_reason: 'max_tokens',
    })
  })

  it('names the stop sequence that was met', () => {
    expect(reply([{ text: 'a', finish: 'stop', matchedStop: 'END' }], { stop: ['END'] })).include({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
  })

  it('gathers pieces, shows refusals as text and counts the last usage', () => {
    const message = reply([
      { start: true, text: '' },
      { text: 'Hel', usage: { ...usage, completionTokens: 1 } },
      { text: 'lo' },
      { refusal: ' No.', finish: 'stop' },
      { choice: -1, usage },
    ])
    expect(message.content).deep.equal([{ type: 'text', text: 'Hello No.' }])
    expect(message.usage).include({ output_tokens: 5 })
  })

  it('has no blocks if the reply is empty, and zero counts without usage', () => {
    expect(reply([{ text: '', finish: 'length' }])).deep.include({
      content: [],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    })
  })
})
