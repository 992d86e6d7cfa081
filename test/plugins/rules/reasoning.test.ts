import { expect } from 'chai'
import type { Capabilities } from '../../../lib/config/config.ts'
import type { ModelConfig, ReasoningOptions } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import reasoning, { settleReasoning } from '../../../plugins/rules/reasoning/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { chatRequest, model, refusal, targetOf, textRequest, tool } from '../../support/canonical.ts'

const able = (preset?: Capabilities['reasoning_effort']['default'], ability: boolean | 'always' = true): ModelConfig =>
  model({ reasoning: ability, reasoning_effort: { default: preset } })

/** What the model decides for these reasoning options. */
function settled(wish: Partial<ReasoningOptions>, config: ModelConfig): Pick<ReasoningOptions, 'enabled' | 'effort'> {
  const request = chatRequest()
  request.reasoning = { ...request.reasoning, ...wish }
  settleReasoning(request, config)
  const { enabled, effort } = request.reasoning
  return { enabled, effort }
}

const off = { enabled: false, effort: undefined }

describe('reasoning', () => {
  it('is off by default, whatever the card says', () => {
    expect(settled({}, able('medium'))).deep.equal(off)
    expect(settled({}, able())).deep.equal(off)
    expect(settled({}, able(undefined, false))).deep.equal(off)
  })

  it('follows the card where the route says so', () => {
    expect(settled({ byDefault: 'card' }, able('medium'))).deep.equal({ enabled: true, effort: 'medium' })
    expect(settled({ byDefault: 'card' }, able('none'))).deep.equal(off)
    expect(settled({ byDefault: 'card' }, able())).deep.equal(off)
    expect(settled({ byDefault: 'card' }, able('medium', false))).deep.equal(off)
  })

  it('is on where the model can reason and the choice is left to the model', () => {
    expect(settled({ byDefault: 'able' }, able())).deep.equal({ enabled: true, effort: undefined })
    expect(settled({ byDefault: 'able', effort: 'high' }, able())).deep.equal({ enabled: true, effort: 'high' })
    expect(settled({ byDefault: 'able' }, able('medium', false))).deep.equal(off)
  })

  it('is on when asked for, with the effort asked for or the card default', () => {
    expect(settled({ enabled: true, effort: 'high' }, able('low'))).deep.equal({ enabled: true, effort: 'high' })
    expect(settled({ enabled: true }, able('low'))).deep.equal({ enabled: true, effort: 'low' })
    expect(settled({ enabled: true }, able())).deep.equal({ enabled: true, effort: undefined })
    expect(settled({ enabled: true }, able('turbo' as 'max'))).deep.equal({ enabled: true, effort: undefined })
  })

  it('is off when switched off', () => {
    expect(settled({ enabled: false, effort: 'none', byDefault: 'card' }, able('high'))).deep.equal(off)
    expect(settled({ enabled: false, effort: 'high' }, able('high'))).deep.equal(off)
  })

  it('is refused on a model without it, by the member that asked', () => {
    const request = chatRequest()
    request.reasoning = { enabled: true, effort: 'low', param: 'thinking.type', byDefault: 'off' }
    expect(refusal(() => settleReasoning(request, able(undefined, false)))).deep.equal({
      code: 'unsupported_feature',
      status: 400,
      param: 'thinking.type',
    })
    expect(settled({ enabled: false, effort: 'none' }, able(undefined, false))).deep.equal(off)
    // Messages carries an effort beside thinking that is off.
    expect(settled({ enabled: false, effort: 'high' }, able(undefined, false))).deep.equal(off)
  })

  describe('on a model that always reasons', () => {
    const always = able('medium', 'always')

    it('cannot be switched off', () => {
      expect(settled({ enabled: false, effort: 'none' }, always)).deep.equal({ enabled: true, effort: 'medium' })
      expect(settled({}, always)).deep.equal({ enabled: true, effort: 'medium' })
      expect(settled({ enabled: true, effort: 'low' }, always)).deep.equal({ enabled: true, effort: 'low' })
    })

    it('forbids forced tool calls', () => {
      for (const toolChoice of ['required', { name: 'look_up' }] as const) {
        expect(refusal(() => settleReasoning(chatRequest({ tools: [tool()], toolChoice }), always))).deep.equal({
          code: 'unsupported_feature',
          status: 400,
          param: 'tool_choice',
        })
        settleReasoning(chatRequest({ tools: [tool()], toolChoice }), able('medium'))
      }
    })

    it('allows auto and none', () => {
      for (const toolChoice of ['auto', 'none', undefined] as const) {
        expect(refusal(() => settleReasoning(chatRequest({ tools: [tool()], toolChoice }), always))).equal(undefined)
      }
    })
  })

  it('refuses in the chain with a clear message', async () => {
    const request = chatRequest({ tools: [tool()], toolChoice: 'required' })
    const { error } = await play(reasoning, {
      given: [
        [chat, request],
        [target, targetOf(able('medium', 'always'))],
      ],
    })
    expect(error?.message).equal("Model 'm' does not support forced tool calls, because it always reasons.")
  })

  it('leaves text completions alone', async () => {
    const { error } = await play(reasoning, {
      given: [
        [chat, textRequest()],
        [target, targetOf(able('low', 'always'))],
      ],
    })
    expect(error).equal(undefined)
  })
})
