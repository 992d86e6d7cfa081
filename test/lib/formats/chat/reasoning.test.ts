import { expect } from 'chai'
import type { ReasoningOptions } from '../../../../lib/canonical/request.ts'
import type { ChatBody } from '../../../../lib/formats/chat/generated/body.ts'
import { readPreserveThinking, readReasoning } from '../../../../lib/formats/chat/reasoning.ts'
import { refusalOf } from '../../../support/refusal.ts'

function bodyWith(members: Partial<ChatBody>): ChatBody {
  return { model: 'm', messages: [], ...members }
}

function wish(members: Partial<ChatBody>): ReasoningOptions {
  return readReasoning(bodyWith(members))
}

describe('reasoning control on chat', () => {
  it('is off when nothing is said (docs/api/chat-completions.md#reasoning)', () => {
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

    it(`takes ${param} beside an effort that agrees`, () => {
      expect(wish({ ...on, reasoning_effort: 'low' })).include({ enabled: true, effort: 'low' })
      expect(wish({ ...off, reasoning_effort: 'none' })).include({ enabled: false, effort: 'none' })
    })

    it(`refuses ${param} beside an effort that contradicts`, () => {
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
  const asked = (members: Partial<ChatBody>) => readPreserveThinking(bodyWith(members))

  it('is off unless asked for', () => {
    expect(asked({})).eql({ asked: false, param: 'preserve_thinking' })
    expect(asked({ preserve_thinking: false, thinking: { type: 'enabled' } }).asked).equal(false)
  })

  it('is asked for by preserve_thinking or thinking.keep', () => {
    expect(asked({ preserve_thinking: true })).eql({ asked: true, param: 'preserve_thinking' })
    expect(asked({ thinking: { type: 'enabled', keep: 'all' } })).eql({ asked: true, param: 'thinking.keep' })
  })

  it('refuses to keep what is switched off', () => {
    const disabled = refusalOf(() => asked({ thinking: { type: 'disabled', keep: 'all' } }))
    expect(disabled).include({ code: 'schema_validation_failed', param: 'thinking.keep' })
    const denied = refusalOf(() => asked({ preserve_thinking: false, thinking: { type: 'enabled', keep: 'all' } }))
    expect(denied).include({ code: 'schema_validation_failed', param: 'thinking.keep' })
  })
})
