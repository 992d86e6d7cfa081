import { expect } from 'chai'
import type { Hooks } from '../../../lib/core/plugin.ts'
import { failure, type ToolCallDelta } from '../../../lib/plugin.ts'
import { play, testServices } from '../../../lib/testing.ts'
import wholeToolCalls from '../../../plugins/reply/whole-tool-calls/index.ts'
import { target } from '../../../plugins/slots.ts'
import { chunk, model, Recorder, targetOf } from '../../support/canonical.ts'
import { goldenTransformer } from '../../support/golden-transformers.ts'

const open = (index: number, id: string, name: string, part = ''): ToolCallDelta => ({
  index,
  id,
  name,
  arguments: part,
})
const more = (index: number, part: string): ToolCallDelta => ({
  index,
  id: undefined,
  name: undefined,
  arguments: part,
})
const counted = (completionTokens: number) => ({
  promptTokens: 9,
  completionTokens,
  cachedTokens: null,
  reasoningTokens: null,
})

/** The transformer of one attempt. */
function transformer(maxBytes: number, id = 'm') {
  const { transform } = wholeToolCalls.setup({ max_held_bytes: maxBytes }, testServices()) as Hooks
  return transform!({ get: () => targetOf(model({}, { id })) } as never)!
}

function recorded(maxBytes = 1_000_000) {
  const out = new Recorder()
  const calls = transformer(maxBytes)
  calls.next = out
  return { calls, out }
}

/** The chunks after the transformer, of a stream that ends normally. */
function passed(...chunks: Parameters<typeof chunk>[0][]): Recorder {
  const { calls, out } = recorded()
  for (const one of chunks) calls.chunk(chunk(one))
  calls.end()
  return out
}

describe('whole-tool-calls', () => {
  it('passes on the token ids of deltas that it buffers', () => {
    const { chunks } = passed(
      { start: true, toolCalls: [open(0, 'a', 'f')], tokenIds: [1] },
      { toolCalls: [more(0, '{}')], tokenIds: [2] },
      { finish: 'tool_calls' },
    )
    expect(chunks.flatMap(({ tokenIds }) => tokenIds ?? [])).deep.equal([1, 2])
  })

  it('drops the calls of a choice that a filter has cut', () => {
    const { chunks, ended } = passed(
      { start: true, text: 'a', toolCalls: [open(0, 'a', 'f', '{')] },
      { finish: 'content_filter' },
    )
    expect(chunks).deep.equal([
      { choice: 0, start: true, text: 'a' },
      { choice: 0, finish: 'content_filter' },
    ])
    expect(ended).equal(1)
  })

  goldenTransformer('whole-tool-calls', () => ({ transformer: transformer(1000, 'model-1') }))

  it('sends the calls of a choice whole, in one chunk, before the finish', () => {
    const out = passed(
      { start: true },
      { toolCalls: [open(0, 'a', 'get_weather', '{"ci')] },
      { toolCalls: [more(0, 'ty":"Köln"}')] },
      { toolCalls: [open(1, 'b', 'get_time', '{')] },
      { toolCalls: [more(1, '}')] },
      { finish: 'tool_calls' },
    )
    expect(out.chunks).deep.equal([
      { choice: 0, start: true },
      { choice: 0, toolCalls: [open(0, 'a', 'get_weather', '{"city":"Köln"}'), open(1, 'b', 'get_time', '{}')] },
      { choice: 0, finish: 'tool_calls' },
    ])
    expect(out.ended).equal(1)
  })

  it('assembles interleaved calls', () => {
    const out = passed(
      { toolCalls: [open(0, 'a', 'f', '1'), open(1, 'b', 'g', '2')] },
      { toolCalls: [more(1, '3')] },
      { toolCalls: [more(0, '4')] },
      { finish: 'tool_calls' },
    )
    expect(out.chunks[0]).deep.equal({ choice: 0, toolCalls: [open(0, 'a', 'f', '14'), open(1, 'b', 'g', '23')] })
  })

  it('keeps the order of the calls, also if arguments arrive last or never', () => {
    const out = passed(
      { toolCalls: [open(1, 'b', 'g', '{}')] },
      { toolCalls: [open(2, 'c', 'h', '{}')] },
      { toolCalls: [open(0, 'a', 'f')], finish: 'tool_calls' },
    )
    const whole = [open(0, 'a', 'f'), open(1, 'b', 'g', '{}'), open(2, 'c', 'h', '{}')]
    expect(out.chunks[0]).deep.equal({ choice: 0, toolCalls: whole })
  })

  it('passes on text and reasoning immediately, before, between and after the fragments', () => {
    const out = passed(
      { reasoning: 'Hm.' },
      { text: 'Let me look.' },
      { toolCalls: [open(0, 'a', 'f', '{}')] },
      { text: 'Done.' },
      { finish: 'tool_calls' },
    )
    expect(out.chunks).deep.equal([
      { choice: 0, reasoning: 'Hm.' },
      { choice: 0, text: 'Let me look.' },
      { choice: 0, text: 'Done.' },
      { choice: 0, toolCalls: [open(0, 'a', 'f', '{}')] },
      { choice: 0, finish: 'tool_calls' },
    ])
  })

  it('keeps all of a chunk with text and a fragment', () => {
    const out = passed(
      { start: true, text: 'a', toolCalls: [open(0, 'a', 'f', '{')] },
      { logprobs: { content: [] }, toolCalls: [more(0, '}')] },
      { finish: 'tool_calls' },
    )
    expect(out.chunks).deep.equal([
      { choice: 0, start: true, text: 'a' },
      { choice: 0, logprobs: { content: [] } },
      { choice: 0, toolCalls: [open(0, 'a', 'f', '{}')] },
      { choice: 0, finish: 'tool_calls' },
    ])
  })

  it('splits a JSON reply into text, calls and finish', () => {
    const out = passed({
      start: true,
      text: 'Let me look.',
      toolCalls: [open(0, 'a', 'f', '{}')],
      finish: 'tool_calls',
      matchedStop: 7,
      usage: counted(5),
    })
    expect(out.chunks).deep.equal([
      { choice: 0, start: true, text: 'Let me look.' },
      { choice: 0, toolCalls: [open(0, 'a', 'f', '{}')] },
      { choice: 0, finish: 'tool_calls', matchedStop: 7, usage: counted(5) },
    ])
  })

  it('passes on the last usage of buffered chunks with the next chunk', () => {
    const out = passed(
      { toolCalls: [open(0, 'a', 'f', '{')], usage: counted(1) },
      { toolCalls: [more(0, '}')], usage: counted(2) },
      { finish: 'tool_calls' },
      { choice: -1, usage: counted(3) },
    )
    expect(out.chunks).deep.equal([
      { choice: 0, toolCalls: [open(0, 'a', 'f', '{}')], usage: counted(2) },
      { choice: 0, finish: 'tool_calls' },
      { choice: -1, usage: counted(3) },
    ])
  })

  it('keeps the choices of one reply apart', () => {
    const out = passed(
      { choice: 0, toolCalls: [open(0, 'a', 'f', '0')] },
      { choice: 1, toolCalls: [open(0, 'b', 'f', '1')] },
      { choice: 1, finish: 'tool_calls' },
      { choice: 2, text: 'none' },
      { choice: 2, finish: 'stop' },
      { choice: 0, finish: 'length' },
    )
    expect(out.chunks).deep.equal([
      { choice: 1, toolCalls: [open(0, 'b', 'f', '1')] },
      { choice: 1, finish: 'tool_calls' },
      { choice: 2, text: 'none' },
      { choice: 2, finish: 'stop' },
      { choice: 0, toolCalls: [open(0, 'a', 'f', '0')] },
      { choice: 0, finish: 'length' },
    ])
  })

  it('sends arguments that the token limit truncated unchanged', () => {
    const out = passed({ toolCalls: [open(0, 'a', 'f', '{"ci')] }, { finish: 'length' })
    expect(out.chunks[0]).deep.equal({ choice: 0, toolCalls: [open(0, 'a', 'f', '{"ci')] })
  })

  it('never sends an incomplete call: an end without a finish is a failure', () => {
    const out = passed({ toolCalls: [open(0, 'a', 'f', '{')] })
    expect(out.chunks).deep.equal([])
    expect(out.ended).equal(0)
    expect(out.errors.map(({ code }) => code)).deep.equal(['backend_http_error'])
  })

  it('passes on a failure, and drops buffered calls', () => {
    const { calls, out } = recorded()
    const error = failure('backend_timeout', { model: 'm' })
    calls.chunk(chunk({ toolCalls: [open(0, 'a', 'f', '{')] }))
    calls.fail(error)
    expect(out.chunks).deep.equal([])
    expect(out.errors).deep.equal([error])
  })

  it('fails once if calls exceed the limit, and emits nothing afterwards', () => {
    const { calls, out } = recorded(1000)
    for (let i = 0; i < 100; i++) calls.chunk(chunk({ toolCalls: [more(0, 'x'.repeat(50))] }))
    calls.chunk(chunk({ text: 'a' }))
    calls.chunk(chunk({ finish: 'tool_calls' }))
    calls.end()
    calls.fail(failure('backend_timeout', { model: 'm' }))
    expect(out.chunks).deep.equal([])
    expect(out.ended).equal(0)
    expect(out.errors.map(({ code, details }) => [code, details.extra])).deep.equal([
      ['backend_http_error', { model: 'm' }],
    ])
  })

  it('counts fragments and characters, because both take memory', () => {
    const { calls, out } = recorded(1000)
    for (let i = 0; i < 40; i++) calls.chunk(chunk({ toolCalls: [more(0, '')] }))
    expect(out.errors).have.length(1)
  })

  it('passes on streams without tool calls as they are', () => {
    const sent = [chunk({ start: true }), chunk({ text: 'a', usage: counted(1) }), chunk({ finish: 'stop' })]
    const { calls, out } = recorded()
    for (const one of sent) calls.chunk(one)
    calls.end()
    expect(out.chunks).deep.equal([
      { choice: 0, start: true },
      { choice: 0, text: 'a', usage: counted(1) },
      { choice: 0, finish: 'stop' },
    ])
  })

  it('has a separate limit per place in the chain', async () => {
    const { chunks, ended } = await play(wholeToolCalls, {
      given: [[target, targetOf(model())]],
      chunks: [
        chunk({ toolCalls: [open(0, 'a', 'f', '{')] }),
        chunk({ toolCalls: [more(0, '}')] }),
        chunk({ finish: 'tool_calls' }),
      ],
    })
    expect(chunks).have.length(2)
    expect(ended).equal('end')
  })
})
