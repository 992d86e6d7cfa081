import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk, Sink, Usage } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { formatOf } from '../../../../lib/formats/index.ts'
import { playReply } from '../../../support/backend-wire.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { contextOf, type Frame, feed, framesOf, OPTIONS, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const chat = formatOf('chat')

const HEAD = contextOf(chatRequest({ stream: true }))
const USAGE: Usage = { promptTokens: 3, completionTokens: 2, cachedTokens: 1, reasoningTokens: null }
const WHOLE: readonly Partial<Chunk>[] = [
  { start: true },
  { reasoning: 'Hm.' },
  { text: 'Let me ' },
  { text: 'see: "é"\n\u2028' },
  { toolCalls: [{ index: 0, id: 'call_1', name: 'look', arguments: '{"a":' }] },
  { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: '1}' }] },
  { finish: 'tool_calls' },
  { choice: -1, usage: USAGE },
]

function written(play: (sink: Sink) => void): Frame[] {
  return framesOf(chat, HEAD, play)
}

/** Data of all frames but `[DONE]`. */
function chunksOf(chunks: readonly Partial<Chunk>[]): JsonObject[] {
  const frames = written(sink => {
    feed(sink, chunks)
    sink.end()
  })
  expect(frames.pop()?.data).equal('[DONE]')
  return frames.map(frame => JSON.parse(frame.data) as JsonObject)
}

function deltaOf(chunk: JsonObject | undefined): unknown {
  return (chunk?.choices as { delta: unknown }[] | undefined)?.[0]?.delta
}

describe('the stream of chat', () => {
  it('repeats id, object, created and model in every chunk', () => {
    for (const chunk of chunksOf(WHOLE)) {
      expect(chunk).include({
        id: 'chatcmpl-0123456789abcdef0123456789abcdef',
        object: 'chat.completion.chunk',
        created: 1_750_000_000,
        model: 'model-1',
      })
    }
  })

  it('has no event names and no raw line breaks', () => {
    for (const { event, data } of written(sink => feed(sink, WHOLE))) {
      expect(event).equal(undefined)
      expect(data).not.match(/[\r\n]/)
    }
  })

  it('writes a model name that needs escaping', () => {
    const head = { ...HEAD, model: 'a"b\\c' }
    const [frame] = framesOf(chat, head, sink => feed(sink, [{ text: 'x' }]))
    expect(JSON.parse(frame!.data)).include({ model: 'a"b\\c' })
  })

  it('opens each choice with its role, once', () => {
    const deltas = chunksOf([
      { choice: 1, start: true },
      { choice: 0, start: true, text: 'a' },
      { choice: 1, start: true, text: 'b' },
      { choice: 2, reasoning: 'r' },
    ]).map(deltaOf)
    expect(deltas).eql([
      { role: 'assistant', content: '' },
      { role: 'assistant', content: 'a' },
      { content: 'b' },
      { role: 'assistant', content: '', reasoning_content: 'r' },
    ])
  })

  it('has text, reasoning and refusals under their names, also in one chunk', () => {
    const deltas = chunksOf([{}, { text: 'a' }, { reasoning: 'r' }, { refusal: 'n' }, { text: 'b', reasoning: 's' }])
    expect(deltas.slice(1).map(deltaOf)).eql([
      { content: 'a' },
      { reasoning_content: 'r' },
      { refusal: 'n' },
      { content: 'b', reasoning_content: 's' },
    ])
  })

  it('sends id, type and name of a tool call once', () => {
    const deltas = chunksOf(WHOLE).slice(4, 6).map(deltaOf)
    expect(deltas).eql([
      { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
    ])
  })

  it('passes log probabilities through', () => {
    const logprobs = { content: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }], refusal: null }
    const [chunk] = chunksOf([{ text: 'a', logprobs }])
    expect(chunk?.choices).deep.include({
      index: 0,
      delta: { role: 'assistant', content: 'a' },
      logprobs,
      finish_reason: null,
    })
  })

  describe('usage', () => {
    const totals = (completion: number) => ({
      prompt_tokens: 3,
      completion_tokens: completion,
      total_tokens: 3 + completion,
    })
    const running = (completionTokens: number): Usage => ({
      promptTokens: 3,
      completionTokens,
      cachedTokens: null,
      reasoningTokens: null,
    })

    it('is on each chunk from the first count on, and again at the end', () => {
      const counted = [{ text: 'a', usage: running(1) }, { text: 'b' }, { finish: 'stop', usage: running(2) }] as const
      const chunks = chunksOf([{}, ...counted])
      expect(chunks.map(chunk => chunk.usage)).eql([undefined, totals(1), totals(1), totals(2), totals(2)])
      expect(chunks.at(-1)?.choices).eql([])
    })

    it('is written once if it arrives in a chunk of its own', () => {
      const chunks = chunksOf([
        { finish: 'stop' },
        { choice: -1, usage: running(1) },
        { choice: -1, usage: running(2) },
      ])
      expect(chunks.map(chunk => chunk.usage)).eql([undefined, totals(2)])
    })

    it('is absent if the backend reports none', () => {
      expect(chunksOf([{ text: 'a' }, { finish: 'stop' }])).length(2)
    })

    it('is absent from a chunk that only reports a usage error', () => {
      expect(chunksOf([{ text: 'a' }, { choice: -1 }])).length(1)
    })
  })

  describe('a chunk that is a text alone', () => {
    const TEXTS = ['a', '', '"\\', 'é\u2028\n', '🙂', '\ud83d', 'x'.repeat(10_000)]
    const STEPS: readonly Usage[] = [
      { promptTokens: 3, completionTokens: 1, cachedTokens: null, reasoningTokens: null },
      { promptTokens: 3, completionTokens: 2, cachedTokens: 2, reasoningTokens: 0 },
    ]
    const PARTS = '"logprobs":null,"finish_reason":null}]'
    const EVENT =
      '{"id":"chatcmpl-0123456789abcdef0123456789abcdef","object":"chat.completion.chunk","created":1750000000'
    const eventOf = (choice: number, text: string, usage: string) =>
      `${EVENT},"model":"model-1","choices":[{"index":${choice},"delta":{"content":${JSON.stringify(text)}},${PARTS}${usage}}`

    /** Data of the events of these chunks, after the event that opens their choice. */
    const dataAfterOpening = (usage_chunks: 'every' | 'last', choice: number, chunks: readonly Partial<Chunk>[]) => {
      const context = contextOf(chatRequest({ stream: true, n: 2 }), { ...OPTIONS, chat: { usage_chunks } })
      const all = [{ start: true }, ...chunks].map(chunk => ({ ...chunk, choice }))
      return framesOf(chat, context, sink => feed(sink, all))
        .slice(1)
        .map(({ data }) => data)
    }

    for (const choice of [0, 1]) {
      const name = choice === 0 ? 'the first choice' : 'another choice'
      it(`is written with a fixed set of members: ${name}`, () => {
        for (const usage_chunks of ['every', 'last'] as const) {
          const chunks = TEXTS.map(text => ({ text }))
          expect(dataAfterOpening(usage_chunks, choice, chunks)).eql(TEXTS.map(text => eventOf(choice, text, '')))
        }
      })

      it(`has the usage so far, unless usage is sent last: ${name}`, () => {
        const [first, second] = STEPS
        const chunks = [
          { text: 'a' },
          { text: 'b', usage: first },
          { text: 'c' },
          { text: 'd', usage: second },
          { text: '' },
        ]
        const one = ',"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}'
        const two =
          ',"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":0}}'
        const written = (usages: readonly string[]) =>
          chunks.map(({ text }, index) => eventOf(choice, text, usages[index] ?? ''))
        expect(dataAfterOpening('every', choice, chunks)).eql(written(['', one, one, two, two]))
        expect(dataAfterOpening('last', choice, chunks)).eql(written([]))
      })
    }

    it('is written as a different event with any other member', () => {
      const others: readonly Partial<Chunk>[] = [
        { reasoning: 'r' },
        { refusal: 'n' },
        { toolCalls: [{ index: 0, id: 'call_1', name: 'look', arguments: '' }] },
        { logprobs: { content: [] } },
        { logprobs: null },
        { finish: 'stop' },
      ]
      const chunks = others.flatMap(other => [{ ...other, text: 'a' }, other, { text: 'a' }])
      const [first, second] = [0, 1].map(choice => dataAfterOpening('every', choice, chunks))
      expect(first!.map(data => data.replace('"index":0,"delta"', '"index":1,"delta"'))).eql(second)
      expect(new Set(first).size).equal(2 * others.length)
      expect(first!.filter(data => data === eventOf(0, 'a', '')).length).equal(others.length + 1)
    })
  })

  it('reports a failure in-band and does not write [DONE]', () => {
    const frames = written(sink => {
      feed(sink, [{ text: 'a', usage: USAGE }])
      sink.fail(failure('backend_timeout', { model: 'm' }))
    })
    expect(frames).length(2)
    expect(JSON.parse(frames[1]!.data).error).include({ code: 'backend_timeout', type: 'routing_error' })
  })

  describe('read by the openai package', () => {
    const call = (baseURL: string) =>
      new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 }).chat.completions.stream({
        model: 'm',
        messages: [{ role: 'user', content: 'Hi' }],
      })

    it('is assembled as it was sent', async () => {
      const frames = written(sink => {
        feed(sink, WHOLE)
        sink.end()
      })
      const completion = await replay(frames, baseURL => call(baseURL).finalChatCompletion())
      const message = completion.choices[0]?.message
      expect(message?.content).equal('Let me see: "é"\n\u2028')
      expect(message?.tool_calls?.[0]).deep.include({ id: 'call_1', function: { name: 'look', arguments: '{"a":1}' } })
      expect(completion.usage).include({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 })
    })

    it('throws the error', async () => {
      const frames = written(sink => {
        feed(sink, [{ text: 'a' }])
        sink.fail(failure('backend_timeout', { model: 'm' }))
      })
      const thrown = await replay(frames, baseURL =>
        call(baseURL)
          .finalChatCompletion()
          .then(
            () => undefined,
            (error: unknown) => error,
          ),
      )
      expect(thrown).instanceOf(OpenAI.APIError).include({ code: 'backend_timeout' })
    })
  })
})

describe('the chat format', () => {
  goldenStreams(chat, { request: { model: 'model-1', messages: [{ role: 'user', content: 'Hi' }] } })
  goldenRequests(chat, { body: 'chat-completions' })

  it('writes [DONE] only after a finish reason, wherever the backend ends the stream', () => {
    const request = chatRequest({ stream: true })
    const events = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      { choices: [{ index: 0, delta: { content: 'Hm – é' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    ]
    const bytes = Buffer.from(`${events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
    let whole = 0
    for (let end = 0; end <= bytes.length; end++) {
      const written: string[] = []
      const sink = chat.encoder(contextOf(request), (_event, data) => written.push(data))
      playReply(sink, { request, bytes: bytes.subarray(0, end), json: false, slice: 64 })
      const last = written.at(-1) ?? ''
      if (last === '[DONE]') {
        whole++
        expect(written.join()).include('"finish_reason":"stop"')
      } else {
        expect(JSON.parse(last)).property('error')
      }
    }
    // Clean ends: after the finish chunk, after usage, after [DONE].
    expect(whole).equal(3)
  })
})
