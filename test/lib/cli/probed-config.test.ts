import { expect } from 'chai'
import { probedCapabilities, profileDifferences } from '../../../lib/cli/probed-config.ts'
import { PROFILES } from '../../../lib/config/profile.ts'
import { model } from '../../support/canonical.ts'

describe('cli/probed-config', () => {
  it('holds of a profile only what differs from that of the engine', () => {
    const profile = { ...PROFILES.vllm, thinking_kwarg: 'thinking' as const, efforts: [...PROFILES.vllm.efforts] }
    expect(profileDifferences({ engine: 'vllm', profile })).deep.equal({ thinking_kwarg: 'thinking' })
    expect(profileDifferences({ engine: 'sglang', profile: PROFILES.sglang })).deep.equal({})
  })

  it('holds of the capabilities what a probe can find', () => {
    const { capabilities } = model({ reasoning: true })
    expect(probedCapabilities({ capabilities })).deep.equal({
      vision: false,
      tools: false,
      reasoning: true,
      chat_completions: capabilities.chat_completions,
    })
  })
})
