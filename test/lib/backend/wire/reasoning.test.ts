import { expect } from 'chai'
import { type BackendProfile, PROFILES } from '../../../../lib/backend/profile.ts'
import { reasoningOn, setReasoning } from '../../../../lib/backend/wire/reasoning.ts'
import type { JsonObject, ReasoningWish } from '../../../../lib/chat.ts'
import type { Capabilities } from '../../../../lib/config/config.ts'
import { model } from '../../../support/canonical.ts'

function wish(members: Partial<ReasoningWish> = {}): ReasoningWish {
  return { enabled: undefined, effort: undefined, param: 'reasoning_effort', whenUnsaid: 'off', ...members }
}

function card(reasoning: Capabilities['reasoning'], preset?: string) {
  return model({ reasoning, reasoning_effort: { default: preset } })
}

const OFF = { on: false, effort: undefined }

describe('reasoning of a request', () => {
  it('is off unless asked for', () => {
    expect(reasoningOn(wish(), card(true, 'high'))).deep.equal(OFF)
  })

  it('follows the card where the route says so', () => {
    const unsaid = wish({ whenUnsaid: 'card' })
    expect(reasoningOn(unsaid, card(true, 'high'))).deep.equal({ on: true, effort: 'high' })
    expect(reasoningOn(unsaid, card(true, 'none'))).deep.equal(OFF)
    expect(reasoningOn(unsaid, card(true))).deep.equal(OFF)
  })

  it('is on by an effort, and off by none', () => {
    expect(reasoningOn(wish({ effort: 'low' }), card(true, 'high'))).deep.equal({ on: true, effort: 'low' })
    expect(reasoningOn(wish({ effort: 'none' }), card(true, 'high'))).deep.equal(OFF)
  })

  it('takes the card effort when it is only switched on', () => {
    expect(reasoningOn(wish({ enabled: true }), card(true, 'medium'))).deep.equal({ on: true, effort: 'medium' })
    expect(reasoningOn(wish({ enabled: true }), card(true))).deep.equal({ on: true, effort: undefined })
  })

  it('cannot be switched off where a model always reasons', () => {
    expect(reasoningOn(wish({ enabled: false }), card('always', 'high'))).deep.equal({ on: true, effort: 'high' })
    expect(reasoningOn(wish({ effort: 'none' }), card('always'))).deep.equal({ on: true, effort: undefined })
  })

  it('is never on where a model cannot', () => {
    expect(reasoningOn(wish({ enabled: true, effort: 'high' }), card(false))).deep.equal(OFF)
  })
})

describe('reasoning in a backend body', () => {
  function members(asked: Partial<ReasoningWish>, profile: BackendProfile, ability: Capabilities['reasoning'] = true) {
    const body: JsonObject = {}
    setReasoning(body, wish(asked), card(ability), profile)
    return body
  }

  it('is said in the template argument of the profile, both ways', () => {
    const thinking = { ...PROFILES.vllm, thinking_kwarg: 'thinking' as const }
    expect(members({}, PROFILES.vllm)).deep.equal({ chat_template_kwargs: { enable_thinking: false } })
    expect(members({ enabled: true }, thinking)).deep.equal({ chat_template_kwargs: { thinking: true } })
  })

  it('is an effort of none where the engine takes that', () => {
    expect(members({}, PROFILES.openai)).deep.equal({ reasoning_effort: 'none' })
    expect(members({ effort: 'high' }, PROFILES.openai)).deep.equal({ reasoning_effort: 'high' })
  })

  it('is switched on where it cannot be off', () => {
    const body = members({ enabled: false }, PROFILES.vllm, 'always')
    expect(body).deep.equal({ chat_template_kwargs: { enable_thinking: true } })
  })

  it('is not mentioned to models that cannot reason', () => {
    expect(members({ enabled: true, effort: 'high' }, PROFILES.vllm, false)).deep.equal({})
  })

  it('sends an effort only where the engine takes it, else the strongest below', () => {
    const three = { ...PROFILES.openai, efforts: ['low', 'medium', 'high'] }
    expect(members({ effort: 'max' }, three)).deep.equal({ reasoning_effort: 'high' })
    expect(members({ effort: 'medium' }, three)).deep.equal({ reasoning_effort: 'medium' })
    expect(members({ effort: 'low' }, { ...three, efforts: ['none', 'high'] })).deep.equal({})
    expect(members({ effort: 'high' }, { ...three, efforts: [] })).deep.equal({})
  })
})
