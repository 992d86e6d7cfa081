import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { messages } from '../../../../lib/formats/messages/index.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { contextOf, dataOf, feed, framesOf } from '../../../support/encoders.ts'

const THINKING = { enabled: true, effort: undefined, param: 'thinking', byDefault: 'off', hidden: false } as const
const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: null, reasoningTokens: null }

function frames(chunks: readonly Partial<Chunk>[], members: Partial<ChatRequest> = {}) {
  return framesOf(messages, contextOf(chatRequest(members)), sink => {
    feed(sink, chunks)
    sink.end()
  })
}

function events(chunks: readonly Partial<Chunk>[], members: Partial<ChatRequest> = {}): JsonObject[] {
  return dataOf(frames(chunks, members))
}

const names = (data: readonly JsonObject[]) =>
  data.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))

describe('Messages stream', () => {
  it('writes exactly the events of the documentation, each named by its type', () => {
    const written = frames([
      { start: true, text: '' },
      { text: 'Hel' },
      { text: 'lo "é"\n' },
      { finish: 'stop', usage },
    ])
    for (const { event, data } of written) expect(JSON.parse(data)).include({ type: event })
    expect(dataOf(written)).deep.equal([
      {
        type: 'message_start',
        message: {
          id: 'msg_0123456789abcdef0123456789abcdef',
          type: 'message',
          role: 'assistant',
          model: 'model-1',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo "é"\n' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      { type: 'message_stop' },
    ])
  })

  it('writes thinking as blocks before the answer, and switches blocks as often as the model does', () => {
    const written = events(
      [
        { reasoning: 'Hm' },
        { reasoning: '.' },
        { text: 'a' },
        { reasoning: 'So' },
        { reasoning: 'x', text: 'b', finish: 'stop' },
      ],
      { reasoning: THINKING },
    )
    expect(written.slice(1, 5)).deep.equal([
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: '.' } },
      { type: 'content_block_stop', index: 0 },
    ])
    const starts = written.flatMap(({ content_block }) => (content_block as JsonObject | undefined)?.type ?? [])
    expect(starts).deep.equal(['thinking', 'text', 'thinking', 'text'])
  })

  it('hides thinking that was not asked for', () => {
    expect(names(events([{ reasoning: 'Hm.' }, { text: 'a', finish: 'stop' }]))).deep.equal([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'message_delta',
      'message_stop',
    ])
  })

  it('writes each tool call whole, in order, once, after the text', () => {
    const written = events([
      { text: 'Let me look.' },
      { toolCalls: [{ index: 0, id: 'a', name: 'f', arguments: '{"x"' }] },
      { toolCalls: [{ index: 1, id: 'b', name: 'g', arguments: '' }] },
      { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: ': 1}' }] },
      { text: '\n' },
      { finish: 'tool_calls', usage },
    ])
    expect(written.slice(3)).deep.equal([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '\n' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"x": 1}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'b', name: 'g', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      { type: 'message_stop' },
    ])
  })

  for (const [name, before] of [
    ['text', [{ text: 'a' }]],
    ['thinking', [{ reasoning: 'a' }]],
    ['nothing', []],
  ] as const) {
    it(`says tool_use when calls follow ${name}, whatever the engine calls it`, () => {
      const call = { index: 0, id: 'a', name: 'f', arguments: '{}' }
      const written = events([...before, { toolCalls: [call] }, { finish: 'stop' }], { reasoning: THINKING })
      expect(written.at(-2)).deep.nested.include({ 'delta.stop_reason': 'tool_use' })
    })
  }

  it('takes usage that comes before, with and after the finish as running totals', () => {
    const written = events([
      { text: 'a', usage: { ...usage, completionTokens: 1 } },
      { finish: 'stop', usage: { ...usage, completionTokens: 2 } },
      { choice: -1, usage: { ...usage, cachedTokens: 8 } },
    ])
    expect(written.at(-2)?.usage).deep.equal({
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 8,
    })
  })

  it('is a message without blocks when nothing was said', () => {
    expect(names(events([{ finish: 'length' }]))).deep.equal(['message_start', 'message_delta', 'message_stop'])
  })

  it('ends with an error event and nothing after it, and never shows calls of a reply that failed', () => {
    const written = framesOf(messages, contextOf(chatRequest()), sink => {
      feed(sink, [{ text: 'a' }, { toolCalls: [{ index: 0, id: 'a', name: 'f', arguments: '{}' }] }])
      sink.fail(failure('backend_timeout', { model: 'model-1' }))
    })
    expect(written.map(({ event }) => event)).deep.equal([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'error',
    ])
    expect(dataOf(written).at(-1)).deep.equal({
      type: 'error',
      error: {
        type: 'routing_error',
        code: 'backend_timeout',
        message: "Model 'model-1' did not answer in time.",
        request_id: 'req_0123456789ab',
        docs_url: 'https://docs.test/backend_timeout',
      },
    })
  })
})
