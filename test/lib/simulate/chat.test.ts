import { expect } from 'chai'
import type { JsonObject } from '../../../lib/json.ts'
import { countTokens } from '../../../lib/simulate/tokens.ts'
import { at, chat, closeSimulators, joined, type Running, simulatorWith } from '../../support/simulator.ts'

const PATH = '/v1/chat/completions'

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
}
const CLOCK = { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } }

describe('simulate/chat', () => {
  let vllm: Running

  beforeEach(async () => {
    vllm = await simulatorWith({ answer_tokens: 40 })
  })
  afterEach(closeSimulators)

  async function message(body: JsonObject) {
    const { json } = await vllm.post(PATH, body)
    return {
      message: at(json, 'choices', 0, 'message'),
      choice: at(json, 'choices', 0),
      usage: at(json, 'usage'),
      json,
    }
  }

  it('answers with exactly so many tokens, the same ones each time, and echoes the question', async () => {
    const first = await message(chat('Hello there'))
    const content = String(at(first.message, 'content'))
    expect(content).match(/^You wrote “Hello there”\. /)
    expect(countTokens(content)).equal(40).equal(at(first.usage, 'completion_tokens'))
    expect(at((await message(chat('Hello there'))).message, 'content')).equal(content)
    expect(at((await message(chat('Hello there', { seed: 2 }))).message, 'content')).not.equal(content)
  })

  it('streams the same text as it answers whole', async () => {
    const body = chat('Hello there')
    const { message: whole } = await message(body)
    const { events } = await vllm.post(PATH, { ...body, stream: true })
    expect(joined(events, 'content')).equal(at(whole, 'content'))
    expect(events.at(-1)).equal('[DONE]')
    expect(at(events[0], 'choices', 0, 'delta')).deep.equal({ role: 'assistant', content: '' })
  })

  it('puts usage on every chunk only where both options are set, and on a last chunk without choices', async () => {
    const ask = async (stream_options?: JsonObject) =>
      (await vllm.post(PATH, chat('Hello', { stream: true, max_tokens: 3, ...(stream_options && { stream_options }) })))
        .events
    const plain = await ask()
    expect(plain.map(event => at(event, 'usage'))).deep.equal(plain.map(() => undefined))
    expect((await ask({ continuous_usage_stats: true })).some(event => at(event, 'usage'))).equal(false)

    const included = await ask({ include_usage: true })
    expect(included.filter(event => at(event, 'usage')).length).equal(1)
    expect(at(included.at(-2), 'choices')).deep.equal([])

    const continuous = await ask({ include_usage: true, continuous_usage_stats: true })
    expect(continuous.slice(0, -1).map(event => at(event, 'usage', 'completion_tokens'))).deep.equal([0, 1, 2, 3, 3])
    expect(at(continuous[1], 'usage')).deep.equal({ prompt_tokens: 15, total_tokens: 16, completion_tokens: 1 })
  })

  it('says length where max_tokens ends it, in the chunk of the last token', async () => {
    const { choice, usage } = await message(chat('Hello', { max_tokens: 5 }))
    expect(choice).include({ finish_reason: 'length', stop_reason: null })
    expect(at(usage, 'completion_tokens')).equal(5)
    const { events } = await vllm.post(PATH, chat('Hello', { max_tokens: 5, stream: true }))
    const last = at(events.at(-2), 'choices', 0)
    expect(at(last, 'finish_reason')).equal('length')
    expect(at(last, 'delta', 'content')).not.equal('')
  })

  it('says stop, and which string it was, where a stop string ends it', async () => {
    const { choice, message: said } = await message(chat('simulate: say=one two three', { stop: ['three', ' two'] }))
    expect(choice).include({ finish_reason: 'stop', stop_reason: ' two' })
    expect(at(said, 'content')).equal('one')
  })

  it('gives n different choices and the sum of their tokens', async () => {
    const { json } = await message(chat('Hello', { n: 3 }))
    const texts = [0, 1, 2].map(index => at(json, 'choices', index, 'message', 'content'))
    expect(new Set(texts).size).equal(3)
    expect(at(json, 'usage', 'completion_tokens')).equal(120)
    const options = { stream: true, n: 3, stream_options: { include_usage: true, continuous_usage_stats: true } }
    const { events } = await vllm.post(PATH, chat('Hello', options))
    expect([0, 1, 2].map(index => joined(events, 'content', index))).deep.equal(texts)
    expect(at(events.at(-2), 'usage', 'completion_tokens')).equal(120)
    // On the way each chunk counts its own choice alone.
    expect(at(events.at(-3), 'usage', 'completion_tokens')).equal(40)
  })

  it('reasons where the request asks for it, in the field of its engine', async () => {
    const on: JsonObject[] = [
      { chat_template_kwargs: { enable_thinking: true } },
      { reasoning_effort: 'low' },
      { reasoning: { enabled: true } },
    ]
    for (const wish of on) {
      const { message: said, usage } = await message(chat('Hello', wish))
      expect(at(said, 'reasoning'), JSON.stringify(wish)).match(/^The question first\./)
      expect(at(usage, 'completion_tokens_details', 'reasoning_tokens')).equal(
        countTokens(String(at(said, 'reasoning'))),
      )
    }
    const off: JsonObject[] = [
      {},
      { reasoning_effort: 'none' },
      { reasoning_effort: 'high', chat_template_kwargs: { enable_thinking: false } },
    ]
    for (const wish of off)
      expect(at((await message(chat('Hello', wish))).message, 'reasoning'), JSON.stringify(wish)).equal(null)

    const { events } = await vllm.post(PATH, chat('Hello', { reasoning_effort: 'low', stream: true }))
    expect(countTokens(joined(events, 'reasoning'))).equal(16)
    const hidden = await message(chat('Hello', { reasoning_effort: 'low', include_reasoning: false }))
    expect(at(hidden.message, 'reasoning')).equal(null)
    expect(at(hidden.usage, 'completion_tokens')).equal(56)
    expect(
      at(
        (await message(chat('Hello', { reasoning_effort: 'high', thinking_token_budget: 4 }))).usage,
        'completion_tokens',
      ),
    ).equal(44)
  })

  it('calls the tool that is forced or that the prompt names, with arguments of its schema', async () => {
    const tools = [CLOCK, WEATHER]
    const calls = async (content: string, more: JsonObject = {}) => {
      const { message: said, choice } = await message(chat(content, { tools, ...more }))
      const list = at(said, 'tool_calls')
      return [Array.isArray(list) ? list.map(item => at(item, 'function', 'name')) : [], at(choice, 'finish_reason')]
    }
    expect(await calls('Hello')).deep.equal([[], 'stop'])
    expect(await calls('use get_weather please')).deep.equal([['get_weather'], 'tool_calls'])
    expect(await calls('use get_weather, get_time')).deep.equal([['get_time', 'get_weather'], 'tool_calls'])
    expect(await calls('get_weather get_time', { parallel_tool_calls: false })).deep.equal([['get_time'], 'tool_calls'])
    expect(await calls('use get_weather_now', { tool_choice: 'auto' })).deep.equal([[], 'stop'])
    expect(await calls('use get_weather', { tool_choice: 'none' })).deep.equal([[], 'stop'])
    expect(await calls('Hello', { tool_choice: 'required' })).deep.equal([['get_time'], 'tool_calls'])
    // vLLM says stop behind a call that was named.
    const named = { tool_choice: { type: 'function', function: { name: 'get_weather' } } }
    expect(await calls('Hello', named)).deep.equal([['get_weather'], 'stop'])
    expect(await calls('simulate: tool=get_weather calls=2')).deep.equal([['get_weather', 'get_weather'], 'tool_calls'])

    const { message: said } = await message(chat('get_weather', { tools }))
    expect(at(said, 'content')).equal(null)
    const args = JSON.parse(String(at(said, 'tool_calls', 0, 'function', 'arguments')))
    expect(args.city).a('string')
    expect(args.days).a('number')
  })

  it('streams calls in fragments, the name first', async () => {
    const { events } = await vllm.post(PATH, chat('get_weather get_time', { tools: [CLOCK, WEATHER], stream: true }))
    const fragments = events.flatMap(event => {
      const calls = at(event, 'choices', 0, 'delta', 'tool_calls')
      return Array.isArray(calls) ? calls : []
    })
    const opening = fragments.filter(fragment => at(fragment, 'id') !== undefined)
    expect(
      opening.map(fragment => [
        at(fragment, 'index'),
        at(fragment, 'function', 'name'),
        at(fragment, 'function', 'arguments'),
      ]),
    ).deep.equal([
      [0, 'get_time', ''],
      [1, 'get_weather', ''],
    ])
    const args = fragments
      .filter(fragment => at(fragment, 'index') === 1)
      .map(fragment => at(fragment, 'function', 'arguments'))
    expect(args.length).above(3)
    expect(JSON.parse(args.join('')).city).a('string')
    expect(at(events.at(-2), 'choices', 0, 'finish_reason')).equal('tool_calls')
  })

  it('answers a tool result in words, so that an agent comes to an end', async () => {
    const messages = [
      { role: 'user', content: 'use get_weather' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
    ]
    const { message: said } = await message({ model: 'simulated', messages, tools: [WEATHER] })
    expect(at(said, 'tool_calls')).deep.equal([])
    expect(at(said, 'content')).match(/^You wrote/)
  })

  it('obeys every kind of constraint', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const content = async (more: JsonObject) => String(at((await message(chat('Hello', more))).message, 'content'))
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
    expect(JSON.parse(await content({ response_format: format })).n).a('number')
    expect(JSON.parse(await content({ response_format: { type: 'json_object' } }))).an('object')
    expect(await content({ response_format: { type: 'text' } })).match(/^You wrote/)
    expect(JSON.parse(await content({ structured_outputs: { json: schema } })).n).a('number')
    expect(JSON.parse(await content({ structured_outputs: { json: JSON.stringify(schema) } })).n).a('number')
    expect(await content({ structured_outputs: { regex: '(yes|no) \\d{3}' } })).match(/^(yes|no) \d{3}$/)
    expect(await content({ structured_outputs: { grammar: 'root ::= "x" [0-9]+' } })).match(/^x\d+$/)
    expect(await content({ structured_outputs: { choice: ['red'] } })).equal('red')
    // Ignored since 0.12: free text where a constraint was meant.
    expect(await content({ guided_regex: '\\d+' })).match(/^You wrote/)
  })

  it('reports cached tokens, apart for each salt', async () => {
    const question = 'water '.repeat(60)
    const cached = async (more: JsonObject = {}) =>
      at((await message(chat(question, more))).usage, 'prompt_tokens_details', 'cached_tokens')
    expect(await cached()).equal(0)
    expect(await cached()).equal(64)
    expect(await cached({ cache_salt: 'tenant' })).equal(0)
    expect(await cached({ cache_salt: 'tenant' })).equal(64)
  })

  it('counts reasoning of earlier turns, tools and images as part of the prompt', async () => {
    const vision = await simulatorWith({ models: [{ id: 'simulated', vision: true }] })
    const count = async (body: JsonObject) => Number(at((await vision.post(PATH, body)).json, 'usage', 'prompt_tokens'))
    const plain = await count(chat('Hello'))
    expect(await count(chat('Hello', { tools: [WEATHER] }))).above(plain)
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, image] }]
    expect(await count({ model: 'simulated', messages })).equal(plain + 64)
    const turns = (more: JsonObject) => [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi', ...more },
      { role: 'user', content: 'And?' },
    ]
    const without = await count({ model: 'simulated', messages: turns({}) })
    for (const field of ['reasoning', 'reasoning_content']) {
      expect(await count({ model: 'simulated', messages: turns({ [field]: 'because' }) }), field).above(without)
    }
  })

  it('goes on to exactly max_tokens where the end of the text is ignored, and to min_tokens', async () => {
    expect(at((await message(chat('Hello', { ignore_eos: true, max_tokens: 300 }))).usage, 'completion_tokens')).equal(
      300,
    )
    expect(at((await message(chat('Hello', { min_tokens: 77 }))).usage, 'completion_tokens')).equal(77)
  })

  it('gives log probabilities of every token of the text', async () => {
    const { choice, message: said } = await message(chat('Hello', { logprobs: true, max_tokens: 4 }))
    const content = at(choice, 'logprobs', 'content')
    expect(Array.isArray(content) && content.map(item => at(item, 'token')).join('')).equal(at(said, 'content'))
  })

  it('refuses what vLLM refuses', async () => {
    const refused = async (body: unknown) => {
      const { status, json } = await vllm.post(PATH, body)
      return [status, at(json, 'error', 'type'), at(json, 'error', 'param'), at(json, 'error', 'code')]
    }
    const bad = (param: string | null) => [400, 'BadRequestError', param, 400]
    expect(await refused('{"model":')).deep.equal(bad(null))
    expect(await refused([])).deep.equal(bad(null))
    expect(await refused({ model: 'simulated' })).deep.equal(bad('messages'))
    expect(await refused(chat('x', { model: 'other' }))).deep.equal([404, 'NotFoundError', 'model', 404])
    expect(await refused(chat('x', { max_tokens: 0 }))).deep.equal(bad('max_tokens'))
    expect(await refused(chat('x', { n: 0 }))).deep.equal(bad('n'))
    expect(await refused(chat('x', { n: 129 }))).deep.equal(bad('n'))
    expect(await refused(chat('x', { temperature: -1 }))).deep.equal(bad('temperature'))
    expect(await refused(chat('x', { top_p: 2 }))).deep.equal(bad('top_p'))
    expect(await refused(chat('x', { reasoning_effort: 'huge' }))).deep.equal(bad('reasoning_effort'))
    expect(await refused(chat('x', { stream_options: { include_usage: true } }))).deep.equal(bad('stream_options'))
    expect(await refused(chat('x', { tool_choice: 'required' }))).deep.equal(bad('tool_choice'))
    expect(await refused(chat('x', { tools: [{ type: 'custom' }] }))).deep.equal(bad('tools'))
    const unknown = { type: 'function', function: { name: 'other' } }
    expect(await refused(chat('x', { tools: [CLOCK], tool_choice: unknown }))).deep.equal(bad('tool_choice'))
    expect(await refused(chat('x', { response_format: { type: 'grammar' } }))).deep.equal(bad('response_format'))
    expect(await refused(chat('x', { structured_outputs: { regex: 'a', choice: ['b'] } }))).deep.equal(bad(null))
    const both = { structured_outputs: { regex: 'a' }, response_format: { type: 'json_object' } }
    expect(await refused(chat('x', both))).deep.equal(bad(null))
    expect(await refused(chat('x', { structured_outputs: { regex: '(' } }))).deep.equal(bad(null))
    expect(await refused(chat('simulate: nonsense=1'))).deep.equal(bad(null))
    const image = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
    expect(await refused({ model: 'simulated', messages: [{ role: 'user', content: image }] })).deep.equal(bad(null))
  })

  it('refuses conversations that a chat template refuses', async () => {
    const user = { role: 'user', content: 'x' }
    const calls = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const tool = { role: 'tool', tool_call_id: 'a', content: 'y' }
    const status = async (...messages: JsonObject[]) => (await vllm.post(PATH, { model: 'simulated', messages })).status
    expect(await status(user, calls, tool, user)).equal(200)
    expect(await status({ role: 'system', content: 's' }, user)).equal(200)
    expect(await status(user, tool)).equal(400)
    expect(await status(user, calls, user, tool)).equal(400)
    expect(await status(user, { role: 'system', content: 's' }, user)).equal(400)
    expect(await status({ role: 'developer', content: 's' }, user)).equal(400)
    expect(await status({ role: 'user', content: [{ type: 'input_audio' }] })).equal(400)

    const lenient = await simulatorWith({ system_inline: true, developer_role: true })
    const messages = [{ role: 'developer', content: 'd' }, user, { role: 'system', content: 's' }]
    expect((await lenient.post(PATH, { model: 'simulated', messages })).status).equal(200)
  })

  it("refuses what does not fit its context window, in vLLM's words", async () => {
    const small = await simulatorWith({ models: [{ id: 'simulated', max_model_len: 50 }] })
    const long = await small.post(PATH, chat('water '.repeat(60)))
    expect(long.status).equal(400)
    expect(at(long.json, 'error', 'message')).match(/maximum context length is 50 tokens.*at least 74 input tokens/)
    const asked = await small.post(PATH, chat('water', { max_tokens: 45 }))
    expect(asked.status).equal(400)
    expect(at(asked.json, 'error')).include({ param: 'max_tokens' })
    expect(at(asked.json, 'error', 'message')).match(/too large: 45\. This model's maximum context length is 50 tokens/)
    // Without a limit of its own a request gets the room that is left.
    const rest = await small.post(PATH, chat('water', { ignore_eos: true }))
    expect(at(rest.json, 'usage', 'total_tokens')).equal(50)
  })
})
