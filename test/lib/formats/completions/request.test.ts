import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { TextRequest } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { toCanonical } from '../../../../lib/formats/completions/request.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const read = (members: JsonObject): TextRequest =>
  toCanonical({ model: 'model-1', prompt: 'Once', ...members }, OPTIONS)

describe('completions request', () => {
  it('sets no number of tokens by default', () => expect(read({}).maxTokens).equal(undefined))

  it('clamps max_tokens if configured', () => {
    const options = { ...OPTIONS, clamp_max_tokens: ['completions'] as const }
    expect(toCanonical({ model: 'model-1', prompt: 'Once' }, options).clampMaxTokens).equal(true)
    expect(read({}).clampMaxTokens).equal(false)
  })

  it('accepts every kind of prompt unchanged', () => {
    for (const prompt of ['a', ['a', 'b'], [1, 2], [[1], [2]]]) expect(read({ prompt }).prompt).equal(prompt)
  })

  it('reads stop as a list', () => {
    expect(read({ stop: 'a' }).stop).deep.equal(['a'])
    expect(read({ stop: ['a', 'b'] }).stop).deep.equal(['a', 'b'])
    expect(read({ stop: [] }).stop).equal(undefined)
  })

  it('keeps zero and false apart from absent', () => {
    const request = read({ temperature: 0, logprobs: 0, seed: 0, max_tokens: 0, echo: false })
    expect(request).deep.include({ sampling: { temperature: 0, logprobs: 0, seed: 0 }, maxTokens: 0, echo: false })
  })

  it('accepts a best_of equal to n', () => expect(read({ n: 2, best_of: 2 }).bestOf).equal(2))
})

const schema = { type: 'object', properties: {} }
function constraintOf(members: JsonObject) {
  const { regex, responseFormat, ...rest } = read(members)
  return { regex, responseFormat, ...('regexOrigin' in rest ? { regexOrigin: rest.regexOrigin } : null) }
}

describe('the constraint of a completion', () => {
  const none = { regex: undefined, responseFormat: undefined }

  it('is undefined for text, null and no value', () => {
    expect(constraintOf({})).deep.equal(none)
    expect(constraintOf({ regex: null, grammar: null, response_format: null, structured_outputs: null })).deep.equal(
      none,
    )
    expect(constraintOf({ response_format: { type: 'text' }, structured_outputs: {} })).deep.equal(none)
    expect(constraintOf({ structured_outputs: { json_object: false } })).deep.equal(none)
  })

  it('reads every spelling', () => {
    expect(constraintOf({ regex: 'a' }).regex).equal('a')
    expect(constraintOf({ regex: 'a' })).not.property('regexOrigin')
    expect(constraintOf({ structured_outputs: { regex: 'a' } })).include({
      regex: 'a',
      regexOrigin: 'structured_outputs.regex',
    })
    expect(constraintOf({ grammar: 'g' }).responseFormat).deep.equal({
      type: 'grammar',
      grammar: 'g',
      origin: 'grammar',
    })
    expect(constraintOf({ structured_outputs: { grammar: 'g' } }).responseFormat).deep.equal({
      type: 'grammar',
      grammar: 'g',
      origin: 'structured_outputs.grammar',
    })
    expect(constraintOf({ structured_outputs: { json: schema } }).responseFormat).deep.include({
      type: 'json_schema',
      schema,
    })
    expect(constraintOf({ structured_outputs: { json_object: true } }).responseFormat).include({ type: 'json_object' })
  })

  it('reads every type of response_format', () => {
    expect(constraintOf({ response_format: { type: 'json_object' } }).responseFormat).deep.equal({
      type: 'json_object',
    })
    expect(constraintOf({ response_format: { type: 'grammar', grammar: 'g' } }).responseFormat).deep.equal({
      type: 'grammar',
      grammar: 'g',
    })
    expect(constraintOf({ response_format: { type: 'grammar' } }).responseFormat, 'refused by its rule').deep.equal({
      type: 'grammar',
      grammar: '',
    })
    expect(constraintOf({ response_format: { type: 'xml' as 'regex' } }).responseFormat).deep.equal({
      type: 'other',
      name: 'xml',
    })
    const json_schema = { name: 'n', schema, strict: null, description: 'd' }
    expect(constraintOf({ response_format: { type: 'json_schema', json_schema } }).responseFormat).deep.equal({
      type: 'json_schema',
      name: 'n',
      schema,
      strict: undefined,
      description: 'd',
    })
  })

  it('refuses every pair, by the second of the two', () => {
    const ways: readonly (readonly [param: string, members: JsonObject])[] = [
      ['regex', { regex: 'a' }],
      ['grammar', { grammar: 'g' }],
      ['response_format', { response_format: { type: 'json_object' } }],
      ['structured_outputs.json', { structured_outputs: { json: schema } }],
    ]
    for (const [i, [, first]] of ways.entries()) {
      for (const [param, second] of ways.slice(i + 1)) {
        expect(() => constraintOf({ ...first, ...second }))
          .throw(GatewayError)
          .nested.include({ status: 422, 'details.param': param })
      }
    }
    expect(() => constraintOf({ structured_outputs: { json: schema, regex: 'a' } }))
      .throw(GatewayError)
      .nested.include({ 'details.param': 'structured_outputs.regex' })
  })
})
