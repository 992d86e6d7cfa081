import { expect } from 'chai'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { readConstraint } from '../../../../lib/formats/completions/constraint.ts'
import type { CompletionsBody } from '../../../../lib/formats/completions/generated/body.ts'

const schema = { type: 'object', properties: {} }
const read = (members: Partial<CompletionsBody>) => readConstraint({ model: 'model-1', prompt: 'Once', ...members })

describe('readConstraint', () => {
  const none = { regex: undefined, responseFormat: undefined }

  it('is free where nothing, null or text is asked for', () => {
    expect(read({})).deep.equal(none)
    expect(read({ regex: null, grammar: null, response_format: null, structured_outputs: null })).deep.equal(none)
    expect(read({ response_format: { type: 'text' }, structured_outputs: {} })).deep.equal(none)
    expect(read({ structured_outputs: { json_object: false } })).deep.equal(none)
  })

  it('reads every way to say it', () => {
    expect(read({ regex: 'a' }).regex).equal('a')
    expect(read({ regex: 'a' })).not.property('regexOrigin')
    expect(read({ structured_outputs: { regex: 'a' } })).include({
      regex: 'a',
      regexOrigin: 'structured_outputs.regex',
    })
    expect(read({ grammar: 'g' }).responseFormat).deep.equal({ type: 'grammar', grammar: 'g', origin: 'grammar' })
    expect(read({ structured_outputs: { grammar: 'g' } }).responseFormat).deep.equal({
      type: 'grammar',
      grammar: 'g',
      origin: 'structured_outputs.grammar',
    })
    expect(read({ structured_outputs: { json: schema } }).responseFormat).deep.include({ type: 'json_schema', schema })
    expect(read({ structured_outputs: { json_object: true } }).responseFormat).include({ type: 'json_object' })
  })

  it('reads every type of response_format', () => {
    expect(read({ response_format: { type: 'json_object' } }).responseFormat).deep.equal({ type: 'json_object' })
    expect(read({ response_format: { type: 'grammar', grammar: 'g' } }).responseFormat).deep.equal({
      type: 'grammar',
      grammar: 'g',
    })
    expect(read({ response_format: { type: 'grammar' } }).responseFormat, 'refused by its rule').deep.equal({
      type: 'grammar',
      grammar: '',
    })
    expect(read({ response_format: { type: 'xml' as 'regex' } }).responseFormat).deep.equal({
      type: 'other',
      name: 'xml',
    })
    const json_schema = { name: 'n', schema, strict: null, description: 'd' }
    expect(read({ response_format: { type: 'json_schema', json_schema } }).responseFormat).deep.equal({
      type: 'json_schema',
      name: 'n',
      schema,
      strict: undefined,
      description: 'd',
    })
  })

  it('refuses every pair, by the second of the two', () => {
    const ways: readonly (readonly [param: string, members: Partial<CompletionsBody>])[] = [
      ['regex', { regex: 'a' }],
      ['grammar', { grammar: 'g' }],
      ['response_format', { response_format: { type: 'json_object' } }],
      ['structured_outputs.json', { structured_outputs: { json: schema } }],
    ]
    for (const [i, [, first]] of ways.entries()) {
      for (const [param, second] of ways.slice(i + 1)) {
        expect(() => read({ ...first, ...second }))
          .throw(GatewayError)
          .nested.include({ status: 422, 'details.param': param })
      }
    }
    expect(() => read({ structured_outputs: { json: schema, regex: 'a' } }))
      .throw(GatewayError)
      .nested.include({ 'details.param': 'structured_outputs.regex' })
  })
})
