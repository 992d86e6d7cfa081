import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { failure, type GatewayError } from '../../../../lib/errors/errors.ts'
import { formatOf } from '../../../../lib/formats/index.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf, dataOf, feed, framesOf, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const messages = formatOf('messages')

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

  it('hides thinking that was not requested', () => {
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
    it(`reports tool_use if calls follow ${name}, whatever the engine reports`, () => {
      const call = { index: 0, id: 'a', name: 'f', arguments: '{}' }
      const written = events([...before, { toolCalls: [call] }, { finish: 'stop' }], { reasoning: THINKING })
      expect(written.at(-2)).deep.nested.include({ 'delta.stop_reason': 'tool_use' })
    })
  }

  it('reads usage before, with and after the finish reason as running totals', () => {
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

  it('is a message without blocks if the reply is empty', () => {
    expect(names(events([{ finish: 'length' }]))).deep.equal(['message_start', 'message_delta', 'message_stop'])
  })

  it('ends with an error event, and never sends calls of a failed reply', () => {
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

const USAGE = { promptTokens: 30, completionTokens: 12, cachedTokens: 16, reasoningTokens: null }

/** All kinds of content of a reply, in pieces. */
const CHUNKS: readonly Partial<Chunk>[] = [
  { start: true, text: '' },
  { reasoning: 'Two ' },
  { reasoning: 'cities.' },
  { text: 'Let me ' },
  { text: 'look.' },
  { toolCalls: [{ index: 0, id: 'functions.get_weather:0', name: 'get_weather', arguments: '{"city":' }] },
  { toolCalls: [{ index: 1, id: 'b', name: 'now', arguments: '' }] },
  { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: ' "Paris"}' }] },
  { finish: 'tool_calls' },
  { choice: -1, usage: USAGE },
]

const CONTENT = [
  { type: 'thinking', thinking: 'Two cities.', signature: '' },
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'functions.get_weather:0', name: 'get_weather', input: { city: 'Paris' } },
  { type: 'tool_use', id: 'b', name: 'now', input: {} },
]

const PARAMS = { model: 'model-1', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }

function client(baseURL: string): Anthropic {
  return new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ''), apiKey: 'service_test', maxRetries: 0 })
}

function head(members: Partial<ChatRequest> = {}) {
  return contextOf(chatRequest({ reasoning: THINKING, ...members }))
}

describe('the messages format', () => {
  goldenStreams(messages, {
    request: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  })
  goldenRequests(messages, { body: 'messages' })

  describe('read by the official package', () => {
    it('streams thinking, text and tool calls', async () => {
      const frames = framesOf(messages, head(), sink => {
        feed(sink, CHUNKS)
        sink.end()
      })
      await replay(frames, async baseURL => {
        const stream = client(baseURL).messages.stream(PARAMS)
        let text = ''
        let thinking = ''
        stream.on('text', piece => {
          text += piece
        })
        stream.on('thinking', piece => {
          thinking += piece
        })
        const message = await stream.finalMessage()
        expect({ text, thinking }).deep.equal({ text: 'Let me look.', thinking: 'Two cities.' })
        expect(JSON.parse(JSON.stringify(message.content))).deep.equal(CONTENT)
        expect(message).include({ stop_reason: 'tool_use', stop_sequence: null, model: 'model-1' })
        expect(message.usage).include({
          input_tokens: 30,
          output_tokens: 12,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 16,
        })
      })
    })

    it('receives an equal message without a stream', async () => {
      const collector = messages.collector(head())
      for (const chunk of CHUNKS) collector.chunk(chunkOf(chunk))
      await replay(collector.result(), async baseURL => {
        const message = await client(baseURL).messages.create(PARAMS)
        expect(message).deep.include({ content: CONTENT, stop_reason: 'tool_use', role: 'assistant' })
      })
    })

    it('raises an error in the middle of a stream, with all its members', async () => {
      const frames = framesOf(messages, head(), sink => {
        feed(sink, CHUNKS.slice(0, 5))
        sink.fail(failure('backend_timeout', { model: 'model-1' }))
      })
      await replay(frames, async baseURL => {
        const stream = client(baseURL).messages.stream(PARAMS)
        const raised = await stream.finalMessage().then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(raised).instanceOf(Anthropic.APIError)
        expect(raised).deep.nested.include({ type: 'routing_error', 'error.error.code': 'backend_timeout' })
      })
    })

    it('hands a message back as history that is read as it was written', async () => {
      const frames = framesOf(messages, head(), sink => {
        feed(sink, CHUNKS)
        sink.end()
      })
      await replay(frames, async baseURL => {
        const { content } = await client(baseURL).messages.stream(PARAMS).finalMessage()
        const history = [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: JSON.parse(JSON.stringify(content)) },
        ]
        const request = messages.toCanonical({ ...PARAMS, messages: history }, head().options)
        expect(request).deep.nested.include({
          'messages[1]': {
            role: 'assistant',
            content: 'Let me look.',
            reasoning: 'Two cities.',
            toolCalls: [
              { id: 'functions.get_weather:0', name: 'get_weather', arguments: '{"city":"Paris"}' },
              { id: 'b', name: 'now', arguments: '{}' },
            ],
            origin: 'messages.1',
          },
        })
      })
    })

    it('continues without threads when they are refused', async () => {
      let asked = 0
      const refused = await threadRefusal()
      const reply = messages.collector(head())
      reply.chunk(chunkOf({ text: 'Done.', finish: 'stop', usage: USAGE }))
      const answers = [
        { status: 400, body: messages.toErrorBody(refused) },
        { status: 200, body: reply.result() },
      ]
      const fetch: typeof globalThis.fetch = async () => {
        const { status, body } = answers[asked++]!
        return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
      }
      const sdk = new Anthropic({ baseURL: 'http://127.0.0.1:1', apiKey: 'service_test', maxRetries: 0, fetch })
      const runner = sdk.beta.messages.toolRunner({ ...PARAMS, tools: [] })
      const message = await runner
      expect(message.content).deep.equal([{ type: 'text', text: 'Done.' }])
      expect(asked).equal(2)
    })
  })
})

/** The refusal of a thread, in the envelope. */
async function threadRefusal() {
  try {
    messages.toCanonical({ ...PARAMS, thread: { type: 'create' } }, head().options)
  } catch (thrown) {
    const { type, code, message, details } = thrown as GatewayError
    return { type, code, message, request_id: 'req_0123456789ab', docs_url: '', ...details.extra }
  }
  throw new Error('The thread was accepted.')
}
