import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { toCanonical } from '../../../../lib/formats/responses/request.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const read = (members: JsonObject): ChatRequest => toCanonical({ model: 'model-1', input: 'Hi', ...members }, OPTIONS)

describe('Responses request', () => {
  it('reads a string as one message of the user', () => {
    expect(read({})).deep.include({
      kind: 'chat',
      model: 'model-1',
      stream: false,
      n: 1,
      maxTokens: undefined,
      clampMaxTokens: false,
      sampling: {},
      responseFormat: undefined,
      messages: [{ role: 'user', content: 'Hi', origin: 'input' }],
      tools: [],
      toolChoice: undefined,
    })
  })

  it('puts instructions first', () => {
    const { messages } = read({
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'developer', content: 'd' }],
    })
    expect(messages).deep.equal([
      { role: 'system', content: 'Be brief.', origin: 'instructions' },
      { role: 'developer', content: 'd', origin: 'input.0' },
    ])
  })

  it('refuses input without content for the model', () => {
    for (const input of [[], [{ type: 'reasoning', summary: [] }]]) {
      expect(() => read({ input, instructions: 'x' }))
        .throw(GatewayError)
        .include({ code: 'schema_validation_failed', status: 422 })
    }
  })

  it('reads limits, sampling and switches', () => {
    const request = read({
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      seed: 0,
      stream: true,
      parallel_tool_calls: false,
    })
    expect(request).deep.include({
      maxTokens: 9,
      sampling: { temperature: 0, top_p: 0.5, seed: 0 },
      stream: true,
      parallelToolCalls: false,
    })
  })

  it('treats null as absent', () => {
    const nulls = Object.fromEntries(
      [
        'instructions',
        'max_output_tokens',
        'reasoning',
        'text',
        'tools',
        'tool_choice',
        'parallel_tool_calls',
        'temperature',
        'top_p',
        'seed',
        'stream',
        'previous_response_id',
      ].map(name => [name, null]),
    )
    expect(read(nulls)).deep.equal(read({}))
    expect(read({ text: { format: null } })).deep.equal(read({}))
  })

  it('clamps max_output_tokens if configured', () => {
    const options = { ...OPTIONS, clamp_max_tokens: ['responses'] as const }
    expect(toCanonical({ model: 'model-1', input: 'Hi' }, options).clampMaxTokens).equal(true)
  })

  it('refuses previous_response_id and explains the alternative', () => {
    expect(() => read({ previous_response_id: 'resp_1' }))
      .throw(GatewayError, 'whole conversation')
      .include({ code: 'unsupported_parameter', status: 400 })
      .nested.property('details.param', 'previous_response_id')
  })

  describe('reasoning', () => {
    for (const effort of ['low', 'medium', 'high', 'xhigh', 'max']) {
      it(`is on for ${effort}`, () => {
        expect(read({ reasoning: { effort } }).reasoning).include({ enabled: true, effort, param: 'reasoning.effort' })
      })
    }
    for (const effort of ['none', 'minimal', 'anything', 3, null]) {
      it(`is off for ${effort}`, () =>
        expect(read({ reasoning: { effort } }).reasoning).include({ enabled: false, effort: 'none' }))
    }
    it('is off for an object without effort', () => {
      expect(read({ reasoning: { summary: 'auto' } }).reasoning).include({ enabled: false })
    })
    it('is the default of the model without a reasoning object', () => {
      expect(read({}).reasoning).include({ enabled: undefined, byDefault: 'card' })
    })
  })

  describe('text.format', () => {
    const format = (value: JsonObject) => read({ text: { format: value } }).responseFormat
    it('accepts text and json_object', () => {
      expect(format({ type: 'text' })).deep.equal({ type: 'text' })
      expect(format({ type: 'json_object' })).deep.equal({ type: 'json_object' })
    })
    it('accepts json_schema with all its members', () => {
      const schema = { type: 'object', properties: {} }
      expect(format({ type: 'json_schema', name: 'a', schema, strict: true, description: 'd' })).deep.equal({
        type: 'json_schema',
        name: 'a',
        schema,
        strict: true,
        description: 'd',
      })
    })
    it('accepts other types: the response-format rule refuses them', () => {
      expect(format({ type: 'grammar', grammar: 'root ::= "a"' })).deep.equal({ type: 'other', name: 'grammar' })
    })
    it('is absent without a format', () => expect(read({ text: { verbosity: 'low' } }).responseFormat).equal(undefined))
  })

  describe('tools', () => {
    it('accepts every kind of tool_choice', () => {
      for (const choice of ['auto', 'none', 'required'] as const)
        expect(read({ tool_choice: choice }).toolChoice).equal(choice)
      expect(read({ tool_choice: { type: 'function', name: 'f' } }).toolChoice).deep.equal({ name: 'f' })
    })
    it('drops unknown tools if configured', () => {
      const options = { ...OPTIONS, responses: { ...OPTIONS.responses, unknown_tools: 'drop' as const } }
      expect(toCanonical({ model: 'model-1', input: 'Hi', tools: [{ type: 'mcp' }] }, options).tools).deep.equal([])
    })
  })

  it('does not change the body', () => {
    const body = {
      model: 'model-1',
      input: [{ type: 'message', role: 'user', content: 'Hi' }],
      instructions: 'x',
      tools: [{ type: 'web_search' }],
    }
    const before = structuredClone(body)
    toCanonical(body, OPTIONS)
    expect(body).deep.equal(before)
  })
})
