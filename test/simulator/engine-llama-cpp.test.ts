import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { eventually } from '../support/gateway.ts'
import { LLAMA_SERVER, type Recorded } from '../support/recorded.ts'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'
const USAGE = { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } }
const TOOL = {
  type: 'function',
  function: { name: 'f', parameters: { type: 'object', properties: { a: { const: 'text' } } } },
}

/** Deltas with a tool call. */
function callDeltas(events: readonly Json[]): (Json | undefined)[] {
  return events
    .map(event => at(event, 'choices', 0, 'delta', 'tool_calls', 0))
    .filter(call => call !== undefined && call !== null)
}

describe('simulator/engine-llama-cpp', () => {
  afterEach(closeSimulators)

  it('reasons by default', async () => {
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
    const { json } = await post(PATH, chat('x', named))
    expect(at(json, 'choices', 0, 'message')).not.have.property('tool_calls')
    const two = chat('simulate: tool=f calls=2', { tools: [TOOL], parallel_tool_calls: false, stream: true })
    const deltas = callDeltas((await post(PATH, two)).events)
    expect(at(deltas[0], 'function')).deep.equal({ name: 'f', arguments: '{' })
    expect(String(at(deltas[1], 'function', 'arguments'))).lengthOf(2)
    expect(new Set(deltas.map(delta => at(delta, 'index')))).deep.equal(new Set([0, 1]))
  })

  it('ends each choice of a stream with its usage, and a JSON reply with that of the first', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const counts = (events: readonly Json[], name: string) =>
      events.filter(event => at(event, 'usage')).map(event => at(event, 'usage', name))
    const { events } = await post(PATH, chat('Hello', { ...USAGE, n: 2, max_tokens: 4 }))
    expect(counts(events, 'completion_tokens')).deep.equal([4, 4])
    const batch = { model: 'x', prompt: ['a', 'b c'], max_tokens: 3 }
    const streamed = (await post('/v1/completions', { ...batch, ...USAGE })).events
    expect([streamed[0], counts(streamed, 'prompt_tokens')]).deep.equal([null, [1, 2]])
    const { json } = await post('/v1/completions', batch)
    expect(json.usage).include({ prompt_tokens: 1, completion_tokens: 3 })
  })

  it('has log probabilities of texts in the form of chats, and none without an alternative', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const text = async (logprobs: number) =>
      at((await post('/v1/completions', { prompt: 'a', max_tokens: 2, logprobs })).json, 'choices', 0, 'logprobs')
    expect(at(await text(1), 'content')).lengthOf(2)
    expect(await text(0)).equal(null)
    const { json } = await post(PATH, chat('x', { max_tokens: 2, logprobs: true, top_logprobs: 0 }))
    expect(at(json, 'choices', 0)).not.have.property('logprobs')
  })

  it('generates a JSON reply to its end after the client disconnects, and cancels only streams', async () => {
    const { post, simulator } = await simulatorWith({ engine: 'llama.cpp', tokens_per_second: 100 })
    const leave = async (more: JsonObject) => {
      const leaving = new AbortController()
      const body = chat('simulate: tokens=20', { chat_template_kwargs: { enable_thinking: false }, ...more })
      const pending = post(PATH, body, { signal: leaving.signal }).catch(() => undefined)
      await eventually(() => simulator.stats.inFlight === 1)
      leaving.abort()
      await pending
      await eventually(() => simulator.stats.inFlight === 0)
    }
    await leave({ stream: true })
    expect(simulator.stats).include({ cancelled: 1 })
    const before = simulator.stats.completionTokens
    await leave({ stream: false })
    expect(simulator.stats).include({ cancelled: 1, completionTokens: before + 20 })
  })

  it('writes usage of text completions on the last choice chunk, requested or not', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    const { events } = await post('/v1/completions', { model: 'x', prompt: 'a', stream: true, max_tokens: 3 })
    expect(at(events.at(-2), 'choices', 0, 'finish_reason')).equal('length')
    expect(at(events.at(-2), 'usage', 'completion_tokens')).equal(3)
  })

  it('refuses tools with log probabilities in a stream, alternatives of none, and echo', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    const refused = async (more: JsonObject) => at((await post(PATH, chat('x', more))).json, 'error', 'message')
    const both = { tools: [TOOL], logprobs: true, top_logprobs: 1 }
    expect(await refused({ ...both, stream: true })).equal('logprobs is not supported with tools + stream')
    expect(await refused(both)).equal(undefined)
    expect(await refused({ logprobs: false, top_logprobs: 0 })).match(/requires logprobs/)
    const echo = await post('/v1/completions', { prompt: 'x', echo: true })
    expect(at(echo.json, 'error', 'message')).equal('Only no echo is supported')
  })

  it('accepts any model name, and refuses bad JSON like any bad request', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    expect((await post(PATH, chat('x', { model: 'any' }))).json.model).equal('simulated')
    const bad = await post(PATH, '{')
    expect(bad.status).equal(400)
    expect(at(bad.json, 'error', 'type')).equal('invalid_request_error')
  })

  it('refuses a prompt that is too long, and truncates an answer at the window', async () => {
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

  describe('has the shapes of a real server', () => {
    /** Names and types of values. Of a list, those of its first item. */
    function shapeOf(value: Json | undefined): Json {
      if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
      if (value === null || typeof value !== 'object') return value === null ? null : typeof value
      const names = Object.keys(value).filter(name => !LEFT_OUT.has(name))
      return Object.fromEntries(names.sort().map(name => [name, shapeOf(value[name])]))
    }
    const LEFT_OUT = new Set(['id', 'created', 'model', 'object', 'system_fingerprint', 'timings'])
    /** Each shape once, in the order of their first events. */
    const shapesOf = (events: readonly Json[]) =>
      [...new Set(events.filter(event => event !== '[DONE]').map(event => JSON.stringify(shapeOf(event))))].sort()

    const QUIET = { chat_template_kwargs: { enable_thinking: false } }
    const CALL = { ...QUIET, tools: [TOOL], tool_choice: 'required' }
    const both = chat('simulate: reasoning=3 tokens=3')

    const chats: readonly (readonly [name: keyof Recorded, body: JsonObject])[] = [
      ['chat_whole', chat('x', { ...QUIET, max_tokens: 3 })],
      ['chat_whole_reasoning', both],
      ['chat_whole_tool', chat('x', CALL)],
      ['chat_stream', chat('x', { ...QUIET, ...USAGE, max_tokens: 3 })],
      ['chat_stream_reasoning', { ...both, ...USAGE }],
      ['chat_stream_tool', chat('simulate: tool=f say=a', { ...CALL, ...USAGE })],
      ['chat_stream_two', chat('x', { ...QUIET, ...USAGE, max_tokens: 2, n: 2 })],
    ]
    const texts: readonly (readonly [name: keyof Recorded, body: JsonObject])[] = [
      ['text_whole', { prompt: 'a', max_tokens: 3 }],
      ['text_stream', { prompt: 'a', max_tokens: 3, ...USAGE }],
      ['text_stream_batch', { prompt: ['a', 'b'], max_tokens: 3, ...USAGE }],
    ]
    const all = [
      ...chats.map(given => [PATH, ...given] as const),
      ...texts.map(given => ['/v1/completions', ...given] as const),
    ]
    for (const [path, name, body] of all) {
      it(`in ${name}`, async () => {
        const { post } = await simulatorWith({ engine: 'llama.cpp' })
        const { json, events } = await post(path, body)
        const recorded = LLAMA_SERVER[name]
        if (Array.isArray(recorded)) expect(shapesOf(events)).deep.equal(shapesOf(recorded))
        else expect(shapeOf(json)).deep.equal(shapeOf(recorded as JsonObject))
      })
    }

    it('in refusals', async () => {
      const { post } = await simulatorWith({ engine: 'llama.cpp', models: [{ id: 'm', max_model_len: 60 }] })
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
      const bodies: Partial<Record<keyof Recorded, unknown>> = {
        too_long: chat('water '.repeat(70)),
        bad_json: '{',
        no_vision: { messages: [{ role: 'user', content: [image] }] },
      }
      for (const [name, body] of Object.entries(bodies)) {
        const { status, json } = await post(PATH, body)
        const recorded = LLAMA_SERVER[name as 'too_long']
        expect([status, shapeOf(json)], name).deep.equal([recorded.status, shapeOf(recorded.body)])
      }
    })
  })

  it('reads a grammar at the top level, and ignores response_format on text completions', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp', reasoning_by_default: false })
    const { json } = await post(PATH, chat('x', { grammar: 'root ::= "b" [0-9]' }))
    expect(at(json, 'choices', 0, 'message', 'content')).match(/^b\d$/)
    const text = async (more: JsonObject) =>
      at((await post('/v1/completions', { prompt: 'x', ...more })).json, 'choices', 0, 'text')
    expect(await text({ response_format: { type: 'json_object' } })).not.match(/^\{/)
    expect(await text({ json_schema: { type: 'object' } })).match(/^\{/)
  })
})
