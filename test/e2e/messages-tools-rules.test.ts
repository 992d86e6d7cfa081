import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { questions, REFERENCES, SCHEMA, useRules } from '../support/rules.ts'

const tool = (name: string, input_schema: Json = SCHEMA): JsonObject => ({ name, input_schema })

/** docs/api/messages.md#tools, from outside. */
describe('Messages: tools', () => {
  const rules = useRules()
  const { refused, sent } = questions(rules, '/v1/messages', {
    model: 'm',
    max_tokens: 99,
    messages: [{ role: 'user', content: 'Hi' }],
  })

  describe('tools', () => {
    const functions = (body: JsonObject) => sent(body, 'tools')
    it('become functions', async () => {
      const tools = [{ ...tool('f'), description: 'Does.', type: 'custom', cache_control: {}, defer_loading: true }]
      expect(await functions({ tools })).deep.equal({
        tools: [{ type: 'function', function: { name: 'f', description: 'Does.', parameters: SCHEMA } }],
      })
    })
    for (const [type, name] of [
      ['web_search_20250305', 'web_search'],
      ['bash_20250124', 'bash'],
      ['text_editor_20250728', 'str_replace_based_edit_tool'],
      ['computer_20250124', 'computer'],
    ] as const) {
      it(`of the vendor are ordinary tools: ${type}`, async () => {
        const { tools } = await functions({ tools: [{ type, name, max_uses: 8, display_width_px: 1 }] })
        const [{ type: kind, function: made }] = tools as [{ type: string; function: JsonObject }]
        expect({ kind, name: made.name }).deep.equal({ kind: 'function', name })
        expect(made).nested.include({ 'parameters.type': 'object' }).nested.property('parameters.properties')
      })
    }
    it('without a name have a code of their own', async () => {
      for (const name of [undefined, null, '']) {
        const { name: _, ...nameless } = tool('f')
        const tools = [tool('ok'), name === undefined ? nameless : { ...nameless, name }]
        await refused({ tools }, 400, 'missing_tool_name', 'tools.1.name')
      }
      await refused({ tools: [{ type: 'web_search_20250305' }] }, 400, 'missing_tool_name', 'tools.0.name')
    })
    it('must be unique schemas with properties, on a model that has tools', async () => {
      for (const schema of [{}, { type: 'object' }, 'x']) {
        await refused({ tools: [tool('f', schema)] }, 400, 'tool_schema_invalid', 'tools.0.input_schema')
      }
      await refused({ tools: [tool('f'), tool('f')] }, 400, 'duplicate_tool_name', 'tools.1.name')
      await refused({ tools: [{ ...tool('f'), bogus: 1 }] }, 400, 'unsupported_parameter', 'tools.0.bogus')
      await refused({ model: 'plain', tools: [tool('f')] }, 400, 'unsupported_feature', 'tools')
    })
    for (const [what, schema, inlined] of REFERENCES) {
      it(`${inlined === undefined ? 'are refused with' : 'are sent without'} a reference ${what}`, async () => {
        const tools = [tool('f', schema)]
        if (inlined === undefined) await refused({ tools }, 400, 'json_schema_refs_unsupported', 'tools.0.input_schema')
        else
          expect(JSON.stringify(await functions({ tools })))
            .include(JSON.stringify(inlined))
            .not.include('$ref')
      })
    }
  })

  describe('tool_choice', () => {
    const tools = [tool('f')]
    const choice = (tool_choice: JsonObject, more: JsonObject = {}) =>
      sent({ tools, tool_choice, ...more }, 'tool_choice', 'parallel_tool_calls')
    it('has four types, of which any behaves like auto', async () => {
      expect(await choice({ type: 'auto' })).deep.equal({ tool_choice: 'auto' })
      expect(await choice({ type: 'any' })).deep.equal({ tool_choice: 'auto' })
      expect(await choice({ type: 'none' })).deep.equal({ tool_choice: 'none' })
      expect(await choice({ type: 'tool', name: 'f' })).deep.equal({
        tool_choice: { type: 'function', function: { name: 'f' } },
      })
      expect(await choice({ type: 'auto', disable_parallel_tool_use: true })).deep.equal({
        tool_choice: 'auto',
        parallel_tool_calls: false,
      })
      expect(await choice({ type: 'any' }, { model: 'always' })).deep.equal({ tool_choice: 'auto' })
    })
    it('is refused where it cannot be', async () => {
      await refused(
        { tools, tool_choice: { type: 'tool', name: 'g' } },
        400,
        'tool_choice_unknown_tool',
        'tool_choice.name',
      )
      await refused({ tools, tool_choice: { type: 'tool' } }, 422, 'schema_validation_failed', 'tool_choice.name')
      await refused({ tools, tool_choice: {} }, 422, 'schema_validation_failed', 'tool_choice.type')
      await refused({ tools, tool_choice: { type: 'some' } }, 422, 'schema_validation_failed', 'tool_choice.type')
      const forced = { model: 'always', tools, tool_choice: { type: 'tool', name: 'f' } }
      await refused(forced, 400, 'unsupported_feature', 'tool_choice')
    })
  })
})
