import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type { Engine } from '../../lib/backend/profile.ts'
import type { JsonObject } from '../../lib/json.ts'
import { KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}
const MESSAGE: Anthropic.MessageParam = { role: 'user', content: 'Tell me about rivers.' }
const PARAMS = { model: 'm', max_tokens: 200, messages: [MESSAGE] }

describe('the Anthropic package in front of the gateway', () => {
  let gateway: TestGateway
  let client: Anthropic

  async function start(engine: Exclude<Engine, 'openai'> = 'vllm', model: JsonObject = {}): Promise<void> {
    const { root } = await simulatorWith({ engine, models: [{ id: 'upstream-m', reasoning: true }] })
    const url = `${root}/v1`
    const backends = [{ url, model: 'upstream-m', engine }]
    gateway = await testGateway({ backends: [url], model: { backends, ...model } })
    client = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 })
  }

  afterEach(async () => {
    await gateway.close()
    await closeSimulators()
  })

  const failureOf = (pending: Promise<unknown>) =>
    pending.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('streams what it replies', async () => {
    await start()
    const streamed = await client.messages.stream(PARAMS).finalMessage()
    const replied = await client.messages.create(PARAMS)
    expect(streamed.content).deep.equal(replied.content)
    expect(streamed).include({ stop_reason: 'end_turn', model: 'm' })
    expect(streamed.usage.output_tokens).greaterThan(0)
    expect(replied._request_id).match(/^req_[0-9a-f]{12}$/)
  })

  it('thinks when it is told to, and only then', async () => {
    await start()
    const types = async (thinking?: Anthropic.ThinkingConfigParam) => {
      const { content } = await client.messages.stream({ ...PARAMS, ...(thinking && { thinking }) }).finalMessage()
      return content.map(({ type }) => type)
    }
    expect(await types({ type: 'enabled', budget_tokens: 1024 })).deep.equal(['thinking', 'text'])
    expect(await types()).deep.equal(['text'])
    expect(await types({ type: 'adaptive' })).deep.equal(['text'])
  })

  it('is not shown what a model thinks that cannot help it', async () => {
    await start('vllm', { capabilities: { reasoning: 'always' } })
    const { content } = await client.messages.stream(PARAMS).finalMessage()
    expect(content.map(({ type }) => type)).deep.equal(['text'])
  })

  it('calls tools and is told their results, a system message between them', async () => {
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

  for (const engine of ['vllm', 'llama.cpp'] as const) {
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

  it('is given an estimate, and told so, where the engine cannot count', async () => {
    await start('sglang')
    const { max_tokens: _, ...countable } = PARAMS
    const { data, response } = await client.messages.countTokens(countable).withResponse()
    expect(response.headers.get('x-service-input-tokens-estimated')).equal('true')
    expect(data.input_tokens).within(5, 30)
  })

  it('is told by status, code, path and id what is wrong', async () => {
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

  it('is told that a prompt is too long in the words that make clients shorten it', async () => {
    await start('vllm', { max_model_len: 64 })
    const long = await failureOf(
      client.messages.create({ ...PARAMS, messages: [{ role: 'user', content: 'word '.repeat(40_000) }] }),
    )
    expect(long).nested.include({ status: 400, 'error.error.code': 'context_length_exceeded' })
    expect((long as InstanceType<typeof Anthropic.APIError>).apiMessage).match(/^prompt is too long/)
  })

  it('uses the beta paths and goes on without threads', async () => {
    await start()
    const message = await client.beta.messages.toolRunner({ ...PARAMS, tools: [] })
    expect(message.content[0]).include({ type: 'text' })
  })
})
