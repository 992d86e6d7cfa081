import { expect } from 'chai'
import OpenAI from 'openai'
import type { SimulatedRequest } from '../../simulator/options.ts'
import { createSimulator } from '../../simulator/server.ts'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulator/server', () => {
  afterEach(closeSimulators)

  it('lists its models as each engine does', async () => {
    const models = [{ id: 'a', max_model_len: 100 }, { id: 'b' }]
    const cards = async (engine: 'vllm' | 'sglang' | 'llama.cpp') =>
      at((await (await simulatorWith({ engine, models })).get('/v1/models')).json, 'data')
    expect(at(await cards('vllm'), 0)).include({ id: 'a', owned_by: 'vllm', max_model_len: 100 })
    expect(at(await cards('sglang'), 1)).include({ id: 'b', owned_by: 'sglang', max_model_len: 32_768 })
    expect(at(await cards('llama.cpp'), 0)).include({ id: 'a', owned_by: 'llamacpp' })
    expect(at(await cards('llama.cpp'), 0, 'meta', 'n_ctx')).equal(100)
  })

  it('is healthy by default', async () => {
    const { get, simulator } = await simulatorWith()
    expect((await get('/health')).status).equal(200)
    simulator.setHealthy(false)
    expect((await get('/health')).status).equal(503)
    expect((await get('/version')).json).deep.equal({ version: '0.29.0' })
  })

  it('refuses unknown routes and methods', async () => {
    const { get, post, root } = await simulatorWith()
    expect((await get('/v1/nothing')).status).equal(404)
    expect((await post('/v1/nothing', {})).json).deep.equal({ detail: 'Not Found' })
    expect((await fetch(root + PATH, { method: 'PUT' })).status).equal(405)
    expect((await get('/v1/models?limit=5')).status).equal(200)
  })

  it('requires its key only below /v1', async () => {
    const { get, post, root } = await simulatorWith({ api_key: 'secret' })
    expect((await get('/v1/models')).status).equal(401)
    expect((await post(PATH, chat('x'))).json).deep.equal({ error: 'Unauthorized' })
    expect((await get('/health')).status).equal(200)
    expect((await fetch(`${root}/v1/models`, { headers: { authorization: 'Bearer secret' } })).status).equal(200)
  })

  it('passes requests to a listener', async () => {
    const seen: SimulatedRequest[] = []
    const { post } = await simulatorWith({ onRequest: request => seen.push(request) })
    await post(PATH, chat('x'), { headers: { 'x-trace': '1' } })
    expect(seen).lengthOf(1)
    expect(seen[0]).deep.include({ path: PATH, body: chat('x') })
    expect(seen[0]!.headers['x-trace']).equal('1')
  })

  it('runs, queues or refuses requests by its limits, and counts them', async () => {
    const { post, simulator } = await simulatorWith({ max_concurrency: 1, max_queue: 1 })
    const until = async (inFlight: number, waiting: number) => {
      while (simulator.stats.inFlight !== inFlight || simulator.stats.waiting !== waiting)
        await new Promise(setImmediate)
    }
    // Long enough to send the others on a busy machine.
    const first = post(PATH, chat('one\nsimulate: first_token=1500', { max_tokens: 4 }))
    await until(1, 0)
    const second = post(PATH, chat('two', { max_tokens: 4, stream: true }))
    await until(1, 1)
    for (const stream of [true, false]) {
      const refused = await post(PATH, chat('three', { stream }))
      expect(refused.status).equal(503)
      expect(at(refused.json, 'error', 'message')).match(/engine is currently busy/)
    }
    expect((await first).status).equal(200)
    expect((await second).events.at(-1)).equal('[DONE]')
    await until(0, 0)
    expect(simulator.stats).include({ requests: 4, refused: 2, cancelled: 0, completionTokens: 8 })
    expect(simulator.stats.promptTokens).equal(40)
  })

  it('ends running streams when it closes', async () => {
    const { root, simulator } = await simulatorWith({ tokens_per_second: 10 })
    const response = await fetch(root + PATH, { method: 'POST', body: JSON.stringify(chat('x', { stream: true })) })
    await simulator.close()
    const end = await response.text().catch((error: unknown) => error)
    expect(end).instanceOf(TypeError)
    expect(simulator.stats.inFlight).equal(0)
  })

  it('requires a model, and fails if the port is in use', async () => {
    expect(() => createSimulator({ models: [] })).throw(TypeError)
    const { root } = await simulatorWith()
    const error = await createSimulator()
      .listen(Number(new URL(root).port), '127.0.0.1')
      .catch((reason: unknown) => reason)
    expect(error).include({ code: 'EADDRINUSE' })
  })

  it('answers an unexpected body with an error', async () => {
    const { post } = await simulatorWith()
    // String() throws a TypeError.
    const seed = { toString: 1, valueOf: 1 }
    expect((await post(PATH, chat('x', { seed }))).status).equal(500)
    expect((await post(PATH, chat('x'))).status).equal(200)
  })

  it('is exported by the package', async () => {
    const exported = await import('sluiceway/simulator')
    expect(exported.createSimulator).equal(createSimulator)
  })

  describe('with the openai package', () => {
    async function client() {
      const { root } = await simulatorWith()
      return new OpenAI({ baseURL: `${root}/v1`, apiKey: 'none', maxRetries: 0 })
    }
    const messages = [{ role: 'user' as const, content: 'What does get_weather say?' }]
    const tool = {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    }

    it('streams a text that the helper assembles', async () => {
      const openai = await client()
      const stream = openai.chat.completions.stream({
        model: 'simulated',
        messages,
        stream_options: { include_usage: true },
      })
      let deltas = ''
      stream.on('content', delta => {
        deltas += delta
      })
      const { choices, usage } = await stream.finalChatCompletion()
      expect(choices[0]!.message.content)
        .equal(deltas)
        .match(/^You wrote/)
      expect(choices[0]!.finish_reason).equal('stop')
      expect(usage!.completion_tokens).equal(48)
    })

    it('streams a tool call that the helper assembles', async () => {
      const openai = await client()
      const stream = openai.chat.completions.stream({ model: 'simulated', messages, tools: [tool] })
      const { choices } = await stream.finalChatCompletion()
      const [call] = choices[0]!.message.tool_calls!
      expect(call).property('type', 'function')
      expect(choices[0]!.finish_reason).equal('tool_calls')
      const args: unknown = call!.type === 'function' ? JSON.parse(call!.function.arguments) : undefined
      expect(args).property('city').a('string')
    })

    it('parses JSON by a schema', async () => {
      const openai = await client()
      const schema = {
        type: 'object',
        properties: { answer: { type: 'integer' } },
        required: ['answer'],
        additionalProperties: false,
      }
      const completion = await openai.chat.completions.create({
        model: 'simulated',
        messages: [{ role: 'user', content: 'A number?' }],
        response_format: { type: 'json_schema', json_schema: { name: 'number', strict: true, schema } },
      })
      expect(JSON.parse(completion.choices[0]!.message.content!)).property('answer').a('number')
    })

    it('raises errors with their status and code', async () => {
      const openai = await client()
      const asked = openai.chat.completions.create({ model: 'other', messages })
      const error = await asked.catch((reason: unknown) => reason)
      expect(error).instanceOf(OpenAI.NotFoundError)
    })

    it('lists models and completes texts', async () => {
      const openai = await client()
      expect((await openai.models.list()).data[0]!.id).equal('simulated')
      const { choices } = await openai.completions.create({ model: 'simulated', prompt: ['a', 'b'], max_tokens: 2 })
      expect(choices.map(choice => choice.index)).deep.equal([0, 1])
    })
  })
})
