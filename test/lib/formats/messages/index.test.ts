import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { failure, type GatewayError } from '../../../../lib/errors/errors.ts'
import { messages } from '../../../../lib/formats/messages/index.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf, feed, framesOf, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const THINKING = { enabled: true, effort: undefined, param: 'thinking', byDefault: 'off', hidden: false } as const
const USAGE = { promptTokens: 30, completionTokens: 12, cachedTokens: 16, reasoningTokens: null }

/** Everything a reply can hold, in pieces. */
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

    it('replies with the same message', async () => {
      const collector = messages.collector(head())
      for (const chunk of CHUNKS) collector.chunk(chunkOf(chunk))
      await replay(collector.result(), async baseURL => {
        const message = await client(baseURL).messages.create(PARAMS)
        expect(message).deep.include({ content: CONTENT, stop_reason: 'tool_use', role: 'assistant' })
      })
    })

    it('raises an error in the middle of a stream, with everything that is in it', async () => {
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

/** The refusal of a thread, as the core puts it into the envelope. */
async function threadRefusal() {
  try {
    messages.toCanonical({ ...PARAMS, thread: { type: 'create' } }, head().options)
  } catch (thrown) {
    const { type, code, message, details } = thrown as GatewayError
    return { type, code, message, request_id: 'req_0123456789ab', docs_url: '', ...details.extra }
  }
  throw new Error('The thread was accepted.')
}
