import { expect } from 'chai'
import type { AssistantMessage } from '../../../lib/canonical/request.ts'
import type { ChatRequest, FunctionTool, Json, Message } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import { checkToolChoice, checkTools } from '../../../plugins/rules/tools/definitions.ts'
import tools from '../../../plugins/rules/tools/index.ts'
import { chat } from '../../../plugins/slots.ts'
import { chatRequest, refusal, textRequest, tool } from '../../support/canonical.ts'
import { expectBounded } from '../../support/cost.ts'
import { refusalIn } from '../../support/refusal.ts'

const check = (list: readonly FunctionTool[], format: 'chat' | 'messages' | 'responses' = 'chat') =>
  refusal(() => checkTools(list, format))

describe('tools', () => {
  describe('names', () => {
    const duplicate = (param: string) => ({ code: 'duplicate_tool_name', status: 400, param })

    it('must be unique', () => {
      expect(check([tool({ name: 'a' }), tool({ name: 'b' })])).equal(undefined)
      expect(check([tool({ name: 'a' }), tool({ name: 'a' })])).deep.equal(duplicate('tools.1.function.name'))
      expect(check([tool({ name: 'a' }), tool({ name: 'a', origin: 'tools.2.tools.0' })])).deep.equal(
        duplicate('tools.2.tools.0.function.name'),
      )
    })

    it('that are properties of Object.prototype are names like others', () => {
      expect(check([tool({ name: '__proto__' }), tool({ name: 'constructor' }), tool({ name: 'toString' })])).equal(
        undefined,
      )
      expect(check([tool({ name: '__proto__' }), tool({ name: '__proto__' })])).deep.equal(
        duplicate('tools.1.function.name'),
      )
    })

    it('is required: missing_tool_name on Messages, a schema error elsewhere', () => {
      const param = 'tools.0.function.name'
      expect(check([tool({ name: '' })], 'messages')).deep.equal({ code: 'missing_tool_name', status: 400, param })
      const invalid = { code: 'schema_validation_failed', status: 422, param }
      expect(check([tool({ name: '' })])).deep.equal(invalid)
      expect(check([tool({ name: '' })], 'responses')).deep.equal(invalid)
    })

    it('may be any printable word of up to 128 characters', () => {
      for (const name of ['get_weather', 'functions.get:0', 'mcp__docs__search', 'wetter-für-köln', 'x'.repeat(128)]) {
        expect(check([tool({ name })]), name).equal(undefined)
      }
      for (const name of ['two words', 'line\nbreak', 'nul\0', 'x'.repeat(129)]) {
        expect(check([tool({ name })])?.code, name).equal('schema_validation_failed')
      }
    })
  })

  describe('parameters', () => {
    const of = (parameters: Json | undefined) => check([tool({ parameters })])
    const invalid = { code: 'tool_schema_invalid', status: 400, param: 'tools.0.function.parameters' }

    it('must be a JSON Schema object with a properties map', () => {
      for (const bad of [true, 'object', 5, [], {}, { type: 'object' }, { properties: [] }]) {
        expect(of(bad), JSON.stringify(bad)).deep.equal(invalid)
      }
      for (const bad of [{ properties: null }, { type: 'string', properties: {} }, { type: 5, properties: {} }]) {
        expect(of(bad), JSON.stringify(bad)).deep.equal(invalid)
      }
      for (const bad of [
        { properties: { a: 'string' } },
        { properties: {}, required: 'a' },
        { properties: {}, required: [1] },
      ]) {
        expect(of(bad), JSON.stringify(bad)).deep.equal(invalid)
      }
    })

    it('that are absent, or null, become the schema of no arguments', () => {
      for (const absent of [undefined, null]) {
        const list = [tool({ parameters: absent })]
        expect(check(list)).equal(undefined)
        expect(list[0]!.parameters).deep.equal({ type: 'object', properties: {} })
      }
    })

    it('that are empty become it if the operator accepts them', () => {
      const accepted = (parameters: Json) => {
        const list = [tool({ parameters })]
        return refusal(() => checkTools(list, 'chat', 'accept')) ?? list[0]!.parameters
      }
      for (const empty of [{}, { type: 'object' }]) {
        expect(accepted(empty)).deep.equal({ type: 'object', properties: {} })
      }
      for (const bad of ['object', [], { type: 'string' }, { required: ['a'] }, { type: 'object', properties: [] }]) {
        expect(accepted(bad), JSON.stringify(bad)).deep.equal(invalid)
      }
    })

    it('that are empty are refused with the name of the setting that accepts them', () => {
      const message = (parameters: Json) => {
        try {
          checkTools([tool({ parameters })], 'chat')
        } catch (thrown) {
          return (thrown as Error).message
        }
        return undefined
      }
      for (const empty of [{}, { type: 'object' }]) expect(message(empty)).contain("'tools.empty_parameters'")
      expect(message({ required: ['a'] })).match(/properties' map; it may be empty\.$/)
    })

    it('may omit the type, also allow null, and have no properties', () => {
      expect(of({ properties: {} })).equal(undefined)
      expect(of({ type: ['object', 'null'], properties: {} })).equal(undefined)
      expect(of({ type: 'object', properties: { a: { type: 'string' }, b: true }, required: ['a'] })).equal(undefined)
      expect(
        of({ $schema: 'http://json-schema.org/draft-07/schema#', properties: {}, additionalProperties: false }),
      ).equal(undefined)
    })

    it('that are nested too deep or have too many values are refused immediately', () => {
      const deep = JSON.parse(`{"properties":{"a":${'{"not":'.repeat(100)}{}${'}'.repeat(100)}}}`) as Json
      const wide = { properties: { a: { enum: Array.from({ length: 200_000 }, (_, i) => i) } } }
      expect(of(deep)).deep.equal(invalid)
      expect(of(wide)).deep.equal(invalid)
      const many = Array.from({ length: 3 }, (_, i) =>
        tool({
          name: `t${i}`,
          parameters: { properties: { a: { enum: Array.from({ length: 40_000 }, (_, j) => j) } } },
        }),
      )
      expect(check(many)).deep.equal({ ...invalid, param: 'tools.2.function.parameters' })
      // The limit of values ends the walk.
      expectBounded({ make: size => ({ properties: { a: { enum: new Array(size).fill(1) } } }), work: of }, 200_000)
    })
  })

  describe('tool_choice', () => {
    const unknown = { code: 'tool_choice_unknown_tool', status: 400, param: 'tool_choice.function.name' }

    it('must name an existing tool', () => {
      expect(refusal(() => checkToolChoice({ name: 'b' }, [tool({ name: 'a' })]))).deep.equal(unknown)
      expect(refusal(() => checkToolChoice({ name: '__proto__' }, []))).deep.equal(unknown)
      checkToolChoice({ name: 'a' }, [tool({ name: 'a' })])
    })

    it('cannot require a call without tools', () => {
      expect(refusal(() => checkToolChoice('required', []))?.param).equal('tool_choice')
      checkToolChoice('required', [tool()])
      checkToolChoice('auto', [])
      checkToolChoice('none', [])
      checkToolChoice(undefined, [])
    })
  })

  describe('tool messages', () => {
    const call = (...ids: string[]): Message => ({
      role: 'assistant',
      content: null,
      toolCalls: ids.map(id => ({ id, name: 'look_up', arguments: '{}' })),
    })
    const result = (toolCallId: string | undefined, origin?: string): Message => ({
      role: 'tool',
      toolCallId,
      content: '',
      ...(origin === undefined ? null : { origin }),
    })
    const checked = async (...messages: Message[]) =>
      refusalIn(await play(tools, { route: 'chat', given: [[chat, chatRequest({ messages })]] }))

    it('answer a call of an earlier assistant message', async () => {
      expect(await checked(call('a', 'b'), result('b'), result('a'))).equal(undefined)
      expect(await checked(call('a'), result('a'), call('b'), result('a'), result('b'))).equal(undefined)
    })

    it('are orphans otherwise', async () => {
      const orphan = (param: string) => ({ code: 'orphan_tool_message', status: 400, param })
      expect(await checked(result('a'))).deep.equal(orphan('messages.0.tool_call_id'))
      expect(await checked(call('a'), result('b'))).deep.equal(orphan('messages.1.tool_call_id'))
      expect(await checked(result('a'), call('a'))).deep.equal(orphan('messages.0.tool_call_id'))
      expect(await checked(call('a'), result('b', 'input.7'))).deep.equal(orphan('input.7.tool_call_id'))
    })

    it('need an id', async () => {
      const missing = { code: 'missing_tool_call_id', status: 400, param: 'messages.1.tool_call_id' }
      expect(await checked(call('a'), result(undefined))).deep.equal(missing)
      expect(await checked(call('a'), result(''))).deep.equal(missing)
    })

    it('are matched byte by byte, so that ids such as functions.look_up:0 keep their form', async () => {
      expect(await checked(call('functions.look_up:0'), result('functions.look_up:0'))).equal(undefined)
      expect((await checked(call('functions.look_up:0'), result('functions.look_up:00')))?.code).equal(
        'orphan_tool_message',
      )
      expect(await checked(call('__proto__'), result('__proto__'))).equal(undefined)
      expect((await checked(call('a'), result('toString')))?.code).equal('orphan_tool_message')
    })
  })

  describe('long conversations', () => {
    const COUNT = 512
    const turns = (count: number): Message[] =>
      Array.from({ length: count }, (_, i): Message[] => [
        { role: 'assistant', content: null, toolCalls: [{ id: `c${i}`, name: 'f', arguments: '{' }] },
        { role: 'tool', toolCallId: `c${i}`, content: 'b' },
      ]).flat()

    it('are refused because of their last message, and repaired at their beginning', async () => {
      const messages = [...turns(COUNT), { role: 'tool', toolCallId: 'none', content: 'b' } as const]
      const { error } = await play(tools, { route: 'chat', given: [[chat, chatRequest({ messages })]] })
      expect({ code: error?.code, param: error?.details.param }).include({
        code: 'orphan_tool_message',
        param: `messages.${2 * COUNT}.tool_call_id`,
      })
      for (const size of ['small', 'large'] as const) {
        const request = chatRequest({ messages: turns(COUNT) })
        const { exchange } = await play(tools, { route: 'chat', size, given: [[chat, request]] })
        const [first] = (exchange.get(chat) as ChatRequest).messages
        expect((first as AssistantMessage).toolCalls?.[0]?.arguments, size).equal('{}')
      }
    })
  })

  describe('arguments of earlier calls', () => {
    const repaired = async (...texts: string[]) => {
      const toolCalls = texts.map((text, i) => ({ id: `c${i}`, name: 'look_up', arguments: text }))
      const messages: Message[] = [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, toolCalls },
      ]
      await play(tools, { route: 'chat', given: [[chat, chatRequest({ messages })]] })
      return toolCalls.map(call => call.arguments)
    }

    it('are unchanged byte for byte if they are an object', async () => {
      const texts = ['{}', '{"a": 1.0}', ' {"a":{"b":[]}}\n']
      expect(await repaired(...texts)).deep.equal(texts)
    })

    it('are replaced if they are truncated or no object: engines would refuse the conversation forever', async () => {
      for (const text of ['', '{"cmd":"mkdir', '{"a":1}}', '{"a":{"b":1}', "{'a':1}", '[1]', '"a"', 'null', 'look'])
        expect(await repaired(text), text).deep.equal(['{}'])
    })

    it('have U+FFFD in place of lone surrogates, on which engines fail', async () => {
      const texts = [
        '{"a":"cut \\ud83d"}',
        '{"\\uDE00":"\\ud83d\\ude00 \\\\ud83d"}',
        '{"a":"\\ud83d\\n\\ud83d\\ud83d\\ude00"}',
      ]
      expect(await repaired(...texts)).deep.equal([
        '{"a":"cut \\ufffd"}',
        '{"\\ufffd":"\\ud83d\\ude00 \\\\ud83d"}',
        '{"a":"\\ufffd\\n\\ufffd\\ud83d\\ude00"}',
      ])
    })

    it('are repaired in a large body as in a small one', async () => {
      for (const size of ['small', 'large'] as const) {
        const calls = ['{"cmd', '{"a":"b"}'].map((text, i) => ({ id: `c${i}`, name: 'look_up', arguments: text }))
        const request = chatRequest({ messages: [{ role: 'assistant', content: null, toolCalls: calls }] })
        const { exchange } = await play(tools, { route: 'chat', size, given: [[chat, request]] })
        const [message] = (exchange.get(chat) as ChatRequest).messages
        expect((message as AssistantMessage).toolCalls!.map(call => call.arguments)).deep.equal(['{}', '{"a":"b"}'])
      }
    })

    it('are read from the end of the conversation, and not without a limit', async () => {
      const long = `{"a":"${'x'.repeat(600_000)}`
      expect(await repaired(long)).deep.equal(['{}'])
      const turns = [long, long].map((text, i): Message => {
        return { role: 'assistant', content: null, toolCalls: [{ id: `c${i}`, name: 'look_up', arguments: text }] }
      })
      await play(tools, { route: 'chat', given: [[chat, chatRequest({ messages: turns })]] })
      const lengths = turns.map(turn => (turn.role === 'assistant' ? turn.toolCalls?.[0]?.arguments.length : 0))
      expect(lengths).deep.equal([long.length, 2])
    })

    it('are unchanged on Messages, where they are always objects', async () => {
      const calls = () => [{ id: 'c', name: 'look_up', arguments: '{"cmd' }]
      for (const [route, expected] of [
        ['messages', '{"cmd'],
        ['chat', '{}'],
        ['responses', '{}'],
      ] as const) {
        const request = chatRequest({ messages: [{ role: 'assistant', content: null, toolCalls: calls() }] })
        await play(tools, { given: [[chat, request]], route })
        expect(request.messages[0], route).nested.property('toolCalls.0.arguments', expected)
      }
    })
  })

  it('refuses in the chain, and repeats only a short word of the client', async () => {
    const request = chatRequest({ tools: [tool()], toolChoice: { name: 'n'.repeat(10_000) } })
    const { error } = await play(tools, { given: [[chat, request]] })
    expect(error?.code).equal('tool_choice_unknown_tool')
    expect(error?.message.length).lessThan(200)
  })

  it('admits a valid request and text completions', async () => {
    expect((await play(tools, { given: [[chat, chatRequest({ tools: [tool()] })]] })).error).equal(undefined)
    expect((await play(tools, { given: [[chat, textRequest()]] })).error).equal(undefined)
  })
})
