import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { events } from '../support/backend.ts'
import { called, forced, schemaFormat, tool, user } from '../support/chat-bodies.ts'
import { calls, ends, piece, role } from '../support/fixtures/events.ts'
import { questions, REFERENCES, SCHEMA, useRules } from '../support/rules.ts'

/** docs/api/chat-completions.md#tools: definitions, schemas, messages and calls. From outside. */
describe('chat completions: tools', () => {
  const rules = useRules()
  const { ask, refused, sent, sentMessages } = questions(rules, '/v1/chat/completions', {
    model: 'm',
    messages: [user('Hi')],
  })

  describe('Tools', () => {
    const wrong: readonly (readonly [string, JsonObject[], number, string, string])[] = [
      ['of another type', [{ type: 'custom', custom: {} }], 400, 'unsupported_tool_type', 'tools.0.type'],
      ['of two with one name', [tool('f'), tool('f')], 400, 'duplicate_tool_name', 'tools.1.function.name'],
      [
        'without a name',
        [{ type: 'function', function: {} }],
        422,
        'schema_validation_failed',
        'tools.0.function.name',
      ],
      ['without a function', [{ type: 'function' }], 422, 'schema_validation_failed', 'tools.0.function'],
      ['with an unknown member', [{ ...tool('f'), server: 'x' }], 400, 'unsupported_parameter', 'tools.0.server'],
    ]
    for (const [what, tools, code, name, param] of wrong) {
      it(`are refused ${what}`, () => refused({ tools }, code, name, param))
    }
    const parameters: readonly JsonObject['x'][] = [
      {},
      { type: 'object' },
      { type: 'string', properties: {} },
      [],
      'x',
      { type: 'object', properties: [] },
    ]
    for (const schema of parameters) {
      it(`are refused with parameters ${JSON.stringify(schema)}`, () =>
        refused({ tools: [tool('ok'), tool('f', schema)] }, 400, 'tool_schema_invalid', 'tools.1.function.parameters'))
    }
    it('have no arguments without parameters', async () => {
      for (const bare of [{ name: 'f' }, { name: 'f', parameters: null }]) {
        for (const model of ['m', 'sglang', 'llama', 'plain-openai']) {
          const { tools } = await sent({ model, tools: [{ type: 'function', function: bare }] }, 'tools')
          const schema = { type: 'object', properties: {} }
          expect(tools).deep.equal([{ type: 'function', function: { name: 'f', parameters: schema } }])
        }
      }
    })
    it('are refused on a model without tools, and in streams where it cannot stream them', async () => {
      await refused({ model: 'plain', tools: [tool('f')] }, 400, 'unsupported_feature', 'tools')
      await refused({ model: 'whole-tools', tools: [tool('f')], stream: true }, 400, 'unsupported_feature', 'tools')
      expect((await ask({ model: 'whole-tools', tools: [tool('f')] })).status).equal(200)
    })
    it('are absent when empty', async () => {
      for (const tools of [[], null]) expect((await ask({ model: 'plain', tools })).sent).not.property('tools')
    })
    it('can be forced, by name too, on every engine', async () => {
      const tools = [tool('f'), tool('g')]
      const body = { tools, tool_choice: forced('g') }
      expect(await sent(body, 'tools', 'tool_choice')).deep.equal(body)
      // llama.cpp ignores a named choice: one tool and `required` are equivalent.
      expect(await sent({ model: 'llama', ...body }, 'tools', 'tool_choice')).deep.equal({
        tools: [tool('g')],
        tool_choice: 'required',
      })
      await refused({ tools, tool_choice: forced('h') }, 400, 'tool_choice_unknown_tool', 'tool_choice.function.name')
      await refused({ tool_choice: forced('h') }, 400, 'tool_choice_unknown_tool', 'tool_choice.function.name')
      await refused({ tools, tool_choice: 'any' }, 422, 'schema_validation_failed', 'tool_choice')
    })
  })

  describe('Tool messages', () => {
    const answered = (message: JsonObject) => [user('a'), called('c', '{"a": 1.0}'), { role: 'tool', ...message }]
    it('may carry content null, which is an empty result', async () => {
      for (const message of [{ tool_call_id: 'c', content: null }, { tool_call_id: 'c' }] as JsonObject[]) {
        expect(await sentMessages({ messages: answered(message) })).deep.equal([
          user('a'),
          called('c', '{"a": 1.0}'),
          { role: 'tool', tool_call_id: 'c', content: '' },
        ])
      }
    })
    it('must name a call that an earlier assistant message made', async () => {
      const orphans: JsonObject[][] = [
        answered({ tool_call_id: 'other', content: 'r' }),
        [user('a'), { role: 'tool', tool_call_id: 'c', content: 'r' }, called('c')],
      ]
      await refused({ messages: orphans[0]! }, 400, 'orphan_tool_message', 'messages.2.tool_call_id')
      await refused({ messages: orphans[1]! }, 400, 'orphan_tool_message', 'messages.1.tool_call_id')
      for (const tool_call_id of [null, '']) {
        const messages = answered({ tool_call_id, content: 'r' })
        await refused({ messages }, 400, 'missing_tool_call_id', 'messages.2.tool_call_id')
      }
      await refused({ messages: answered({ content: 'r' }) }, 400, 'missing_tool_call_id', 'messages.2.tool_call_id')
    })
    it('are moved to their calls where the client has put something in between', async () => {
      const result = { role: 'tool', tool_call_id: 'c', content: 'r' }
      expect(await sentMessages({ messages: [user('a'), called('c'), user('b'), result] })).deep.equal([
        user('a'),
        called('c'),
        result,
        user('b'),
      ])
    })
  })

  describe('tools with response_format', () => {
    it('keeps tools in precedence, so that a call can come back', async () => {
      const script = events(role, calls(piece(0, 'a', 'f', '{}')), ends('tool_calls'))
      for (const response_format of [schemaFormat(SCHEMA), { type: 'json_object' }]) {
        const { sent, json } = await ask({ tools: [tool('f')], response_format }, { script })
        expect(sent).property('tools')
        expect(sent).not.property('response_format')
        expect(json).nested.include({ 'choices[0].finish_reason': 'tool_calls' })
      }
    })
    it('keeps the format where no tool may be called', async () => {
      const body = { tools: [tool('f')], tool_choice: 'none', response_format: schemaFormat(SCHEMA) }
      expect((await ask(body)).sent).keys(
        'model',
        'messages',
        'stream',
        'tools',
        'tool_choice',
        'response_format',
        'chat_template_kwargs',
      )
    })
  })

  describe('Local JSON Schema refs', () => {
    for (const [what, inner, inlined] of REFERENCES) {
      it(`${inlined === undefined ? 'refuses' : 'inlines'} a reference ${what}`, async () => {
        const withTool = { tools: [tool('f', inner)] }
        const withFormat = { response_format: schemaFormat(inner) }
        if (inlined === undefined) {
          await refused(withTool, 400, 'json_schema_refs_unsupported', 'tools.0.function.parameters')
          await refused(withFormat, 400, 'json_schema_refs_unsupported', 'response_format.json_schema.schema')
        } else {
          expect(await sent(withTool, 'tools')).deep.equal({ tools: [tool('f', inlined)] })
          expect(await sent(withFormat, 'response_format')).deep.equal({ response_format: schemaFormat(inlined) })
        }
      })
    }
  })
})
