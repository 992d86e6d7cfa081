import { expect } from 'chai'
import OpenAI from 'openai'
import type { Chunk, Sink } from '../../../../lib/canonical/reply.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { formatOf } from '../../../../lib/formats/index.ts'
import { chunkOf, contextOf, feed, framesOf, OPTIONS, replay } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

const completions = formatOf('completions')

const usage = { promptTokens: 3, completionTokens: 4, cachedTokens: 1, reasoningTokens: null }
const head = contextOf(completions.toCanonical({ model: 'model-1', prompt: 'Once' }, OPTIONS))
const client = (baseURL: string) => new OpenAI({ baseURL, apiKey: 'key', maxRetries: 0 })

describe('the completions format', () => {
  goldenStreams(completions, { request: { model: 'model-1', prompt: 'Once' } })
  goldenRequests(completions, { body: 'completions' })
})

describe('completions with the openai package', () => {
  const streamed = (play: (sink: Sink) => void) =>
    replay(framesOf(completions, head, play), async baseURL => {
      const stream = await client(baseURL).completions.create({ model: 'model-1', prompt: 'Once', stream: true })
      const seen: OpenAI.Completion[] = []
      for await (const chunk of stream) seen.push(chunk)
      return seen
    })

  it('streams text and ends with usage', async () => {
    const chunks: Partial<Chunk>[] = [{ text: ' upon' }, { text: ' a time' }, { finish: 'stop' }, { choice: -1, usage }]
    const seen = await streamed(sink => {
      feed(sink, chunks)
      sink.end()
    })
    expect(seen.map(chunk => chunk.choices[0]?.text ?? '').join('')).equal(' upon a time')
    expect(seen.map(chunk => chunk.object)).deep.equal([
      'text_completion',
      'text_completion',
      'text_completion',
      'text_completion',
    ])
    expect(seen.at(-1)?.usage).deep.include({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 })
  })

  it('raises a failure in the stream', async () => {
    const error = await streamed(sink => {
      feed(sink, [{ text: ' upon' }])
      sink.fail(failure('backend_timeout', { model: 'model-1' }))
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).instanceOf(OpenAI.APIError).include({ code: 'backend_timeout' })
  })

  it('answers without a stream', async () => {
    const collector = completions.collector(head)
    collector.chunk(chunkOf({ text: ' upon' }))
    collector.chunk(chunkOf({ choice: 1, text: ' more' }))
    collector.chunk(chunkOf({ finish: 'stop' }))
    collector.chunk(chunkOf({ choice: 1, finish: 'length' }))
    const reply = await replay(collector.result(), baseURL =>
      client(baseURL).completions.create({ model: 'model-1', prompt: 'Once' }),
    )
    expect(reply.choices.map(choice => [choice.text, choice.finish_reason])).deep.equal([
      [' upon', 'stop'],
      [' more', 'length'],
    ])
  })
})
