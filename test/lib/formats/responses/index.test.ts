import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk, Sink } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { responses } from '../../../../lib/formats/responses/index.ts'
import { chunkOf, contextOf, feed, framesOf, OPTIONS, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const usage = { promptTokens: 3, completionTokens: 4, cachedTokens: 1, reasoningTokens: 2 }
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
