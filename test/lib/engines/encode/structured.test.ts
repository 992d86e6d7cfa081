import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { CanonicalRequest, ResponseFormat } from '../../../../lib/canonical/request.ts'
import { ENGINES, type Engine, PROFILES } from '../../../../lib/config/profile.ts'
import { setStructured } from '../../../../lib/engines/encode/structured.ts'
import { chatRequest, refusal, textRequest, tool } from '../../../support/canonical.ts'

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } }
const FORMAT: ResponseFormat = {
  type: 'json_schema',
  name: 'n',
  schema: SCHEMA,
  strict: true,
  description: undefined,
}
const GRAMMAR: ResponseFormat = { type: 'grammar', grammar: 'root ::= "a"' }
const WIRE_FORMAT = { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA, strict: true } }

function members(request: CanonicalRequest, engine: Engine): JsonObject {
  const body: JsonObject = {}
  setStructured(body, request, 'm', PROFILES[engine])
  return body
}

describe('structured output in a backend body', () => {
  it('sends JSON formats of a chat in response_format to every engine', () => {
    for (const engine of ENGINES) {
      expect(members(chatRequest({ responseFormat: FORMAT }), engine)).deep.equal({ response_format: WIRE_FORMAT })
      const json = members(chatRequest({ responseFormat: { type: 'json_object' } }), engine)
      expect(json).deep.equal({ response_format: { type: 'json_object' } })
      expect(members(chatRequest({ responseFormat: { type: 'text' } }), engine)).deep.equal({})
    }
  })

  it('keeps the description of a JSON format', () => {
    const body = members(chatRequest({ responseFormat: { ...FORMAT, description: 'A list.' } }), 'vllm')
    expect(body).nested.include({ 'response_format.json_schema.description': 'A list.' })
  })

  it('sends a regex in the member that the engine reads', () => {
    const request = chatRequest({ regex: 'a+' })
    expect(members(request, 'vllm')).deep.equal({ structured_outputs: { regex: 'a+' } })
    expect(members(request, 'sglang')).deep.equal({ regex: 'a+' })
  })

  it('does not send a regex if the model may call a tool', () => {
    const request = chatRequest({ regex: 'a+', tools: [tool()] })
    expect(members(request, 'sglang')).deep.equal({})
    expect(members({ ...request, toolChoice: 'none' }, 'sglang')).deep.equal({ regex: 'a+' })
    expect(refusal(() => members(request, 'llama.cpp'))?.code).equal('unsupported_regex')
  })

  it('refuses a regex that the engine would ignore', () => {
    const refused = refusal(() => members(chatRequest({ regex: 'a+' }), 'llama.cpp'))
    expect(refused).deep.equal({ code: 'unsupported_regex', status: 400, param: 'regex' })
  })

  it('sends a grammar in the member that the engine reads', () => {
    for (const request of [chatRequest({ responseFormat: GRAMMAR }), textRequest({ responseFormat: GRAMMAR })]) {
      expect(members(request, 'vllm')).deep.equal({ structured_outputs: { grammar: 'root ::= "a"' } })
      expect(members(request, 'sglang')).deep.equal({ ebnf: 'root ::= "a"' })
      expect(members(request, 'llama.cpp')).deep.equal({ grammar: 'root ::= "a"' })
    }
  })

  it('refuses a grammar that would constrain the reasoning instead of the answer', () => {
    const reasoning = (enabled: boolean | undefined) => ({ ...chatRequest().reasoning, enabled })
    const asked = (enabled: boolean | undefined) =>
      chatRequest({ responseFormat: GRAMMAR, reasoning: reasoning(enabled) })
    const refused = refusal(() => members(asked(true), 'llama.cpp'))
    expect(refused).deep.equal({ code: 'unsupported_feature', status: 400, param: 'response_format' })
    for (const enabled of [false, undefined])
      expect(members(asked(enabled), 'llama.cpp')).deep.equal({ grammar: 'root ::= "a"' })
    expect(members(asked(true), 'vllm')).deep.equal({ structured_outputs: { grammar: 'root ::= "a"' } })
    const json = chatRequest({ responseFormat: FORMAT, reasoning: reasoning(true) })
    expect(members(json, 'llama.cpp')).deep.equal({ response_format: WIRE_FORMAT })
  })

  it('trusts the configuration of an unknown engine, and keeps the names of the client', () => {
    expect(members(chatRequest({ regex: 'a+' }), 'openai')).deep.equal({ regex: 'a+' })
    expect(members(textRequest({ responseFormat: GRAMMAR }), 'openai')).deep.equal({ grammar: 'root ::= "a"' })
  })

  it('refuses a format that the engine would ignore', () => {
    const expected = { code: 'unsupported_response_format', status: 400, param: 'response_format' }
    const other: ResponseFormat = { type: 'other', name: 'xml' }
    expect(refusal(() => members(chatRequest({ responseFormat: other }), 'vllm'))).deep.equal(expected)
  })

  it('sends both of two constraints, for the engine to refuse', () => {
    const body = members(chatRequest({ regex: 'a+', responseFormat: GRAMMAR }), 'vllm')
    expect(body).deep.equal({ structured_outputs: { regex: 'a+', grammar: 'root ::= "a"' } })
  })

  it('sends the bare schema with text completions of llama.cpp', () => {
    const json: ResponseFormat = { type: 'json_object' }
    expect(members(textRequest({ responseFormat: FORMAT }), 'llama.cpp')).deep.equal({ json_schema: SCHEMA })
    expect(members(textRequest({ responseFormat: json }), 'llama.cpp')).deep.equal({ json_schema: { type: 'object' } })
    expect(members(textRequest({ responseFormat: FORMAT }), 'vllm')).deep.equal({ response_format: WIRE_FORMAT })
  })

  // docs/api/chat-completions.md#structured-output
  it('does not send a format while a tool may be called', () => {
    const tools = [tool()]
    for (const toolChoice of [undefined, 'auto', 'required', { name: 'look_up' }] as const) {
      const request = chatRequest({ tools, toolChoice, responseFormat: FORMAT })
      expect(members(request, 'vllm')).deep.equal({})
    }
  })

  it('sends it with tool_choice none', () => {
    const request = chatRequest({ tools: [tool()], toolChoice: 'none', responseFormat: FORMAT })
    expect(members(request, 'vllm')).deep.equal({ response_format: WIRE_FORMAT })
  })
})
