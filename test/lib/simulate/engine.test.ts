import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/json.ts'
import { at, chat, closeSimulators, joined, simulatorWith } from '../../support/simulator.ts'

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

describe('simulate/engine', () => {
  afterEach(closeSimulators)

  describe('sglang', () => {
    it('has every member in every delta, reasoning_content and matched_stop', async () => {
      const { post } = await simulatorWith({ engine: 'sglang' })
      const { events } = await post(PATH, chat('Hello', { stream: true, max_tokens: 3 }))
      expect(at(events[1], 'choices', 0, 'delta')).deep.equal({
        role: null,
        content: 'You',
        reasoning_content: null,
        tool_calls: null,
      })
      expect(at(events[1], 'usage')).equal(null)
      const { json } = await post(PATH, chat('Hello', { reasoning: { effort: 'low' } }))
      expect(at(json, 'choices', 0, 'message', 'reasoning_content')).a('string')
      expect(at(json, 'choices', 0, 'matched_stop')).equal(151_645)
      expect(Number(at(json, 'usage', 'reasoning_tokens'))).above(0)
      const stopped = await post(PATH, chat('simulate: say=a b', { stop: ['b'] }))
      expect(at(stopped.json, 'choices', 0, 'matched_stop')).equal('b')
    })

    it('keeps a dollar sign in a delta as it is', async () => {
      const { post } = await simulatorWith({ engine: 'sglang' })
      const { events } = await post(PATH, chat("simulate: say=$& $' $1", { stream: true }))
      expect(joined(events, 'content')).equal("$& $' $1")
    })

    it('sends a chunk without choices before the usage chunk, and null for no cached tokens', async () => {
      const { post } = await simulatorWith({ engine: 'sglang' })
      const { events } = await post(PATH, chat('Hello', USAGE))
      expect(at(events.at(-3), 'choices')).deep.equal([])
      expect(events.at(-3)).property('sglext')
      expect(at(events.at(-2), 'usage', 'prompt_tokens_details')).equal(null)
    })

    it('tells a full queue inside a 200, nested, and other errors flat', async () => {
      const { post } = await simulatorWith({ engine: 'sglang' })
      const full = await post(PATH, chat('simulate: queue_full', { stream: true }))
      expect(full.status).equal(200)
      expect(at(full.events[0], 'error')).include({ object: 'error', code: 503, message: 'The request queue is full.' })
      const whole = await post(PATH, chat('simulate: queue_full'))
      expect(whole.status).equal(503)
      expect(whole.json).include({ object: 'error', code: 503 })
    })

    it('takes regex and ebnf at the top level', async () => {
      const { post } = await simulatorWith({ engine: 'sglang' })
      const content = async (more: JsonObject) =>
        at((await post(PATH, chat('x', more))).json, 'choices', 0, 'message', 'content')
      expect(await content({ regex: 'a\\d' })).match(/^a\d$/)
      expect(await content({ ebnf: 'root ::= "b" [0-9]' })).match(/^b\d$/)
      expect(await content({ structured_outputs: { regex: 'a\\d' } })).match(/^You wrote/)
    })
  })

  describe('llama.cpp', () => {
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
})
