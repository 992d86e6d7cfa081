import { expect } from 'chai'
import { knownToAll } from '../../../lib/config/passthrough.ts'
import { PROFILES } from '../../../lib/config/profile.ts'

const { vllm, sglang } = PROFILES

describe('members that a model passes on', () => {
  it('are those that the profiles of all backends know', () => {
    expect(knownToAll(['bad_words', 'stop_token_ids', 'other'], [vllm])).deep.equal(['bad_words', 'stop_token_ids'])
    expect(knownToAll(['bad_words', 'stop_token_ids'], [vllm, sglang])).deep.equal(['stop_token_ids'])
  })

  it('may be named as sets', () => {
    expect(knownToAll(['vllm', 'stop_token_ids'], [vllm])).deep.equal(vllm.passthrough_members)
    expect(knownToAll(['sglang'], [vllm]))
      .include('stop_token_ids')
      .and.not.include('stop_regex')
  })

  it('are, for vLLM, the bounds of reasoning and repetition too', () => {
    const names = ['thinking_token_budget', 'repetition_detection']
    expect(knownToAll(names, [vllm])).deep.equal(names)
    expect(knownToAll(names, [sglang])).deep.equal([])
  })

  it('may be single arguments of the chat template', () => {
    const name = 'chat_template_kwargs.custom'
    expect(knownToAll([name], [vllm])).deep.equal([name])
    expect(knownToAll([name], [PROFILES.openai])).deep.equal([])
    expect(knownToAll([name], [{ passthrough_members: [name] }])).deep.equal([name])
  })
})
