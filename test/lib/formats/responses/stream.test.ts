import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { FormatOptions } from '../../../../lib/canonical/format.ts'
import type { Chunk, Sink } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { formatOf } from '../../../../lib/formats/index.ts'
import { toCanonical } from '../../../../lib/formats/responses/request.ts'
import { chunkOf, contextOf, dataOf, feed, framesOf, OPTIONS, REPLY_ID, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const responses = formatOf('responses')

/** docs/api/responses.md#stream: no other event may be sent. */
const EVENTS = [
  'response.created',
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_item.done',
  'response.completed',
  'response.failed',
]

const usage = { promptTokens: 3, completionTokens: 4, cachedTokens: 1, reasoningTokens: 2 }
const broken = failure('backend_timeout', { model: 'model-1' })

interface Setup {
  readonly members?: JsonObject
  readonly options?: FormatOptions
}

function events(play: (sink: Sink) => void, { members = {}, options = OPTIONS }: Setup = {}): JsonObject[] {
  const head = contextOf(toCanonical({ model: 'model-1', input: 'Hi', ...members }, options), options)
  const frames = framesOf(responses, head, play)
  const data = dataOf(frames)
  expect(frames.map(frame => frame.event)).deep.equal(data.map(event => event.type))
  for (const event of data) expect(EVENTS).include(event.type)
  return data
}

const whole = (chunks: readonly Partial<Chunk>[], setup?: Setup) =>
  events(sink => {
    feed(sink, chunks)
    sink.end()
  }, setup)

const types = (data: readonly JsonObject[]) => data.map(event => String(event.type).replace('response.', ''))
const at = (data: readonly JsonObject[], index: number): JsonObject => data.at(index) ?? {}

describe('ResponseStream', () => {
  it('writes text as one message', () => {
    const data = whole([
      { start: true, text: '' },
      { text: 'Hé' },
      { text: '"lo' },
      { finish: 'stop' },
      { choice: -1, usage },
    ])
    const place = { item_id: `msg_${REPLY_ID}0`, output_index: 0, content_index: 0 }
    const part = { type: 'output_text', text: '', annotations: [] }
    const item = { id: place.item_id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    const done = { ...item, status: 'completed', content: [{ ...part, text: 'Hé"lo' }] }
    expect(data.slice(1, -1)).deep.equal([
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.content_part.added', ...place, part },
      { type: 'response.output_text.delta', ...place, delta: 'Hé' },
      { type: 'response.output_text.delta', ...place, delta: '"lo' },
      { type: 'response.output_item.done', output_index: 0, item: done },
    ])
    expect(at(data, 0).response).deep.include({ id: `resp_${REPLY_ID}`, status: 'in_progress', output: [] })
    expect(at(data, 0).response).nested.include({
      'usage.input_tokens': 0,
      'usage.output_tokens': 0,
      'usage.total_tokens': 0,
    })
    expect(at(data, -1).response).deep.include({ id: `resp_${REPLY_ID}`, status: 'completed', output: [done] })
    expect(at(data, -1).response).nested.include({ 'usage.input_tokens': 3, 'usage.output_tokens': 4 })
  })

  it('writes a tool call after the text, which ends with it', () => {
    const data = whole([
      { text: 'Look.' },
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a":1}' }] },
      { finish: 'tool_calls' },
    ])
    expect(types(data)).deep.equal([
      'created',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
    const place = { item_id: `fc_${REPLY_ID}1`, output_index: 1 }
    const item = {
      id: place.item_id,
      type: 'function_call',
      status: 'in_progress',
      call_id: 'c1',
      name: 'f',
      arguments: '',
    }
    const done = { ...item, status: 'completed', arguments: '{"a":1}' }
    expect(data.slice(5, -1)).deep.equal([
      { type: 'response.output_item.added', output_index: 1, item },
      { type: 'response.function_call_arguments.delta', ...place, delta: '{"a":1}' },
      { type: 'response.function_call_arguments.done', ...place, name: 'f', arguments: '{"a":1}' },
      { type: 'response.output_item.done', output_index: 1, item: done },
    ])
    expect(at(data, -1).response).nested.property('output.1').deep.equal(done)
  })

  it('writes calls one whole item after the other, however their fragments are mixed', () => {
    const data = whole([
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a"' }] },
      { toolCalls: [{ index: 1, id: 'c2', name: 'g', arguments: '' }] },
      { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: ':1}' }] },
      { finish: 'tool_calls' },
    ])
    expect(data.slice(1, -1).map(event => [event.type, event.output_index, event.delta ?? event.arguments])).deep.equal(
      [
        ['response.output_item.added', 0, undefined],
        ['response.function_call_arguments.delta', 0, '{"a":1}'],
        ['response.function_call_arguments.done', 0, '{"a":1}'],
        ['response.output_item.done', 0, undefined],
        ['response.output_item.added', 1, undefined],
        ['response.function_call_arguments.done', 1, ''],
        ['response.output_item.done', 1, undefined],
      ],
    )
  })

  it('writes text before the calls, also text that arrives after one', () => {
    const data = whole([
      { text: 'a' },
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{}' }] },
      { text: 'b' },
      { finish: 'tool_calls' },
    ])
    const added = data.filter(event => event.type === 'response.output_item.added')
    expect(added.map(event => event.output_index)).deep.equal([0, 1])
    const deltas = data.filter(event => event.type === 'response.output_text.delta')
    expect(deltas.map(event => [event.item_id, event.output_index, event.delta])).deep.equal([
      [`msg_${REPLY_ID}0`, 0, 'a'],
      [`msg_${REPLY_ID}0`, 0, 'b'],
    ])
    expect(at(data, -1).response).nested.property('output.0.content.0.text', 'ab')
  })

  it('writes no reasoning', () => {
    const data = whole([{ reasoning: 'Secret' }, { text: 'Hi', reasoning: 'Secret' }, { finish: 'stop' }])
    expect(JSON.stringify(data)).not.include('Secret')
    expect(types(data).filter(type => type === 'output_text.delta')).length(1)
  })

  it('ends a truncated reply with completed and status incomplete', () => {
    const data = whole([{ text: 'a' }, { finish: 'length' }])
    expect(at(data, -1)).property('type', 'response.completed')
    expect(at(data, -1).response).deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(at(data, -2).item).include({ status: 'incomplete' })
    const filtered = whole([{ finish: 'content_filter' }])
    expect(at(filtered, -1).response).deep.include({
      status: 'incomplete',
      output: [],
      incomplete_details: { reason: 'content_filter' },
    })
  })

  describe('failures', () => {
    it('ends with failed, closes no open item and writes no call', () => {
      const data = events(sink => {
        feed(sink, [
          { text: 'a' },
          { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a' }] },
          { choice: -1, usage },
        ])
        sink.fail(broken)
      })
      const last = at(data, -1)
      expect(last.type).equal('response.failed')
      expect(last.response).deep.include({
        status: 'failed',
        output: [],
        error: { code: 'backend_timeout', message: broken.message },
      })
      expect(last.response).nested.property('usage.output_tokens', 4)
      expect(types(data)).deep.equal([
        'created',
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'failed',
      ])
    })

    it('starts with created, even in an empty reply', () => {
      expect(types(events(sink => sink.fail(broken)))).deep.equal(['created', 'failed'])
      expect(types(events(sink => sink.end()))).deep.equal(['created', 'completed'])
    })
  })

  describe('json_schema', () => {
    const members = { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } } }

    it('writes the whole JSON in one delta just before the item completes', () => {
      const data = whole([{ text: '```json\n' }, { text: '{"a":' }, { text: '1}\n```' }, { finish: 'stop' }], {
        members,
      })
      expect(types(data)).deep.equal([
        'created',
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'output_item.done',
        'completed',
      ])
      expect(data[3]).include({ delta: '{"a":1}', output_index: 0, content_index: 0 })
      expect(data[4]).nested.property('item.content.0.text', '{"a":1}')
    })

    it('writes the text of a truncated reply', () => {
      const data = whole([{ text: '{"a":' }, { finish: 'length' }], { members })
      expect(data[3]).include({ delta: '{"a":' })
      expect(at(data, -1).response).include({ status: 'incomplete' })
    })

    it('writes no text of a failed reply', () => {
      const data = events(
        sink => {
          feed(sink, [{ text: '{"a":' }])
          sink.fail(broken)
        },
        { members },
      )
      expect(types(data)).deep.equal(['created', 'output_item.added', 'content_part.added', 'failed'])
    })
  })

  describe('sequence_number', () => {
    it('is absent by default', () => {
      for (const event of whole([{ text: 'a' }, { finish: 'stop' }])) expect(event).not.property('sequence_number')
    })
    it('counts every event from 0 if configured', () => {
      const options = { ...OPTIONS, responses: { ...OPTIONS.responses, sequence_number: true } }
      const data = whole([{ text: 'a' }, { text: 'b' }, { finish: 'stop' }], { options })
      expect(data.map(event => event.sequence_number)).deep.equal(data.map((_, index) => index))
    })
  })
})

const client = (baseURL: string) => new OpenAI({ baseURL, apiKey: 'key', maxRetries: 0 })
const headFor = (members: JsonObject = {}) =>
  contextOf(responses.toCanonical({ model: 'model-1', input: 'Hi', ...members }, OPTIONS))

/** What the helper of the openai package returns for the stream. */
function streamed(play: (sink: Sink) => void, members: JsonObject = {}) {
  return replay(framesOf(responses, headFor(members), play), async baseURL => {
    const stream = client(baseURL).responses.stream({ model: 'model-1', input: 'Hi' })
    const seen: string[] = []
    for await (const event of stream) seen.push(event.type)
    return { seen, final: await stream.finalResponse() }
  })
}

const complete = (chunks: readonly Partial<Chunk>[], members?: JsonObject) =>
  streamed(sink => {
    feed(sink, chunks)
    sink.end()
  }, members)

describe('the Responses format', () => {
  goldenStreams(responses, { request: { model: 'model-1', input: 'Hi' } })
  goldenRequests(responses, { body: 'responses' })
})

describe('Responses with the openai package', () => {
  it('streams text', async () => {
    const { final } = await complete([{ text: 'Hel' }, { text: 'lo' }, { finish: 'stop' }, { choice: -1, usage }])
    expect(final).include({ status: 'completed', output_text: 'Hello', model: 'model-1' })
    expect(final.usage).include({ input_tokens: 3, output_tokens: 4, total_tokens: 7 })
  })

  it('streams text around two mixed tool calls', async () => {
    const { final } = await complete([
      { text: 'Let me look.' },
      {
        toolCalls: [
          { index: 0, id: 'c1', name: 'f', arguments: '{"a"' },
          { index: 1, id: 'c1', name: 'g', arguments: '{}' },
        ],
      },
      { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: ':1}' }] },
      { text: 'Just a moment.' },
      { finish: 'tool_calls' },
    ])
    expect(final.output.map(item => item.type)).deep.equal(['message', 'function_call', 'function_call'])
    expect(final.output_text).equal('Let me look.Just a moment.')
    expect(final.output[1]).include({ call_id: 'c1', name: 'f', arguments: '{"a":1}', status: 'completed' })
    expect(final.output[2]).include({ name: 'g', arguments: '{}' })
  })

  it('streams a call of a namespace', async () => {
    const tools = [{ type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'start' }] }]
    const { final } = await complete(
      [{ toolCalls: [{ index: 0, id: 'c1', name: 'start', arguments: '{}' }] }, { finish: 'tool_calls' }],
      { tools },
    )
    expect(final.output[0]).include({ namespace: 'agents', name: 'start' })
  })

  it('streams JSON in one piece', async () => {
    const format = { type: 'json_schema', name: 'n', schema: { type: 'object' } }
    const chunks: Partial<Chunk>[] = [{ text: '```json\n{"a":' }, { text: '1}\n```' }, { finish: 'stop' }]
    const { seen, final } = await complete(chunks, { text: { format } })
    expect(final.output_text).equal('{"a":1}')
    expect(seen.filter(type => type === 'response.output_text.delta')).length(1)
  })

  it('streams an incomplete reply', async () => {
    const { final } = await complete([{ reasoning: 'Hm' }, { finish: 'length', usage }])
    expect(final).deep.include({
      status: 'incomplete',
      output: [],
      incomplete_details: { reason: 'max_output_tokens' },
    })
  })

  it('streams a failure', async () => {
    const { seen, final } = await streamed(sink => {
      feed(sink, [{ text: 'Hel' }, { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{"a' }] }])
      sink.fail(failure('backend_timeout', { model: 'model-1' }))
    })
    expect(seen.at(-1)).equal('response.failed')
    expect(final.status).equal('failed')
    expect(final.error).include({ code: 'backend_timeout' })
  })

  it('answers without a stream', async () => {
    const collector = responses.collector(headFor())
    collector.chunk(chunkOf({ text: 'Hello' }))
    collector.chunk(chunkOf({ toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{}' }] }))
    collector.chunk(chunkOf({ finish: 'tool_calls', usage }))
    const reply = await replay(collector.result(), baseURL =>
      client(baseURL).responses.create({ model: 'model-1', input: 'Hi' }),
    )
    expect(reply).include({ status: 'completed', output_text: 'Hello' })
    expect(reply.output[1]).include({ type: 'function_call', call_id: 'c1', status: 'completed' })
  })
})
