import { expect } from 'chai'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { contradiction, correctedModel } from '../../../../lib/engines/probe/correction.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'

const backend = (url: string) => backendConfig({ url, engine: 'vllm', profile: PROFILES.vllm })
const configured = { ...model({}, { backends: [backend('http://a/v1'), backend('http://b/v1')] }), max_model_len: 8192 }

describe('engines/probe/correction', () => {
  it('changes nothing without a contradiction', () => {
    expect(correctedModel(configured, [{}, {}])).equal(configured)
    expect(correctedModel(configured, [{ engine: 'vllm', window: 8192 }, { window: 32_768 }])).equal(configured)
    expect(contradiction({ ...configured, max_model_len: undefined }, configured.backends[0]!, { window: 1 })).equal(
      null,
    )
  })

  it('has the largest window of the backends: a smaller one refuses for itself', () => {
    expect(correctedModel(configured, [{ window: 4096 }, {}]).max_model_len).equal(8192)
    const { max_model_len, backends } = correctedModel(configured, [{ window: 4096 }, { window: 2048 }])
    expect(max_model_len).equal(4096)
    expect(backends[0]).equal(configured.backends[0])
  })

  it('supports only those text members that the engine of every backend has', () => {
    const { capabilities } = configured
    const echoing = {
      ...configured,
      capabilities: { ...capabilities, chat_completions: { ...capabilities.chat_completions, echo: true } },
    }
    expect(correctedModel(echoing, [{ engine: 'sglang' }, {}]).capabilities.chat_completions.echo).equal(true)
    expect(correctedModel(echoing, [{ engine: 'llama.cpp' }, {}]).capabilities.chat_completions.echo).equal(false)
  })
})
