/**
 * The requests of the Open Responses compliance suite, and similar ones, with a validator that is as strict as its
 * schema. Its event schema requires `sequence_number`, which the operator enables.
 */
import { expect } from 'chai'
import { isObject, type JsonObject, parseJson } from '../../lib/base/json.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { eventProblems, responseProblems } from '../support/open-responses.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const message = (role: string, content: unknown): JsonObject => ({ type: 'message', role, content }) as JsonObject
const weather: JsonObject = {
  ...{ type: 'function', name: 'get_weather', description: 'Gets the weather of a place.' },
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
}
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SCHEMA: JsonObject = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const asked = 'Call get_weather for Oslo.'

/** The body of each request, and the expected output. */
const REQUESTS: Readonly<
  Record<string, { readonly body: JsonObject; readonly type?: string; readonly status?: string }>
> = {
  text: { body: { input: [message('user', 'Say hello in three words.')] } },
  'a string': { body: { input: 'Count to five.' } },
  'a system message': { body: { input: [message('system', 'Speak like a pirate.'), message('user', 'Hello.')] } },
  instructions: {
    body: { input: 'Hi', instructions: 'Be brief.', temperature: 0.5, top_p: 0.9, metadata: { a: 'b' } },
  },
  tools: { body: { input: [message('user', asked)], tools: [weather] }, type: 'function_call' },
  'several calls': {
    body: { input: `${asked}\nsimulate: tool=get_weather calls=2`, tools: [weather] },
    type: 'function_call',
  },
  'a bare tool': {
    body: { input: asked, tools: [{ type: 'function', name: 'get_weather', strict: true }], tool_choice: 'required' },
    type: 'function_call',
  },
  'a named tool': {
    body: { input: 'Hi', tools: [weather], tool_choice: { type: 'function', name: 'get_weather' } },
    type: 'function_call',
  },
  'no tool': { body: { input: asked, tools: [weather], tool_choice: 'none', parallel_tool_calls: false } },
  'the result of a tool': {
    body: {
      tools: [weather],
      input: [
        message('user', asked),
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"location":"Oslo"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      ],
    },
  },
  'an image': {
    body: {
      input: [
        message('user', [
          { type: 'input_text', text: 'What is it?' },
          { type: 'input_image', image_url: IMAGE },
        ]),
      ],
    },
  },
  'several turns': {
    body: {
      input: [message('user', 'I am Alice.'), message('assistant', 'Hello Alice!'), message('user', 'Who am I?')],
    },
  },
  reasoning: { body: { input: 'Why?', reasoning: { effort: 'high' }, max_output_tokens: 400 } },
  'a JSON object': { body: { input: 'A city.', text: { format: { type: 'json_object' } } } },
  'a schema': { body: { input: 'A city.', text: { format: { type: 'json_schema', name: 'city', schema: SCHEMA } } } },
  'a strict schema': {
    body: {
      input: 'A city.',
      text: {
        format: { type: 'json_schema', name: 'city', schema: SCHEMA, strict: true, description: 'd' },
        verbosity: 'low',
      },
    },
  },
  'too little room': { body: { input: 'Tell me more.', max_output_tokens: 3 }, status: 'incomplete' },
}

describe('Open Responses', () => {
  let gateway: TestGateway

  before(async () => {
    const { root } = await simulatorWith({ models: [{ id: 'upstream-m', reasoning: true }], answer_tokens: 20 })
    const chat_completions = { tools: true, streaming_tools: true, structured_outputs: true }
    const model = { capabilities: { tools: true, reasoning: true, chat_completions } }
    gateway = await testGateway({ backends: [`${root}/v1`], model, more: { responses: { sequence_number: true } } })
  })

  after(async () => {
    await gateway.close()
    await closeSimulators()
  })

  const post = async (body: JsonObject) => await (await gateway.post('/v1/responses', { model: 'm', ...body })).text()

  for (const [name, { body, type = 'message', status = 'completed' }] of Object.entries(REQUESTS)) {
    it(`has a strict response for ${name}, whole and streamed`, async () => {
      const whole = parseJson(await post(body))
      expect(responseProblems(whole), JSON.stringify(whole)).deep.equal([])
      const events = (await post({ ...body, stream: true })).split('\n\n').flatMap(frame => {
        const data = parseJson(frame.slice(frame.indexOf('data: ') + 6))
        return isObject(data) ? [data] : []
      })
      expect(eventProblems(events)).deep.equal([])
      const last = events.at(-1)!.response
      for (const response of [whole, last]) {
        expect(response).include({ status })
        const { output } = response as { output: JsonObject[] }
        expect(output.map(item => item.type)).includes(type)
      }
      if (type !== 'function_call') return
      const item = (event: string) =>
        events.some(each => each.type === event && (each.item as JsonObject)?.type === type)
      expect([item('response.output_item.added'), item('response.output_item.done')]).deep.equal([true, true])
      const types = events.map(each => each.type)
      expect(types).includes.members([
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
      ])
    })
  }

  it('has a strict response where generation fails', async () => {
    const text = await post({ input: 'Hi\nsimulate: error_after=3', stream: true })
    const events = text.split('\n\n').flatMap(frame => {
      const data = parseJson(frame.slice(frame.indexOf('data: ') + 6))
      return isObject(data) ? [data] : []
    })
    expect(eventProblems(events)).deep.equal([])
    expect(events.at(-1)).include({ type: 'response.failed' })
  })
})
