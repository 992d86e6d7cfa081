import { expect } from 'chai'
import OpenAI from 'openai'
import { events, reply, type ScriptedBackend, scriptedBackend, status, textEvents } from '../support/backend.ts'
import { FAILURES, FIXTURES, failing, sending } from '../support/fixtures/index.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, type Running, simulatorWith } from '../support/simulator.ts'

const CITY = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const WEATHER = { type: 'function' as const, function: { name: 'get_weather', parameters: CITY } }
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Tell me about rivers.' }]
const PARAMS = { model: 'm', messages: MESSAGES }
const ANSWER = { type: 'json_schema' as const, name: 'place', strict: true, schema: CITY }

const CAPABILITIES = { tools: true, reasoning: true, chat_completions: { n: true, regex: true, grammar: true } }

async function failureOf(pending: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await pending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof OpenAI.APIError) return error
  throw new Error(`It did not fail as an API error: ${error}`)
}

describe('the openai package in front of the gateway', () => {
  let gateway: TestGateway
  let client: OpenAI

  const clientOf = (more: ConstructorParameters<typeof OpenAI>[0] = {}) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0, ...more })

  describe('and the simulated backend', () => {
    let running: Running

    before(async () => {
      running = await simulatorWith({ models: [{ id: 'upstream-m', reasoning: true }] })
      gateway = await testGateway({ backends: [`${running.root}/v1`], model: { capabilities: CAPABILITIES } })
      client = clientOf()
    })

    after(async () => {
      await gateway?.close()
      await closeSimulators()
    })

    it('streams what it creates', async () => {
      const created = await client.chat.completions.create(PARAMS)
      expect(created).include({ object: 'chat.completion', model: 'm' })
      expect(created._request_id).match(/^req_[0-9a-f]{12}$/)
      let text = ''
      let usage: OpenAI.CompletionUsage | null | undefined
      for await (const chunk of await client.chat.completions.create({ ...PARAMS, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
        usage = chunk.usage
      }
      expect(text).equal(created.choices[0]?.message.content).and.not.equal('')
      // docs/api/chat-completions.md#stream: usage is sent even if it was not requested.
      expect(usage?.completion_tokens).equal(created.usage?.completion_tokens)
      const final = await client.chat.completions.stream(PARAMS).finalChatCompletion()
      expect(final.choices[0]?.message.content).equal(text)
    })

    it('reasons when it is asked to', async () => {
      const reasoningOf = async (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>) => {
        const { choices } = await client.chat.completions.create({ ...PARAMS, ...more })
        return (choices[0]?.message as { reasoning_content?: string } | undefined)?.reasoning_content
      }
      expect(await reasoningOf({})).equal(undefined)
      expect(await reasoningOf({ reasoning_effort: 'high' }))
        .a('string')
        .and.not.equal('')
    })

    it('offers several choices', async () => {
      const { choices } = await client.chat.completions.create({ ...PARAMS, n: 3 })
      expect(choices.map(({ index }) => index)).deep.equal([0, 1, 2])
    })

    it('runs tools until there is an answer', async () => {
      const asked: string[] = []
      const tools = ['Paris', 'Rome'].map((place, i) => ({
        type: 'function' as const,
        function: {
          name: `look_up_${i}`,
          description: place,
          parameters: CITY,
          parse: (text: string) => JSON.parse(text) as { city: string },
          function: ({ city }: { city: string }) => {
            asked.push(city)
            return `${place}: sun`
          },
        },
      }))
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Use look_up_0 and look_up_1.' }]
      for (const stream of [false, true]) {
        asked.length = 0
        const runner = stream
          ? client.chat.completions.runTools({ model: 'm', messages, tools, stream: true })
          : client.chat.completions.runTools({ model: 'm', messages, tools })
        expect(await runner.finalContent())
          .a('string')
          .and.not.equal('')
        expect(asked).length(2)
        expect(runner.messages.map(({ role }) => role)).deep.equal(['user', 'assistant', 'tool', 'tool', 'assistant'])
      }
    })

    it('follows a schema', async () => {
      const { type, ...json_schema } = ANSWER
      const parsed = await client.chat.completions.parse({ ...PARAMS, response_format: { type, json_schema } })
      expect(JSON.parse(parsed.choices[0]?.message.content ?? '')).keys('city')
    })

    it('answers over the Responses API, streamed and not', async () => {
      const params = { model: 'm', input: 'Tell me about rivers.', instructions: 'Be brief.' }
      const created = await client.responses.create(params)
      expect(created).include({ object: 'response', status: 'completed', model: 'm' })
      expect(created.output_text).not.equal('')
      expect(created._request_id).match(/^req_[0-9a-f]{12}$/)
      const final = await client.responses.stream(params).finalResponse()
      expect(final.output_text).equal(created.output_text)
      expect(final.usage?.output_tokens).equal(created.usage?.output_tokens)
    })

    it('follows a schema over the Responses API', async () => {
      const params = { model: 'm', input: 'Where?', text: { format: ANSWER } }
      expect(JSON.parse((await client.responses.parse(params)).output_text)).keys('city')
      expect(JSON.parse((await client.responses.stream(params).finalResponse()).output_text)).keys('city')
    })

    it('calls functions over the Responses API and hands back their results', async () => {
      const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'get_weather', parameters: CITY, strict: true }]
      const input: OpenAI.Responses.ResponseInputItem[] = [
        { type: 'message', role: 'user', content: 'Use get_weather.\nsimulate: calls=2' },
      ]
      const first = await client.responses.stream({ model: 'm', input, tools }).finalResponse()
      const calls = first.output.filter(item => item.type === 'function_call')
      expect(calls).length(2)
      for (const item of first.output) input.push(item as OpenAI.Responses.ResponseInputItem)
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: 'sun' })
      const second = await client.responses.create({ model: 'm', input, tools })
      expect(second.output.map(({ type }) => type)).deep.equal(['message'])
    })

    it('completes texts and token ids', async () => {
      const prompt = 'Once upon a time'
      const whole = await client.completions.create({ model: 'm', prompt, max_tokens: 20 })
      expect(whole).include({ object: 'text_completion', model: 'm' })
      let text = ''
      for await (const chunk of await client.completions.create({ model: 'm', prompt, max_tokens: 20, stream: true })) {
        text += chunk.choices[0]?.text ?? ''
      }
      expect(text).equal(whole.choices[0]?.text).and.not.equal('')
      const ids = await client.completions.create({
        model: 'm',
        prompt: [
          [1, 2, 3],
          [4, 5],
        ],
        max_tokens: 5,
      })
      expect(ids.choices.map(({ index }) => index)).deep.equal([0, 1])
      const constrained = { model: 'm', prompt, regex: '[0-9]{4}', max_tokens: 20 }
      expect((await client.completions.create(constrained)).choices[0]?.text).match(/^\d{4}$/)
    })

    it('lists the models with their cards', async () => {
      const models = await client.models.list()
      expect(models.data.map(({ id, object }) => ({ id, object }))).deep.equal([{ id: 'm', object: 'model' }])
      expect(models.data[0]).nested.property('service.capabilities.chat_completions.n', true)
    })

    it('stops the backend when it is aborted', async () => {
      const { simulator } = running
      const before = simulator.stats.cancelled
      const messages: OpenAI.ChatCompletionMessageParam[] = [
        { role: 'user', content: 'Go on.\nsimulate: tokens=100000 tokens_per_second=200' },
      ]
      const abort = new AbortController()
      const pending = client.chat.completions.create({ model: 'm', messages }, { signal: abort.signal })
      await eventually(() => simulator.stats.inFlight === 1, 'the generation')
      abort.abort()
      expect(await failureOf(pending)).instanceOf(OpenAI.APIUserAbortError)
      await eventually(() => simulator.stats.cancelled === before + 1, 'the end of the generation')

      const stream = await client.chat.completions.create({ model: 'm', messages, stream: true })
      for await (const _ of stream) break
      await eventually(() => simulator.stats.cancelled === before + 2, 'the end of the second generation')
    })

    it('gets class, status, code, param and id of an error', async () => {
      const unknown = await failureOf(client.chat.completions.create({ ...PARAMS, model: 'other' }))
      expect(unknown).instanceOf(OpenAI.NotFoundError).include({ code: 'model_not_found', param: 'model' })
      expect(unknown.requestID).match(/^req_[0-9a-f]{12}$/)
      const twice = await failureOf(client.chat.completions.create({ ...PARAMS, tools: [WEATHER, WEATHER] }))
      expect(twice).instanceOf(OpenAI.BadRequestError)
      expect(twice).include({
        code: 'duplicate_tool_name',
        type: 'invalid_request_error',
        param: 'tools.1.function.name',
      })
      const hot = await failureOf(client.chat.completions.create({ ...PARAMS, temperature: 9 }))
      expect(hot).instanceOf(OpenAI.UnprocessableEntityError)
      expect(hot).include({ code: 'schema_validation_failed', param: 'temperature' })
      const stored = await failureOf(
        client.responses.create({ model: 'm', input: 'Hi', previous_response_id: 'resp_1' }),
      )
      expect(stored).include({ status: 400, code: 'unsupported_parameter', param: 'previous_response_id' })
      const short = await failureOf(client.responses.create({ model: 'm', input: [{ role: 'user', content: 'Hi' }] }))
      expect(short).include({ status: 400, code: 'unsupported_input_item', param: 'input.0.type' })
      const wrong = await failureOf(clientOf({ apiKey: 'service_wrong' }).chat.completions.create(PARAMS))
      expect(wrong).instanceOf(OpenAI.AuthenticationError).include({ code: 'invalid_api_key' })
    })
  })

  describe('and a scripted backend', () => {
    let backend: ScriptedBackend

    before(async () => {
      backend = await scriptedBackend()
      gateway = await testGateway({ backends: [backend.url] })
      client = clientOf()
    })

    after(async () => {
      await gateway?.close()
      await backend?.close()
    })

    it('waits as long as Retry-After says and tries again', async () => {
      const busy = status(429, { error: { message: 'slow down', type: 'x' } }, { 'retry-after': '1' })
      let tries = 0
      backend.script = (res, request, req) => (++tries === 1 ? busy(res, request, req) : reply()(res, request, req))
      const started = performance.now()
      const { choices } = await clientOf({ maxRetries: 1 }).chat.completions.create(PARAMS)
      expect(choices[0]?.message.content).equal('Hello')
      expect(tries).equal(2)
      expect(performance.now() - started).least(950)
    })

    it('gets the error of a busy backend', async () => {
      backend.script = status(503, { error: { message: 'The request queue is full.' } }, { 'retry-after': '3' })
      const busy = await failureOf(client.chat.completions.create({ ...PARAMS, stream: true }))
      expect(busy).instanceOf(OpenAI.RateLimitError).include({ code: 'backend_at_capacity', type: 'rate_limit_error' })
      expect(busy.headers?.get('retry-after')).equal('3')
    })

    for (const fixture of FIXTURES) {
      it(`reads: ${fixture.name}`, async () => {
        backend.script = sending(fixture)
        const { text = '', refusal = '', calls = [] } = fixture
        const { choices } = await client.chat.completions.stream(PARAMS).finalChatCompletion()
        const message = choices[0]?.message
        expect((message?.content ?? '') + (message?.refusal ?? '')).equal(text + refusal)
        expect((message?.tool_calls ?? []).map(call => ({ id: call.id, ...functionOf(call) }))).deep.equal(calls)

        const { output, output_text } = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse()
        expect(output_text).equal(text + refusal)
        const items = output.flatMap(item => (item.type === 'function_call' ? [item] : []))
        expect(items.map(item => ({ id: item.call_id, name: item.name, arguments: item.arguments }))).deep.equal(calls)
      })
    }

    for (const failure of FAILURES) {
      it(`raises: ${failure.name}`, async () => {
        backend.script = failing(failure)
        const raised = await failureOf(readAll(client.chat.completions.create({ ...PARAMS, stream: true })))
        expect(raised.code).equal(failure.code)
        // A success in between, so that the only backend is not ejected.
        backend.script = reply()
        await client.chat.completions.create(PARAMS)

        backend.script = failing(failure)
        const response = client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse()
        if (failure.text === undefined) expect((await failureOf(response)).code).equal(failure.code)
        else expect(await response).nested.include({ status: 'failed', 'error.code': failure.code })
        backend.script = events(...textEvents('ok'))
        await readAll(client.chat.completions.create({ ...PARAMS, stream: true }))
      })
    }
  })
})

function functionOf(call: OpenAI.ChatCompletionMessageToolCall): { name: string; arguments: string } {
  if (call.type !== 'function') throw new Error(`A call of type ${call.type}.`)
  const { name, arguments: text } = call.function
  return { name, arguments: text }
}

async function readAll(pending: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await pending);
}
