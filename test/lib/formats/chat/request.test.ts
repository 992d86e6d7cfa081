import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { FormatOptions } from '../../../../lib/canonical/format.ts'
import type { ChatRequest } from '../../../../lib/canonical/request.ts'
import { toCanonical } from '../../../../lib/formats/chat/request.ts'
import { OPTIONS as DEFAULTS } from '../../../support/encoders.ts'
import { refusalOf } from '../../../support/refusal.ts'

const OPTIONS: FormatOptions = { ...DEFAULTS, clamp_max_tokens: [] }

function canonical(members: JsonObject, options = OPTIONS): ChatRequest {
  const request = toCanonical({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...members }, options)
  if (request.kind !== 'chat') throw new Error(`A ${request.kind} request came out.`)
  return request
}

describe('requests of chat', () => {
  it('have the defaults of the route', () => {
    expect(canonical({})).deep.include({
      stream: false,
      n: 1,
      maxTokens: undefined,
      stop: undefined,
      tools: [],
      sampling: {},
    })
  })

  describe('max_tokens', () => {
    it('has two names', () => {
      expect(canonical({ max_tokens: 5 }).maxTokens).equal(5)
      expect(canonical({ max_completion_tokens: 5 }).maxTokens).equal(5)
      expect(canonical({ max_tokens: 5, max_completion_tokens: 5 }).maxTokens).equal(5)
      expect(canonical({ max_tokens: null, max_completion_tokens: 5 }).maxTokens).equal(5)
    })

    it('is refused with two values', () => {
      const refusal = refusalOf(() => canonical({ max_tokens: 5, max_completion_tokens: 6 }))
      expect(refusal).include({ code: 'schema_validation_failed', status: 422, param: 'max_tokens' })
    })

    it('is clamped where the operator says so', () => {
      expect(canonical({}).clampMaxTokens).equal(false)
      expect(canonical({}, { ...OPTIONS, clamp_max_tokens: ['chat'] }).clampMaxTokens).equal(true)
    })
  })

  it('take stop as a text or a list', () => {
    expect(canonical({ stop: 'a' }).stop).eql(['a'])
    expect(canonical({ stop: ['a', 'b'] }).stop).eql(['a', 'b'])
    expect(canonical({ stop: [] }).stop).equal(undefined)
  })

  it('keep sampling controls that say zero or false', () => {
    const sampling = { temperature: 0, seed: 0, presence_penalty: 0, logprobs: false }
    expect(canonical(sampling).sampling).eql(sampling)
  })

  it('refuse top_logprobs without logprobs', () => {
    for (const members of [{ top_logprobs: 2 }, { top_logprobs: 2, logprobs: false }]) {
      expect(refusalOf(() => canonical(members))).include({ code: 'schema_validation_failed', param: 'top_logprobs' })
    }
    expect(canonical({ top_logprobs: 0 }).sampling).eql({ top_logprobs: 0 })
    expect(canonical({ top_logprobs: 2, logprobs: true }).sampling).eql({ top_logprobs: 2, logprobs: true })
  })

  it('take every kind of tool_choice', () => {
    for (const choice of ['auto', 'none', 'required']) {
      expect(canonical({ tool_choice: choice }).toolChoice).equal(choice)
    }
    expect(canonical({ tool_choice: { type: 'function', function: { name: 'f' } } }).toolChoice).eql({ name: 'f' })
  })

  it('refuse tools that are no functions, and repeat no more than the start of their type', () => {
    const refusal = refusalOf(() => canonical({ tools: [{ type: 'x'.repeat(1000) }] }))
    expect(refusal).include({ code: 'unsupported_tool_type', status: 400, param: 'tools.0.type' })
    expect(refusal.message).length.below(200)
  })

  it('leave it to the model whether a format without text is supported', () => {
    expect(canonical({ response_format: { type: 'grammar' } }).responseFormat).eql({ type: 'grammar', grammar: '' })
    const shaped = { type: 'grammar', grammar: { root: 'a' }, syntax: 'lark' }
    expect(canonical({ response_format: shaped }).responseFormat).eql({
      type: 'grammar',
      grammar: '',
      unknown: 'syntax',
    })
    expect(canonical({ response_format: { type: 'xml' } }).responseFormat).eql({ type: 'other', name: 'xml' })
  })
})
