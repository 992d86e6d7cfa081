import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/json.ts'
import { at, chat, closeSimulators, simulatorWith } from '../../support/simulator.ts'

const PATH = '/v1/chat/completions'
const USAGE = { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } }
const TOOL = {
  type: 'function',
  function: { name: 'f', parameters: { type: 'object', properties: { a: { const: 'text' } } } },
}

/** Deltas that hold a tool call. */
function callDeltas(events: readonly Json[]): (Json | undefined)[] {
  return events
    .map(event => at(event, 'choices', 0, 'delta', 'tool_calls', 0))
    .filter(call => call !== undefined && call !== null)
}

describe('simulate/engine-llama-cpp', () => {
  afterEach(closeSimulators)

  it('reasons unless told not to', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    const reasons = async (more: JsonObject) =>
      typeof at((await post(PATH, chat('x', more))).json, 'choices', 0, 'message', 'reasoning_content') === 'string'
    expect(await reasons({})).equal(true)
    expect(await reasons({ reasoning_effort: 'whatever' })).equal(true)
    expect(await reasons({ reasoning_effort: 'none' })).equal(false)
    expect(await reasons({ chat_template_kwargs: { enable_thinking: false } })).equal(false)
  })

  it('ignores a named tool choice and parallel_tool_calls, and streams arguments by characters', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const named = { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'f' } } }
    expect(at((await post(PATH, chat('x', named))).json, 'choices', 0, 'message', 'tool_calls')).deep.equal([])
    const two = chat('simulate: tool=f calls=2', { tools: [TOOL], parallel_tool_calls: false, stream: true })
    const deltas = callDeltas((await post(PATH, two)).events)
    expect(at(deltas[0], 'function')).deep.equal({ name: 'f', arguments: '{' })
    expect(String(at(deltas[1], 'function', 'arguments'))).lengthOf(2)
    expect(new Set(deltas.map(delta => at(delta, 'index')))).deep.equal(new Set([0, 1]))
  })

  it('sends usage on a last chunk alone, and counts one choice', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const { events } = await post(PATH, chat('Hello', { ...USAGE, n: 2, max_tokens: 4 }))
    expect(events.filter(event => at(event, 'usage'))).lengthOf(1)
    expect(at(events.at(-2), 'usage', 'completion_tokens')).equal(4)
  })

  it('puts usage of text completions on the last choice chunk, asked for or not', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    const { events } = await post('/v1/completions', { model: 'x', prompt: 'a', stream: true, max_tokens: 3 })
    expect(at(events.at(-2), 'choices', 0, 'finish_reason')).equal('length')
    expect(at(events.at(-2), 'usage', 'completion_tokens')).equal(3)
  })

  it('takes any model name, and answers bad JSON with 500', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    expect((await post(PATH, chat('x', { model: 'any' }))).json.model).equal('simulated')
    const bad = await post(PATH, '{')
    expect(bad.status).equal(500)
    expect(at(bad.json, 'error', 'type')).equal('server_error')
  })

  it('refuses a prompt that is too long with its numbers, and cuts an answer that would be', async () => {
    const { post } = await simulatorWith({
      engine: 'llama.cpp',
      models: [{ id: 'm', max_model_len: 60 }],
      reasoning_by_default: false,
    })
    const long = await post(PATH, chat('water '.repeat(70)))
    expect(long.status).equal(400)
    expect(at(long.json, 'error')).include({ type: 'exceed_context_size_error', n_ctx: 60 })
    const cut = await post(PATH, chat('water', { max_tokens: 1000, ignore_eos: true }))
    expect(at(cut.json, 'choices', 0, 'finish_reason')).equal('length')
    expect(at(cut.json, 'usage', 'total_tokens')).equal(60)
  })

  it('takes a grammar at the top level, and ignores response_format on text completions', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const { json } = await post(PATH, chat('x', { grammar: 'root ::= "b" [0-9]' }))
    expect(at(json, 'choices', 0, 'message', 'content')).match(/^b\d$/)
    const text = async (more: JsonObject) =>
      at((await post('/v1/completions', { prompt: 'x', ...more })).json, 'choices', 0, 'text')
    expect(await text({ response_format: { type: 'json_object' } })).not.match(/^\{/)
    expect(await text({ json_schema: { type: 'object' } })).match(/^\{/)
  })
})
