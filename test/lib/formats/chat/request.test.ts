import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { FormatOptions } from '../../../../lib/canonical/format.ts'
import type { ChatRequest, ReasoningOptions } from '../../../../lib/canonical/request.ts'
import type { ChatBody } from '../../../../lib/formats/chat/generated/body.ts'
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

    it('is clamped if configured', () => {
      expect(canonical({}).clampMaxTokens).equal(false)
      expect(canonical({}, { ...OPTIONS, clamp_max_tokens: ['chat'] }).clampMaxTokens).equal(true)
    })
  })

  it('accept stop as a text or a list', () => {
    expect(canonical({ stop: 'a' }).stop).eql(['a'])
    expect(canonical({ stop: ['a', 'b'] }).stop).eql(['a', 'b'])
    expect(canonical({ stop: [] }).stop).equal(undefined)
  })

  it('keep sampling controls with the value zero or false', () => {
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

  it('accept every kind of tool_choice', () => {
    for (const choice of ['auto', 'none', 'required']) {
      expect(canonical({ tool_choice: choice }).toolChoice).equal(choice)
    }
    expect(canonical({ tool_choice: { type: 'function', function: { name: 'f' } } }).toolChoice).eql({ name: 'f' })
  })

  it('refuse tools that are no functions, with only the start of their type in the message', () => {
    const refusal = refusalOf(() => canonical({ tools: [{ type: 'x'.repeat(1000) }] }))
    expect(refusal).include({ code: 'unsupported_tool_type', status: 400, param: 'tools.0.type' })
    expect(refusal.message).length.below(200)
  })

  it('accept formats without text, which a rule checks later', () => {
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

function wish(members: Partial<ChatBody>): ReasoningOptions {
  return canonical(members as JsonObject).reasoning
}

describe('reasoning control on chat', () => {
  it('is off by default (docs/api/chat-completions.md#reasoning)', () => {
    expect(wish({})).eql({ enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off' })
    expect(wish({ reasoning: {}, chat_template_kwargs: {}, thinking: null }).enabled).equal(undefined)
  })

  for (const effort of ['low', 'medium', 'high', 'max'] as const) {
    it(`is switched on by effort ${effort}, in both places`, () => {
      expect(wish({ reasoning_effort: effort })).include({ enabled: true, effort, param: 'reasoning_effort' })
      expect(wish({ reasoning: { effort } })).include({ enabled: true, effort, param: 'reasoning.effort' })
    })
  }

  it('is switched off by effort none', () => {
    expect(wish({ reasoning_effort: 'none' })).include({ enabled: false, effort: 'none' })
  })

  const switches: readonly [param: string, on: Partial<ChatBody>, off: Partial<ChatBody>][] = [
    ['reasoning.enabled', { reasoning: { enabled: true } }, { reasoning: { enabled: false } }],
    ['thinking.type', { thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } }],
    [
      'chat_template_kwargs.enable_thinking',
      { chat_template_kwargs: { enable_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false } },
    ],
  ]
  for (const [param, on, off] of switches) {
    it(`is switched by ${param}`, () => {
      expect(wish(on)).include({ enabled: true, effort: undefined, param })
      expect(wish(off)).include({ enabled: false, effort: 'none', param })
    })

    it(`accepts ${param} with an effort that agrees`, () => {
      expect(wish({ ...on, reasoning_effort: 'low' })).include({ enabled: true, effort: 'low' })
      expect(wish({ ...off, reasoning_effort: 'none' })).include({ enabled: false, effort: 'none' })
    })

    it(`refuses ${param} with an effort that contradicts`, () => {
      for (const body of [
        { ...on, reasoning_effort: 'none' as const },
        { ...off, reasoning_effort: 'high' as const },
      ]) {
        expect(refusalOf(() => wish(body))).include({ code: 'schema_validation_failed', status: 422, param })
      }
    })
  }

  it('refuses two efforts', () => {
    const refusal = refusalOf(() => wish({ reasoning_effort: 'low', reasoning: { effort: 'high' } }))
    expect(refusal).include({ code: 'schema_validation_failed', param: 'reasoning.effort' })
    expect(wish({ reasoning_effort: 'low', reasoning: { effort: 'low', enabled: true } }).effort).equal('low')
  })
})

describe('preserved thinking on chat', () => {
  const asked = (members: Partial<ChatBody>) => canonical(members as JsonObject).preserveThinking

  it('is off by default', () => {
    expect(asked({})).eql({ asked: false, param: 'preserve_thinking' })
    expect(asked({ preserve_thinking: false, thinking: { type: 'enabled' } }).asked).equal(false)
  })

  it('is requested by preserve_thinking or thinking.keep', () => {
    expect(asked({ preserve_thinking: true })).eql({ asked: true, param: 'preserve_thinking' })
    expect(asked({ thinking: { type: 'enabled', keep: 'all' } })).eql({ asked: true, param: 'thinking.keep' })
  })

  it('refuses to keep reasoning that is off', () => {
    const disabled = refusalOf(() => asked({ thinking: { type: 'disabled', keep: 'all' } }))
    expect(disabled).include({ code: 'schema_validation_failed', param: 'thinking.keep' })
    const denied = refusalOf(() => asked({ preserve_thinking: false, thinking: { type: 'enabled', keep: 'all' } }))
    expect(denied).include({ code: 'schema_validation_failed', param: 'thinking.keep' })
  })
})

const read = (members: JsonObject) => toCanonical({ model: 'm', messages: [], ...members }, OPTIONS)

describe('tools of chat', () => {
  it('are functions; null means absent', () => {
    const parameters = { type: 'object', properties: {} }
    const described = { name: 'f', description: 'd', parameters, strict: true }
    const bare = { name: 'g', description: null, parameters: null, strict: null }
    const { tools } = read({
      tools: [
        { type: 'function', function: described },
        { type: 'function', function: bare },
      ],
    })
    expect(tools).eql([described, { name: 'g', description: undefined, parameters: undefined, strict: undefined }])
    for (const none of [undefined, null, []]) expect(read({ tools: none! }).tools).eql([])
  })

  it('are refused if they are no functions, with only the start of their type in the message', () => {
    const refusal = refusalOf(() => void read({ tools: [{ type: 'x'.repeat(1000) }] }))
    expect(refusal).include({ code: 'unsupported_tool_type', status: 400, param: 'tools.0.type' })
    expect(refusal.message).length.below(200)
  })

  it('can be chosen in every way', () => {
    for (const choice of ['auto', 'none', 'required'] as const) {
      expect(read({ tool_choice: choice }).toolChoice).equal(choice)
    }
    const named = { type: 'function', function: { name: 'f' } } as const
    expect(read({ tool_choice: named }).toolChoice).eql({ name: 'f' })
    for (const none of [undefined, null]) expect(read({ tool_choice: none! }).toolChoice).equal(undefined)
  })
})
