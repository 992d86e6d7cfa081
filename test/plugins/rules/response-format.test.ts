import { expect } from 'chai'
import type { CanonicalRequest, Json, ModelConfig, ResponseFormat } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import responseFormat from '../../../plugins/rules/response-format/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model, modelWith, targetOf, textRequest } from '../../support/canonical.ts'
import { refusalIn } from '../../support/refusal.ts'

function played(request: CanonicalRequest, config: ModelConfig, zdr = false) {
  const given = [
    [chat, request],
    [target, targetOf(config, zdr)],
  ] as const
  return play(responseFormat, { given })
}

const check = async (request: CanonicalRequest, config: ModelConfig, zdr = false) =>
  refusalIn(await played(request, config, zdr))
const formatted = (format: ResponseFormat) => chatRequest({ responseFormat: format })
const jsonSchema = (schema: Json | undefined) =>
  formatted({ type: 'json_schema', name: 'answer', schema, strict: undefined, description: undefined })

const unsupported = { code: 'unsupported_response_format', status: 400, param: 'response_format.type' }
const structured = modelWith({ structured_outputs: true })

describe('response-format', () => {
  it('admits text on every model', async () => {
    expect(await check(formatted({ type: 'text' }), model())).equal(undefined)
    expect(await check(chatRequest(), model())).equal(undefined)
  })

  it('refuses unknown types', async () => {
    expect(await check(formatted({ type: 'other', name: 'xml' }), structured)).deep.equal(unsupported)
  })

  it('refuses grammar unless the card has it', async () => {
    const request = formatted({ type: 'grammar', grammar: 'root ::= "yes"' })
    expect(await check(request, structured)).deep.equal(unsupported)
    expect(await check(request, modelWith({ grammar: true }))).equal(undefined)
    expect(await check(request, modelWith({ grammar: true }, { zdr: { grammar: false } }), true)).deep.equal(
      unsupported,
    )
  })

  it('refuses a grammar without text', async () => {
    const request = formatted({ type: 'grammar', grammar: '' })
    expect(await check(request, model())).deep.equal(unsupported)
    expect(await check(request, modelWith({ grammar: true }))).deep.equal({
      code: 'schema_validation_failed',
      status: 422,
      param: 'response_format.grammar',
    })
  })

  it('refuses members next to a grammar, if grammars are allowed', async () => {
    const request = formatted({ type: 'grammar', grammar: 'root ::= "yes"', unknown: 'syntax' })
    expect(await check(request, model())).deep.equal(unsupported)
    expect(await check(request, modelWith({ grammar: true }))).deep.equal({
      code: 'unsupported_parameter',
      status: 400,
      param: 'response_format.syntax',
    })
  })

  it('refuses structured output on a model without it', async () => {
    expect(await check(formatted({ type: 'json_object' }), model())).deep.equal(unsupported)
    expect(await check(jsonSchema({ type: 'object' }), model())).deep.equal(unsupported)
    expect(await check(formatted({ type: 'json_object' }), structured)).equal(undefined)
    expect(await check(jsonSchema({ type: 'object' }), structured)).equal(undefined)
  })

  it('requires an object of limited size as schema', async () => {
    const deep = JSON.parse(`${'{"not":'.repeat(80)}{}${'}'.repeat(80)}`) as Json
    const wide = { enum: Array.from({ length: 100_001 }, (_, i) => i) }
    for (const schema of [undefined, null, true, 'string', [], deep, wide]) {
      expect(await check(jsonSchema(schema), structured)).deep.equal({
        code: 'schema_validation_failed',
        status: 422,
        param: 'response_format.json_schema.schema',
      })
    }
  })

  it('names the member if it is not response_format', async () => {
    const request = textRequest({
      responseFormat: { type: 'grammar', grammar: 'x', origin: 'structured_outputs.grammar' },
    })
    expect((await check(request, model()))?.param).equal('structured_outputs.grammar')
    const schema = { type: 'json_schema', name: 'output', schema: 5, strict: true, description: undefined } as const
    const bare = textRequest({ responseFormat: { ...schema, origin: 'structured_outputs.json' } })
    expect((await check(bare, structured))?.param).equal('structured_outputs.json')
  })

  it('says which partition cannot follow what the other one can', async () => {
    const messageOf = async (request: CanonicalRequest, config: ModelConfig, zdr = false) =>
      (await played(request, config, zdr)).error?.message
    const backends = [backendConfig({ zdr: true })]
    const only = { ...modelWith({}, { zdr: { regex: true, grammar: true } }), backends }
    const grammar = formatted({ type: 'grammar', grammar: 'root ::= "yes"' })
    expect(await messageOf(chatRequest({ regex: 'a+' }), only)).match(
      /does not support regex without zero data retention\.$/,
    )
    expect(await messageOf(grammar, only)).match(/format 'grammar' without zero data retention\.$/)
    const but = modelWith({ regex: true }, { zdr: { regex: false } })
    expect(await messageOf(chatRequest({ regex: 'a+' }), but, true)).match(/regex with zero data retention\.$/)
    expect(await messageOf(chatRequest({ regex: 'a+' }), model(), true)).match(/does not support regex\.$/)
  })

  describe('regex', () => {
    const refused = { code: 'unsupported_regex', status: 400, param: 'regex' }

    it('is refused if it would be ignored, on chat and on text completions', async () => {
      for (const request of [chatRequest({ regex: 'a+' }), textRequest({ regex: 'a+' })]) {
        expect(await check(request, model())).deep.equal(refused)
        expect(await check(request, modelWith({ regex: true }))).equal(undefined)
      }
    })

    it('may be supported on the ZDR partition only, or everywhere else only', async () => {
      const request = chatRequest({ regex: 'a+' })
      const only = modelWith({ regex: false }, { zdr: { regex: true } })
      expect(await check(request, only)).deep.equal(refused)
      expect(await check(request, only, true)).equal(undefined)
      const but = modelWith({ regex: true }, { zdr: { regex: false } })
      expect(await check(request, but)).equal(undefined)
      expect(await check(request, but, true)).deep.equal(refused)
    })

    it('is never evaluated, so that no pattern can take long', async () => {
      const request = textRequest({ regex: '(a+)+$'.repeat(1000) })
      expect(await check(request, modelWith({ regex: true }))).equal(undefined)
      expect(await check({ ...request, regex: '(' }, modelWith({ regex: true }))).equal(undefined)
    })

    it('cannot be combined with another constraint', async () => {
      const both = modelWith({ regex: true, structured_outputs: true })
      const request = chatRequest({ regex: 'a+', responseFormat: { type: 'json_object' } })
      expect(await check(request, both)).deep.equal({ code: 'schema_validation_failed', status: 422, param: 'regex' })
      expect(await check({ ...request, responseFormat: { type: 'text' } }, both)).equal(undefined)
    })
  })

  it('refuses in the chain, and quotes only a word of a type', async () => {
    const request = formatted({ type: 'other', name: 'x'.repeat(1000) })
    const { error } = await played(request, model())
    expect(error?.code).equal('unsupported_response_format')
    expect(error?.message.length).lessThan(200)
  })
})
