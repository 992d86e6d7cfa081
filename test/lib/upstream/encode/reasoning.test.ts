import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { ReasoningOptions } from '../../../../lib/canonical/request.ts'
import type { Capabilities } from '../../../../lib/config/config.ts'
import { type BackendProfile, PROFILES } from '../../../../lib/config/profile.ts'
import { setReasoning } from '../../../../lib/upstream/encode/reasoning.ts'
import { model } from '../../../support/canonical.ts'

function wish(members: Partial<ReasoningOptions> = {}): ReasoningOptions {
  return { enabled: undefined, effort: undefined, param: 'reasoning_effort', whenUnsaid: 'off', ...members }
}

describe('reasoning in a backend body', () => {
  function members(
    asked: Partial<ReasoningOptions>,
    profile: BackendProfile,
    ability: Capabilities['reasoning'] = true,
  ) {
    const body: JsonObject = {}
    setReasoning(body, wish(asked), model({ reasoning: ability }), profile)
    return body
  }

  it('is switched on and off by the template argument of the profile', () => {
    const thinking = { ...PROFILES.vllm, thinking_kwarg: 'thinking' as const }
    expect(members({}, PROFILES.vllm)).deep.equal({ chat_template_kwargs: { enable_thinking: false } })
    expect(members({ enabled: true }, thinking)).deep.equal({ chat_template_kwargs: { thinking: true } })
  })

  it('is effort none where the engine accepts that', () => {
    expect(members({}, PROFILES.openai)).deep.equal({ reasoning_effort: 'none' })
    expect(members({ enabled: true, effort: 'high' }, PROFILES.openai)).deep.equal({ reasoning_effort: 'high' })
  })

  it('is off where nothing was decided, and an effort alone does not switch it on', () => {
    expect(members({ effort: 'high', whenUnsaid: 'card' }, PROFILES.vllm)).deep.equal({
      chat_template_kwargs: { enable_thinking: false },
    })
  })

  it('is not mentioned to models that cannot reason', () => {
    expect(members({ enabled: true, effort: 'high' }, PROFILES.vllm, false)).deep.equal({})
  })

  it('sends an effort only where the engine takes it, else the strongest below', () => {
    const three = { ...PROFILES.openai, efforts: ['low', 'medium', 'high'] }
    expect(members({ enabled: true, effort: 'max' }, three)).deep.equal({ reasoning_effort: 'high' })
    expect(members({ enabled: true, effort: 'medium' }, three)).deep.equal({ reasoning_effort: 'medium' })
    expect(members({ enabled: true, effort: 'low' }, { ...three, efforts: ['none', 'high'] })).deep.equal({})
    expect(members({ enabled: true, effort: 'high' }, { ...three, efforts: [] })).deep.equal({})
  })
})
