import { expect } from 'chai'
import type { CanonicalRequest, Json, ModelConfig, ResponseFormat } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import responseFormat, { checkOutputConstraints } from '../../../plugins/rules/response-format/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { chatRequest, model, modelWith, refusal, targetOf, textRequest } from '../../support/canonical.ts'

const check = (request: CanonicalRequest, config: ModelConfig, zdr = false) =>
  refusal(() => checkOutputConstraints(request, targetOf(config, zdr)))
const formatted = (format: ResponseFormat) => chatRequest({ responseFormat: format })
const jsonSchema = (schema: Json | undefined) =>
  formatted({ type: 'json_schema', name: 'answer', schema, strict: undefined, description: undefined })

const unsupported = { code: 'unsupported_response_format', status: 400, param: 'response_format.type' }
const structured = modelWith({ structured_outputs: true })

describe('response-format', () => {
  it('admits text on every model', () => {
    expect(check(formatted({ type: 'text' }), model())).equal(undefined)
    expect(check(chatRequest(), model())).equal(undefined)
  })

  it('refuses types it does not know', () => {
    expect(check(formatted({ type: 'other', name: 'xml' }), structured)).deep.equal(unsupported)
  })

  it('refuses grammar unless the card has it', () => {
    const request = formatted({ type: 'grammar', grammar: 'root ::= "yes"' })
    expect(check(request, structured)).deep.equal(unsupported)
    expect(check(request, modelWith({ grammar: true }))).equal(undefined)
    expect(check(request, modelWith({ grammar: true }, { zdr: { grammar: false } }), true)).deep.equal(unsupported)
  })

  it('refuses a grammar without text', () => {
    const request = formatted({ type: 'grammar', grammar: '' })
    expect(check(request, model())).deep.equal(unsupported)
    expect(check(request, modelWith({ grammar: true }))).deep.equal({
      code: 'schema_validation_failed',
      status: 422,
      param: 'response_format.grammar',
    })
  })

  it('refuses members beside a grammar, where grammars are allowed', () => {
    const request = formatted({ type: 'grammar', grammar: 'root ::= "yes"', unknown: 'syntax' })
    expect(check(request, model())).deep.equal(unsupported)
    expect(check(request, modelWith({ grammar: true }))).deep.equal({
      code: 'unsupported_parameter',
      status: 400,
      param: 'response_format.syntax',
    })
  })

  it('refuses structured output on a model without it', () => {
    expect(check(formatted({ type: 'json_object' }), model())).deep.equal(unsupported)
    expect(check(jsonSchema({ type: 'object' }), model())).deep.equal(unsupported)
    expect(check(formatted({ type: 'json_object' }), structured)).equal(undefined)
    expect(check(jsonSchema({ type: 'object' }), structured)).equal(undefined)
  })

  it('requires an object of limited size as schema', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(80)}{}${'}'.repeat(80)}`) as Json
    const wide = { enum: Array.from({ length: 100_001 }, (_, i) => i) }
    for (const schema of [undefined, null, true, 'string', [], deep, wide]) {
      expect(check(jsonSchema(schema), structured)).deep.equal({
        code: 'schema_validation_failed',
        status: 422,
        param: 'response_format.json_schema.schema',
      })
    }
  })

  it('names the member where it is not response_format', () => {
    const request = textRequest({
      responseFormat: { type: 'grammar', grammar: 'x', origin: 'structured_outputs.grammar' },
    })
    expect(check(request, model())?.param).equal('structured_outputs.grammar')
    const schema = { type: 'json_schema', name: 'output', schema: 5, strict: true, description: undefined } as const
    const bare = textRequest({ responseFormat: { ...schema, origin: 'structured_outputs.json' } })
    expect(check(bare, structured)?.param).equal('structured_outputs.json')
  })

  describe('regex', () => {
    const refused = { code: 'unsupported_regex', status: 400, param: 'regex' }

    it('is refused where it would be ignored, on chat and on text completions', () => {
      for (const request of [chatRequest({ regex: 'a+' }), textRequest({ regex: 'a+' })]) {
        expect(check(request, model())).deep.equal(refused)
        expect(check(request, modelWith({ regex: true }))).equal(undefined)
      }
    })

    it('may be supported on the ZDR partition only, or everywhere else only', () => {
      const request = chatRequest({ regex: 'a+' })
      const only = modelWith({ regex: false }, { zdr: { regex: true } })
      expect(check(request, only)).deep.equal(refused)
      expect(check(request, only, true)).equal(undefined)
      const but = modelWith({ regex: true }, { zdr: { regex: false } })
      expect(check(request, but)).equal(undefined)
      expect(check(request, but, true)).deep.equal(refused)
    })

    it('is never evaluated, so that no pattern can take long', () => {
      const request = textRequest({ regex: '(a+)+$'.repeat(1000) })
      expect(check(request, modelWith({ regex: true }))).equal(undefined)
      expect(check({ ...request, regex: '(' }, modelWith({ regex: true }))).equal(undefined)
    })

    it('cannot be combined with another constraint', () => {
      const both = modelWith({ regex: true, structured_outputs: true })
      const request = chatRequest({ regex: 'a+', responseFormat: { type: 'json_object' } })
      expect(check(request, both)).deep.equal({ code: 'schema_validation_failed', status: 422, param: 'regex' })
      expect(check({ ...request, responseFormat: { type: 'text' } }, both)).equal(undefined)
    })
  })

  it('refuses in the chain, and quotes no more of a type than a word', async () => {
    const request = formatted({ type: 'other', name: 'x'.repeat(1000) })
    const { error } = await play(responseFormat, {
      given: [
        [chat, request],
        [target, targetOf(model())],
      ],
    })
    expect(error?.code).equal('unsupported_response_format')
    expect(error?.message.length).lessThan(200)
  })
})
