import { expect } from 'chai'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { factsOf, listedCapabilities, profileDifferences } from '../../../../lib/engines/probe/findings.ts'
import { probeBackend } from '../../../../lib/engines/probe/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'

describe('engines/probe/findings', () => {
  afterEach(closeSimulators)

  it('are what the list says, and tools, without a probe', () => {
    expect(listedCapabilities({}, {})).deep.equal({ tools: true })
    expect(listedCapabilities({ vision: true, reasoning: true }, { echo: false })).deep.equal({
      vision: true,
      tools: true,
      reasoning: true,
      chat_completions: { echo: false },
    })
    expect(factsOf({ id: 'm', max_model_len: 5 }, { engine: 'sglang', features: {} }, undefined)).deep.equal({
      engine: 'sglang',
      max_model_len: 5,
      capabilities: { tools: true },
      profile: null,
    })
  })

  it('are what the probe has found', async () => {
    const { root } = await simulatorWith({ models: [{ id: 'm', vision: true }], thinking_kwarg: 'thinking' })
    const result = await probeBackend(root, { light: true })
    const { engine, capabilities, profile } = factsOf({ id: 'm' }, { engine: 'openai', features: {} }, result)
    expect(engine).equal('vllm')
    expect(capabilities).deep.include({ vision: true, tools: true, reasoning: true })
    expect(profile).include({ thinking_kwarg: 'thinking' }).and.deep.equal(profileDifferences(result))
    expect(profileDifferences({ engine: 'vllm', profile: PROFILES.vllm })).deep.equal({})
  })
})
