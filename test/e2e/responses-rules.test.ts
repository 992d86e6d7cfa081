import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { calls, ends, piece, role, says, thinks, usage } from '../support/fixtures/events.ts'
import { questions, REFERENCES, SCHEMA, useRules } from '../support/rules.ts'

const message = (role: string, content: Json): JsonObject => ({ type: 'message', role, content })
const user = (content: Json = 'a') => message('user', content)
const called = (call_id: string, more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{"a": 1.0}',
  ...more,
})
const output = (call_id: Json, output: Json = 'r'): JsonObject => ({ type: 'function_call_output', call_id, output })
const tool = (name: string, parameters: Json = SCHEMA): JsonObject => ({ type: 'function', name, parameters })
const format = (schema: JsonObject): JsonObject => ({ text: { format: { type: 'json_schema', name: 'x', schema } } })

/** The rules of docs/api/responses.md, from outside. */
describe('Responses', () => {
  const rules = useRules()
  const { ask, refused, sent, sentMessages, streamed } = questions(rules, '/v1/responses', { model: 'm', input: 'Hi' })

  describe('input', () => {
    it('is a string or typed items', async () => {
      expect(await sentMessages({ input: 'Hi' })).deep.equal([{ role: 'user', content: 'Hi' }])
      const input = [
        message('developer', 'd'),
        message('system', 's'),
        user([{ type: 'input_text', text: 'a' }]),
        message('assistant', [{ type: 'output_text', text: 'b', annotations: [] }]),
        user('c'),
      ]
      expect(await sentMessages({ instructions: 'i', input })).deep.equal([
        { role: 'system', content: 'i\n\nd\n\ns' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ])
    })
    it('joins calls and their text into one message, followed by the results', async () => {
      const input = [
        user(),
        message('assistant', 'I look.'),
        called('one'),
        called('two'),
        output('two'),
        output('one', null),
      ]
      const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } })
      expect(await sentMessages({ input })).deep.equal([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'I look.', tool_calls: [call('one'), call('two')] },
        { role: 'tool', tool_call_id: 'two', content: 'r' },
        { role: 'tool', tool_call_id: 'one', content: '' },
      ])
    })
    it('continues after a call that was cut off, whose arguments engines would refuse', async () => {
      const input = [user('a'), called('c', { arguments: '{"cmd": "mkd' }), output('c')]
      const [, turn] = await sentMessages({ input })
      expect(turn).nested.property('tool_calls[0].function.arguments', '{}')
    })
    it('skips items that only concern the client', async () => {
      const skipped = [
        'reasoning',
        'additional_tools',
        'tool_search_call',
        'tool_search_output',
        'web_search_call',
        'local_shell_call',
        'local_shell_call_output',
      ]
      const input = [user(), ...skipped.map(type => ({ type, id: 'x' }))]
      expect(await sentMessages({ input })).deep.equal([{ role: 'user', content: 'a' }])
    })
    it('drops its images without an error', async () => {
      const image = { type: 'input_image', image_url: 'http://127.0.0.1/a.png' }
      for (const model of ['m', 'plain']) {
        const input = [user([{ type: 'input_text', text: 'a' }, image]), called('c'), output('c', [image])]
        expect(await sentMessages({ model, input })).deep.include({ role: 'user', content: 'a' })
      }
    })
    const unsupported: readonly Json[] = [
      { role: 'user', content: 'a' },
      { type: null, role: 'user', content: 'a' },
      { type: 'item_reference', id: 'x' },
      { type: 'computer_call' },
      { type: 'custom_tool_call' },
      { type: 5 },
      { type: ['reasoning'] },
      'Hi',
      5,
      null,
    ]
    for (const item of unsupported) {
      it(`refuses the item ${JSON.stringify(item)}`, () =>
        refused({ input: [user(), item] }, 400, 'unsupported_input_item', 'input.1.type'))
    }
    it('says how to write an item that has no type', async () => {
      const { error } = await ask({ input: [{ role: 'user', content: 'a' }] })
      expect(error.message).include('"type": "message"')
    })
    const wrong: readonly (readonly [Json, number, string, string])[] = [
      [[], 422, 'schema_validation_failed', 'input'],
      [3, 422, 'schema_validation_failed', 'input'],
      [[{ type: 'reasoning' }], 422, 'schema_validation_failed', 'input'],
      [[message('tool', 'a')], 422, 'schema_validation_failed', 'input.0.role'],
      [[{ type: 'message', role: 'user' }], 422, 'schema_validation_failed', 'input.0.content'],
      [[user([{ type: 'text', text: 'a' }])], 422, 'schema_validation_failed', 'input.0.content.0.type'],
      [[user([{ type: 'input_file', file_id: 'f' }])], 400, 'unsupported_feature', 'input.0.content.0.type'],
      [[user(), output('x')], 400, 'orphan_tool_message', 'input.1.call_id'],
      [[user(), called('c'), output('x')], 400, 'orphan_tool_message', 'input.2.call_id'],
      [[user(), called('c'), output(null)], 400, 'missing_tool_call_id', 'input.2.call_id'],
      [[user(), called('c', { arguments: {} })], 422, 'schema_validation_failed', 'input.1.arguments'],
    ]
    for (const [input, code, name, param] of wrong) {
      it(`is refused: ${name} at ${param}`, () => refused({ input }, code, name, param))
    }
  })

  describe('reasoning', () => {
    const reasoning = (body: JsonObject) => sent(body, 'reasoning_effort', 'chat_template_kwargs')
    const off = { chat_template_kwargs: { enable_thinking: false } }
    for (const effort of ['low', 'medium', 'high', 'xhigh', 'max']) {
      it(`is on with ${effort}`, async () => {
        expect(await reasoning({ reasoning: { effort } })).deep.equal({
          reasoning_effort: effort,
          chat_template_kwargs: { enable_thinking: true },
        })
      })
    }
    for (const value of [
      { effort: 'none' },
      { effort: 'minimal' },
      { effort: 3 },
      { effort: null },
      {},
      { summary: 'auto' },
    ]) {
      it(`is off with ${JSON.stringify(value)}`, async () => {
        expect(await reasoning({ reasoning: value })).deep.equal(off)
      })
    }
    it('follows the card without it', async () => {
      for (const body of [{}, { reasoning: null }]) {
        expect(await reasoning(body)).deep.equal({
          reasoning_effort: 'medium',
          chat_template_kwargs: { enable_thinking: true },
        })
      }
      expect(await reasoning({ model: 'plain' })).deep.equal({})
      await refused({ model: 'plain', reasoning: { effort: 'low' } }, 400, 'unsupported_feature', 'reasoning.effort')
    })
    it('is never shown, and counts', async () => {
      const script = events(role, thinks('Hm.'), says('Yes'), ends('stop'), usage(9, 4))
      const { json, text } = await ask({}, { script })
      expect(text).not.include('Hm.')
      expect(json.usage).deep.include({ input_tokens: 9, output_tokens: 4, total_tokens: 13 })
    })
    it('may use up the budget: incomplete, with an empty output', async () => {
      const script = events(role, thinks('Hm.'), ends('length'), usage(9, 5))
      const { json } = await ask({ max_output_tokens: 5 }, { script })
      expect(json).deep.include({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [],
      })
    })
  })

  describe('text.format', () => {
    it('is passed on where the model supports it', async () => {
      expect(await sent({ text: { format: { type: 'json_object' } } }, 'response_format')).deep.equal({
        response_format: { type: 'json_object' },
      })
      const text = { format: { type: 'json_schema', name: 'x', schema: SCHEMA, strict: true } }
      expect(await sent({ text }, 'response_format')).deep.equal({
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA, strict: true } },
      })
      for (const text of [null, {}, { format: { type: 'text' } }, { verbosity: 'low' }]) {
        expect(await sent({ text }, 'response_format')).deep.equal({})
      }
      await refused({ model: 'plain', ...format(SCHEMA) }, 400, 'unsupported_response_format', 'text.format.type')
      await refused({ text: { format: { type: 'xml' } } }, 400, 'unsupported_response_format', 'text.format.type')
      const nameless = { text: { format: { type: 'json_schema', schema: SCHEMA } } }
      await refused(nameless, 422, 'schema_validation_failed', 'text.format.name')
    })
    for (const [what, schema, inlined] of REFERENCES) {
      it(`${inlined === undefined ? 'is refused with' : 'is sent without'} a reference ${what}`, async () => {
        if (inlined === undefined)
          await refused(format(schema), 400, 'json_schema_refs_unsupported', 'text.format.schema')
        else
          expect(await sent(format(schema), 'response_format'))
            .nested.property('response_format.json_schema.schema')
            .deep.equal(inlined)
      })
    }
    it('delivers JSON without Markdown fences, in one delta just before the item completes', async () => {
      const script = events(role, says('```json\n{"a":'), says(' "b"}'), says('\n```'), ends('stop'))
      const { json } = await ask(format(SCHEMA), { script })
      expect(json).nested.include({ 'output[0].content[0].text': '{"a": "b"}' })
      const all = await streamed(format(SCHEMA), { script })
      const deltas = all.filter(({ type }) => type === 'response.output_text.delta')
      expect(deltas.map(({ delta }) => delta)).deep.equal(['{"a": "b"}'])
      expect(all[all.indexOf(deltas[0]!) + 1]?.type).equal('response.output_item.done')
    })
  })

  describe('tools', () => {
    const functions = (body: JsonObject) => sent(body, 'tools', 'tool_choice', 'parallel_tool_calls')
    it('are functions; web_search becomes one', async () => {
      expect(await functions({ tools: [{ ...tool('f'), description: 'd', strict: true }] })).deep.equal({
        tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA, strict: true } }],
      })
      expect(await functions({ tools: [{ type: 'web_search', external_web_access: false }] })).nested.include({
        'tools[0].type': 'function',
        'tools[0].function.name': 'web_search',
      })
    })
    it('of a namespace are functions that come back with both names', async () => {
      const script = events(role, calls(piece(0, 'c', 'f', '{}')), ends('tool_calls'))
      const { json } = await ask({ tools: [{ type: 'namespace', name: 'group', tools: [tool('f')] }] }, { script })
      expect(json).nested.include({ 'output[0].name': 'f', 'output[0].namespace': 'group' })
    })
    for (const type of [
      'file_search',
      'code_interpreter',
      'computer_use_preview',
      'image_generation',
      'mcp',
      'custom',
      'local_shell',
      'web_search_preview',
      'tool_search',
    ]) {
      it(`of type ${type} are refused`, () =>
        refused({ tools: [tool('f'), { type }] }, 400, 'invalid_tool', 'tools.1.type'))
    }
    it('must be unique schemas with properties, on a model that has tools', async () => {
      await refused({ tools: [tool('f', {})] }, 400, 'tool_schema_invalid', 'tools.0.parameters')
      await refused({ tools: [tool('f', { type: 'object' })] }, 400, 'tool_schema_invalid', 'tools.0.parameters')
      await refused({ tools: [tool('f'), tool('f')] }, 400, 'duplicate_tool_name', 'tools.1.name')
      await refused({ tools: [{ type: 'function' }] }, 422, 'schema_validation_failed', 'tools.0.name')
      await refused({ model: 'plain', tools: [tool('f')] }, 400, 'unsupported_feature', 'tools')
    })
    it('can be chosen', async () => {
      const tools = [tool('f')]
      for (const tool_choice of ['auto', 'none', 'required']) {
        expect(await functions({ tools, tool_choice })).include({ tool_choice })
      }
      const named = { type: 'function', name: 'f' }
      expect(await functions({ tools, tool_choice: named, parallel_tool_calls: false })).deep.include({
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
      })
      await refused(
        { tools, tool_choice: { ...named, name: 'g' } },
        400,
        'tool_choice_unknown_tool',
        'tool_choice.name',
      )
      await refused({ tools, tool_choice: 'any' }, 422, 'schema_validation_failed', 'tool_choice')
      for (const tool_choice of ['required', named]) {
        await refused({ model: 'always', tools, tool_choice }, 400, 'unsupported_feature', 'tool_choice')
      }
    })
  })

  describe('other parameters', () => {
    it('are sent under their names', async () => {
      const body = { temperature: 0.5, top_p: 0.9, seed: 3 }
      expect(await sent({ ...body, max_output_tokens: 7 }, 'temperature', 'top_p', 'seed', 'max_tokens')).deep.equal({
        ...body,
        max_tokens: 7,
      })
      expect(await sent({ model: 'fixed', ...body }, 'temperature', 'top_p', 'seed')).deep.equal({ seed: 3 })
      await refused({ max_output_tokens: 0 }, 422, 'schema_validation_failed', 'max_output_tokens')
      await refused({ max_output_tokens: 8193 }, 400, 'context_length_exceeded', 'max_output_tokens')
    })
    it('without effect are accepted, null means absent', async () => {
      const inert = {
        store: true,
        background: true,
        include: ['reasoning.encrypted_content'],
        truncation: 'auto',
        metadata: { a: 'b' },
        user: 'u',
        prompt_cache_key: 'k',
        client_metadata: {},
      }
      const nulls = [
        'instructions',
        'max_output_tokens',
        'text',
        'tools',
        'tool_choice',
        'temperature',
        'stream',
        'previous_response_id',
        'conversation',
        'prompt',
        'max_tool_calls',
      ]
      for (const body of [inert, Object.fromEntries(nulls.map(name => [name, null]))] as JsonObject[]) {
        const answer = await ask(body)
        expect(answer.status).equal(200)
        expect(answer.sent).keys('model', 'messages', 'stream', 'reasoning_effort', 'chat_template_kwargs')
      }
    })
    for (const name of [
      'previous_response_id',
      'conversation',
      'prompt',
      'max_tool_calls',
      'messages',
      'n',
      'stop',
      'top_k',
      'bogus',
    ]) {
      it(`${name} is refused`, () => refused({ [name]: 'x' }, 400, 'unsupported_parameter', name))
    }
  })
})
