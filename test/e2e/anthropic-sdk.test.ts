import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import type { Engine } from '../../lib/config/profile.ts'
import { events, reply, type ScriptedBackend, scriptedBackend, textEvents } from '../support/backend.ts'
import { calls, ends, piece, role, says, thinks } from '../support/fixtures/events.ts'
import { FAILURES, FIXTURES, failing, sending } from '../support/fixtures/index.ts'
import { KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}
const MESSAGE: Anthropic.MessageParam = { role: 'user', content: 'Tell me about rivers.' }
const PARAMS = { model: 'm', max_tokens: 200, messages: [MESSAGE] }
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const failureOf = (pending: Promise<unknown>) =>
  pending.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the Anthropic package in front of the gateway', () => {
  let gateway: TestGateway
  let client: Anthropic

  async function start(
    engine: Exclude<Engine, 'openai'> = 'vllm',
    model: JsonObject = {},
    profiled: Engine = engine,
  ): Promise<void> {
    const { root } = await simulatorWith({ engine, models: [{ id: 'upstream-m', reasoning: true }] })
    const url = `${root}/v1`
    const backends = [{ url, model: 'upstream-m', engine: profiled }]
    gateway = await testGateway({ backends: [url], model: { backends, ...model } })
    client = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 })
  }

  afterEach(async () => {
    await gateway.close()
    await closeSimulators()
  })

  it('streams its reply', async () => {
    await start()
    const streamed = await client.messages.stream(PARAMS).finalMessage()
    const replied = await client.messages.create(PARAMS)
    expect(streamed.content).deep.equal(replied.content)
    expect(streamed).include({ stop_reason: 'end_turn', model: 'm' })
    expect(streamed.usage.output_tokens).greaterThan(0)
    expect(replied._request_id).match(/^req_[0-9a-f]{12}$/)
  })

  it('thinks when it is asked to, and only then', async () => {
    await start()
    const types = async (thinking?: Anthropic.ThinkingConfigParam) => {
      const { content } = await client.messages.stream({ ...PARAMS, ...(thinking && { thinking }) }).finalMessage()
      return content.map(({ type }) => type)
    }
    expect(await types({ type: 'enabled', budget_tokens: 1024 })).deep.equal(['thinking', 'text'])
    expect(await types()).deep.equal(['text'])
    expect(await types({ type: 'adaptive' })).deep.equal(['text'])
  })

  it('is not shown the reasoning of a model that always reasons', async () => {
    await start('vllm', { capabilities: { reasoning: 'always' } })
    const { content } = await client.messages.stream(PARAMS).finalMessage()
    expect(content.map(({ type }) => type)).deep.equal(['text'])
  })

  it('parses an answer that follows a schema, and reports a model that cannot', async () => {
    await start('vllm', { capabilities: { chat_completions: { structured_outputs: true } } })
    const schema = { ...WEATHER.input_schema, additionalProperties: false }
    const parse = (text: string) => JSON.parse(text) as { city: string }
    const format = { type: 'json_schema' as const, schema, parse }
    const params = { ...PARAMS, output_config: { format } }
    expect((await client.messages.parse(params)).parsed_output).keys('city')
    expect((await client.messages.stream(params).finalMessage()).parsed_output).keys('city')
    expect((await client.beta.messages.parse({ ...PARAMS, output_format: format })).parsed_output).keys('city')
    expect((await client.messages.countTokens(params)).input_tokens).above(0)
    await gateway.close()

    await start('vllm', { capabilities: { chat_completions: { structured_outputs: false } } })
    for (const pending of [client.messages.parse(params), client.messages.countTokens(params)])
      expect(await failureOf(pending))
        .include({ status: 400 })
        .property('message')
        .contain('output_config.format.type')
  })

  it('calls tools and sends their results, with a system message between them', async () => {
    await start()
    const ask: Anthropic.MessageParam = { role: 'user', content: 'Use get_weather for Paris.' }
    const called = await client.messages.stream({ ...PARAMS, messages: [ask], tools: [WEATHER] }).finalMessage()
    expect(called.stop_reason).equal('tool_use')
    const call = called.content.at(-1)
    if (call?.type !== 'tool_use') throw new Error('no call')
    expect(call.input).property('city')
    const content = JSON.parse(JSON.stringify(called.content)) as Anthropic.ContentBlockParam[]
    const answered = await client.messages.create({
      ...PARAMS,
      tools: [WEATHER],
      messages: [
        ask,
        { role: 'assistant', content },
        { role: 'system', content: 'It is noon.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'Sun' }] },
      ],
    })
    expect(answered.stop_reason).equal('end_turn')
  })

  for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
    it(`counts exactly what ${engine} then charges`, async () => {
      await start(engine)
      const params = {
        ...PARAMS,
        system: 'You are helpful. Å',
        tools: [WEATHER],
        messages: [MESSAGE, { role: 'assistant' as const, content: 'Well.' }, MESSAGE],
      }
      const { max_tokens: _, ...countable } = params
      const { data, response } = await client.messages.countTokens(countable).withResponse()
      expect(response.headers.has('x-service-input-tokens-estimated')).equal(false)
      expect(data.input_tokens).equal((await client.messages.create(params)).usage.input_tokens)
    })
  }

  it('gets an estimate, marked as one, where the engine cannot count', async () => {
    await start('vllm', {}, 'openai')
    const { max_tokens: _, ...countable } = PARAMS
    const { data, response } = await client.messages.countTokens(countable).withResponse()
    expect(response.headers.get('x-service-input-tokens-estimated')).equal('true')
    expect(data.input_tokens).within(5, 30)
  })

  it('gets status, code, path and id of an error', async () => {
    await start()
    const unknown = await failureOf(client.messages.create({ ...PARAMS, model: 'other' }))
    expect(unknown).instanceOf(Anthropic.NotFoundError).nested.include({ 'error.error.code': 'model_not_found' })
    const nameless = { description: 'x', input_schema: WEATHER.input_schema } as unknown as Anthropic.Tool
    const refused = await failureOf(client.messages.create({ ...PARAMS, tools: [WEATHER, nameless] }))
    expect(refused).instanceOf(Anthropic.BadRequestError)
    expect(refused).nested.include({ 'error.error.code': 'missing_tool_name', 'error.error.param': 'tools.1.name' })
    expect(refused)
      .property('requestID')
      .match(/^req_[0-9a-f]{12}$/)
    const orphan: Anthropic.MessageParam = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }],
    }
    expect(await failureOf(client.messages.create({ ...PARAMS, messages: [MESSAGE, orphan] }))).nested.include({
      'error.error.code': 'orphan_tool_message',
      'error.error.param': 'messages.1.content.0.tool_use_id',
    })
    const anonymous = new Anthropic({ baseURL: gateway.url, apiKey: 'service_wrong', maxRetries: 0 })
    expect(await failureOf(anonymous.messages.create(PARAMS))).instanceOf(Anthropic.AuthenticationError)
  })

  it('gets the words for a prompt that is too long that make clients shorten it', async () => {
    await start('vllm', { max_model_len: 64 })
    const long = await failureOf(
      client.messages.create({ ...PARAMS, messages: [{ role: 'user', content: 'word '.repeat(40_000) }] }),
    )
    expect(long).nested.include({ status: 400, 'error.error.code': 'context_length_exceeded' })
    expect((long as InstanceType<typeof Anthropic.APIError>).apiMessage).match(/^prompt is too long/)
  })

  it('runs tools until there is an answer, continuing without threads', async () => {
    await start()
    const asked: unknown[] = []
    const tool = {
      ...WEATHER,
      type: 'custom' as const,
      run: (input: unknown) => {
        asked.push(input)
        return 'Sun'
      },
      parse: (input: unknown) => input,
    }
    const runner = client.beta.messages.toolRunner({
      ...PARAMS,
      messages: [{ role: 'user', content: 'Use get_weather.\nsimulate: calls=2' }],
      tools: [tool],
    })
    const message = await runner
    expect(asked).length(2)
    expect(message).include({ stop_reason: 'end_turn' })
    expect(message.content.map(({ type }) => type)).deep.equal(['text'])
    expect(runner.params.messages.map(each => each.role)).deep.equal(['user', 'assistant', 'user', 'assistant'])
  })
})

describe('the Anthropic package and a scripted backend', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let client: Anthropic

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({
      backends: [backend.url],
      model: { capabilities: { vision: true, tools: true, reasoning: true } },
    })
    client = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  it('sends back thinking, parallel calls and images, and no byte is changed', async () => {
    const image = { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL }
    const messages: Anthropic.MessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'image', source: image },
          { type: 'text', text: 'What is it, é?' },
        ],
      },
    ]
    const params = {
      ...PARAMS,
      messages,
      tools: [WEATHER],
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
    }
    const input = '{"city":"Zürich \\"HB\\"","n":1}'
    for (const turn of [0, 1, 2]) {
      backend.script = events(
        role,
        thinks('Let me look.'),
        says(`Turn ${turn}.`),
        calls(piece(0, `functions.get_weather:${2 * turn}`, 'get_weather', input.slice(0, 9))),
        calls(piece(1, `functions.get_weather:${2 * turn + 1}`, 'get_weather', '{}')),
        calls(piece(0, undefined, undefined, input.slice(9))),
        ends('tool_calls'),
      )
      const { content, stop_reason } = await client.messages.stream(params).finalMessage()
      expect(stop_reason).equal('tool_use')
      expect(content.map(({ type }) => type)).deep.equal(['thinking', 'text', 'tool_use', 'tool_use'])
      const results = content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
        block.type !== 'tool_use'
          ? []
          : [
              {
                type: 'tool_result',
                tool_use_id: block.id,
                content: [
                  { type: 'text', text: 'Look:' },
                  { type: 'image', source: image },
                ],
                is_error: block.id.endsWith('1'),
              },
            ],
      )
      messages.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] })
      messages.push({ role: 'user', content: [...results, { type: 'text', text: 'Go on.' }] })
    }
    backend.script = reply('Done')
    await client.messages.create(params)

    const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }
    const sent = backend.requests.at(-1)!.body.messages as JsonObject[]
    expect(sent[0]).deep.equal({ role: 'user', content: [picture, { type: 'text', text: 'What is it, é?' }] })
    for (const turn of [0, 1, 2]) {
      const ids = [2 * turn, 2 * turn + 1].map(n => `functions.get_weather:${n}`)
      const [assistant, first, second, user] = sent.slice(1 + 4 * turn)
      expect(assistant).deep.equal({
        role: 'assistant',
        content: `Turn ${turn}.`,
        tool_calls: [input, '{}'].map((text, i) => ({
          id: ids[i],
          type: 'function',
          function: { name: 'get_weather', arguments: text },
        })),
      })
      expect(first).include({ role: 'tool', tool_call_id: ids[0] })
      expect(second).include({ role: 'tool', tool_call_id: ids[1] })
      // Templates render only text in a tool message, so the images are in the next user message.
      expect(user).deep.equal({ role: 'user', content: [picture, picture, { type: 'text', text: 'Go on.' }] })
    }
    expect(sent).length(13)
    const bodies = backend.requests.slice(-4).map(({ bytes }) => bytes.toString())
    for (const [i, body] of bodies.slice(1).entries()) {
      const before = bodies[i]!
      const same = before.slice(0, before.indexOf('],"tools":'))
      expect(body.startsWith(same), 'a longer conversation begins with the bytes of the shorter one').equal(true)
    }
  })

  for (const fixture of FIXTURES) {
    it(`reads: ${fixture.name}`, async () => {
      backend.script = sending(fixture)
      const { text = '', refusal = '', reasoning = '', calls = [], inputs } = fixture
      const params = { ...PARAMS, thinking: { type: 'enabled' as const, budget_tokens: 1024 } }
      const { content } = await client.messages.stream(params).finalMessage()
      const joined = (type: string, member: string) =>
        content.map(block => (block.type === type ? (block as unknown as Record<string, string>)[member] : '')).join('')
      expect(joined('text', 'text')).equal(text + refusal)
      expect(joined('thinking', 'thinking')).equal(reasoning)
      const used = content.flatMap(block => (block.type === 'tool_use' ? [block] : []))
      expect(used.map(({ id, name, input }) => ({ id, name, input }))).deep.equal(
        calls.map(({ id, name, arguments: json }, i) => ({ id, name, input: inputs?.[i] ?? JSON.parse(json) })),
      )
    })
  }

  for (const failure of FAILURES) {
    it(`raises: ${failure.name}`, async () => {
      backend.script = failing(failure)
      const raised = await failureOf(client.messages.stream(PARAMS).finalMessage())
      expect(raised).instanceOf(Anthropic.APIError).nested.include({ 'error.error.code': failure.code })
      // Five in a row would eject the only backend.
      backend.script = events(...textEvents('ok'))
      await client.messages.stream(PARAMS).finalMessage()
    })
  }
})
