import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { calls, ends, piece, role, says, thinks, usage } from '../support/fixtures/events.ts'
import { questions, SCHEMA, useRules } from '../support/rules.ts'

const tool = (name: string, parameters: Json = SCHEMA): JsonObject => ({ type: 'function', name, parameters })

/** docs/api/responses.md#response and docs/api/responses.md#stream, from outside. */
describe('Responses replies', () => {
  const rules = useRules()
  const { ask, streamed } = questions(rules, '/v1/responses', { model: 'm', input: 'Hi' })

  describe('the response', () => {
    it('is an object of the documented form', async () => {
      const before = Math.floor(Date.now() / 1000)
      const { json } = await ask({ model: 'alias', parallel_tool_calls: false })
      expect(json.id).match(/^resp_/)
      expect(json.created_at).within(before, Math.floor(Date.now() / 1000))
      expect(json).include({ object: 'response', model: 'm', status: 'completed', parallel_tool_calls: false })
      expect(json.output).deep.equal([
        {
          id: (json.output as JsonObject[])[0]?.id,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ])
    })
    it('repeats the members of its request in every state, as they were sent', async () => {
      const referring = { type: 'object', properties: { a: { $ref: '#/$defs/text' } }, $defs: { text: SCHEMA } }
      const request = {
        model: 'fixed',
        instructions: 'Be brief.',
        temperature: 0.2,
        max_output_tokens: 99,
        tools: [{ ...tool('f', referring), description: 'Does.', strict: false }],
        tool_choice: 'none',
        metadata: { a: 'b' },
      }
      const { model: _, ...sent } = request
      const rest = { top_p: 1, text: { format: { type: 'text' } }, store: false, previous_response_id: null }
      const { json } = await ask(request)
      expect(json).deep.include({ ...sent, ...rest })
      const cut = (await ask(request, { script: events(role, says('a'), ends('length')) })).json
      expect(cut).deep.include({ ...sent, ...rest, status: 'incomplete', completed_at: null })
      for (const script of [events(role, says('a'), ends('stop')), events(role, says('a'))]) {
        const all = await streamed(request, { script })
        for (const event of [all[0]!, all.at(-1)!]) expect(event.response).deep.include({ ...sent, ...rest })
      }
    })
    it('holds function calls, ids byte by byte', async () => {
      const script = events(
        role,
        says('Look.'),
        calls(piece(0, 'functions.f:0', 'f', '{"a": 1.0}')),
        ends('tool_calls'),
      )
      const { json } = await ask({ tools: [tool('f')] }, { script })
      const [text, call] = json.output as [JsonObject, JsonObject]
      expect(text).include({ type: 'message', status: 'completed' })
      expect(call).include({
        type: 'function_call',
        call_id: 'functions.f:0',
        name: 'f',
        arguments: '{"a": 1.0}',
        status: 'completed',
      })
      expect(call.id).a('string').and.not.equal(text.id)
    })
    it('is incomplete when it was cut or filtered', async () => {
      for (const [finish, reason] of [
        ['length', 'max_output_tokens'],
        ['content_filter', 'content_filter'],
      ] as const) {
        const script = events(role, says('a'), ends(finish))
        expect((await ask({}, { script })).json).deep.include({ status: 'incomplete', incomplete_details: { reason } })
        const last = (await streamed({}, { script })).at(-1)
        expect(last).nested.include({
          type: 'response.completed',
          'response.status': 'incomplete',
          'response.incomplete_details.reason': reason,
        })
      }
    })
  })

  describe('the stream', () => {
    it('has these events, in this order, and no others', async () => {
      const script = events(
        role,
        thinks('Hm.'),
        says('Look'),
        says('.'),
        calls(piece(0, 'c', 'f', '{"a":')),
        calls(piece(0, undefined, undefined, '"b"}')),
        ends('tool_calls'),
        usage(9, 5),
      )
      const all = await streamed({ tools: [tool('f')] }, { script })
      expect(all.map(({ type }) => type)).deep.equal([
        'response.created',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.delta',
        'response.output_item.done',
        'response.output_item.added',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done',
        'response.completed',
      ])
      const [created, added, part] = all as [JsonObject, JsonObject, JsonObject]
      expect(created.response).deep.include({ status: 'in_progress', output: [] })
      expect(created).nested.include({
        'response.usage.input_tokens': 0,
        'response.usage.output_tokens': 0,
        'response.usage.total_tokens': 0,
      })
      expect(added).nested.include({ output_index: 0, 'item.type': 'message', 'item.role': 'assistant' })
      expect(part).include({ output_index: 0, content_index: 0, item_id: (added.item as JsonObject).id })
      expect(all[8]).include({ arguments: '{"a":"b"}', output_index: 1 })
      expect(all.at(-1)).nested.include({ 'response.status': 'completed', 'response.usage.output_tokens': 5 })
    })
    it('sends the calls of a reply one whole item after the other', async () => {
      const script = events(
        role,
        calls(piece(0, 'c', 'f', '{"a":')),
        calls(piece(1, 'd', 'f', '{}')),
        calls(piece(0, undefined, undefined, '"b"}')),
        ends('tool_calls'),
      )
      const all = await streamed({ tools: [tool('f')] }, { script })
      const item = (place: number) =>
        ['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done', 'output_item.done'].map(
          type => [`response.${type}`, place],
        )
      expect(all.slice(1, -1).map(({ type, output_index }) => [type, output_index])).deep.equal([
        ...item(0),
        ...item(1),
      ])
    })
    it('has no [DONE] and no sequence_number', async () => {
      const { text } = await ask({ stream: true })
      expect(text).not.include('[DONE]').and.not.include('sequence_number')
    })
    it('ends with response.failed when generation fails', async () => {
      const script = events(role, says('Half'), { error: { message: 'CUDA error', code: 500 } })
      const last = (await streamed({}, { script })).at(-1)
      expect(last).nested.include({
        type: 'response.failed',
        'response.status': 'failed',
        'response.error.code': 'backend_http_error',
      })
      expect(last).nested.property('response.error.message').a('string')
    })
  })
})

/** The switches of docs/DESIGN.md#responses. */
describe('Responses with its switches', () => {
  const rules = useRules({ responses: { unknown_tools: 'drop', sequence_number: true } })
  const { ask, sent } = questions(rules, '/v1/responses', { model: 'm', input: 'Hi' })

  it('drops tools that the gateway cannot run', async () => {
    const tools = [{ type: 'custom', name: 'x' }, tool('f'), { type: 'file_search' }]
    expect(await sent({ tools }, 'tools')).nested.include({ 'tools[0].function.name': 'f', 'tools.length': 1 })
  })
  it('numbers its events', async () => {
    const { text } = await ask({ stream: true })
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number))
    expect(numbers).deep.equal(numbers.map((_, i) => i)).and.not.empty
  })
})
