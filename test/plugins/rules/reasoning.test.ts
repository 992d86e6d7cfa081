import { expect } from 'chai'
import type { Capabilities } from '../../../lib/config/config.ts'
import type { CanonicalRequest, ModelConfig, ReasoningOptions } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import reasoning from '../../../plugins/rules/reasoning/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { chatRequest, model, targetOf, textRequest, tool } from '../../support/canonical.ts'
import { refusalIn } from '../../support/refusal.ts'

const able = (preset?: Capabilities['reasoning_effort']['default'], ability: boolean | 'always' = true): ModelConfig =>
  model({ reasoning: ability, reasoning_effort: { default: preset } })

function played(request: CanonicalRequest, config: ModelConfig) {
  const given = [
    [chat, request],
    [target, targetOf(config)],
  ] as const
  return play(reasoning, { given })
}

/** The decision for a request with these reasoning options. */
async function settled(asked: Partial<ReasoningOptions>, config: ModelConfig) {
  const request = chatRequest()
  request.reasoning = { ...request.reasoning, ...asked }
  expect((await played(request, config)).error).equal(undefined)
  const { enabled, effort } = request.reasoning
  return { enabled, effort }
}

const off = { enabled: false, effort: undefined }

describe('reasoning', () => {
  it('is off by default, with any model card', async () => {
    expect(await settled({}, able('medium'))).deep.equal(off)
    expect(await settled({}, able())).deep.equal(off)
    expect(await settled({}, able(undefined, false))).deep.equal(off)
  })

  it('follows the model card if the route does', async () => {
    expect(await settled({ byDefault: 'card' }, able('medium'))).deep.equal({ enabled: true, effort: 'medium' })
    expect(await settled({ byDefault: 'card' }, able('none'))).deep.equal(off)
    expect(await settled({ byDefault: 'card' }, able())).deep.equal(off)
    expect(await settled({ byDefault: 'card' }, able('medium', false))).deep.equal(off)
  })

  it('is on if the model can reason and the request leaves the choice to it', async () => {
    expect(await settled({ byDefault: 'able' }, able())).deep.equal({ enabled: true, effort: undefined })
    expect(await settled({ byDefault: 'able', effort: 'high' }, able())).deep.equal({ enabled: true, effort: 'high' })
    expect(await settled({ byDefault: 'able' }, able('medium', false))).deep.equal(off)
  })

  it('is on if requested, with the requested effort or the default of the card', async () => {
    expect(await settled({ enabled: true, effort: 'high' }, able('low'))).deep.equal({ enabled: true, effort: 'high' })
    expect(await settled({ enabled: true }, able('low'))).deep.equal({ enabled: true, effort: 'low' })
    expect(await settled({ enabled: true }, able())).deep.equal({ enabled: true, effort: undefined })
    expect(await settled({ enabled: true }, able('turbo' as 'max'))).deep.equal({ enabled: true, effort: undefined })
  })

  it('is off when switched off', async () => {
    expect(await settled({ enabled: false, effort: 'none', byDefault: 'card' }, able('high'))).deep.equal(off)
    expect(await settled({ enabled: false, effort: 'high' }, able('high'))).deep.equal(off)
  })

  it('is refused on a model without it, with the member of the request', async () => {
    const request = chatRequest()
    request.reasoning = { enabled: true, effort: 'low', param: 'thinking.type', byDefault: 'off' }
    expect(refusalIn(await played(request, able(undefined, false)))).deep.equal({
      code: 'unsupported_feature',
      status: 400,
      param: 'thinking.type',
    })
    expect(await settled({ enabled: false, effort: 'none' }, able(undefined, false))).deep.equal(off)
    // Messages may have an effort with thinking that is off.
    expect(await settled({ enabled: false, effort: 'high' }, able(undefined, false))).deep.equal(off)
  })

  describe('on a model that always reasons', () => {
    const always = able('medium', 'always')

    it('cannot be switched off', async () => {
      expect(await settled({ enabled: false, effort: 'none' }, always)).deep.equal({ enabled: true, effort: 'medium' })
      expect(await settled({}, always)).deep.equal({ enabled: true, effort: 'medium' })
      expect(await settled({ enabled: true, effort: 'low' }, always)).deep.equal({ enabled: true, effort: 'low' })
    })

    it('forbids forced tool calls', async () => {
      for (const toolChoice of ['required', { name: 'look_up' }] as const) {
        expect(refusalIn(await played(chatRequest({ tools: [tool()], toolChoice }), always))).deep.equal({
          code: 'unsupported_feature',
          status: 400,
          param: 'tool_choice',
        })
        const free = await played(chatRequest({ tools: [tool()], toolChoice }), able('medium'))
        expect(free.error).equal(undefined)
      }
    })

    it('allows auto and none', async () => {
      for (const toolChoice of ['auto', 'none', undefined] as const) {
        expect(refusalIn(await played(chatRequest({ tools: [tool()], toolChoice }), always))).equal(undefined)
      }
    })
  })

  it('refuses in the chain with a clear message', async () => {
    const request = chatRequest({ tools: [tool()], toolChoice: 'required' })
    const { error } = await played(request, able('medium', 'always'))
    expect(error?.message).equal("Model 'm' does not support forced tool calls, because it always reasons.")
  })

  it('ignores text completions', async () => {
    const { error } = await played(textRequest(), able('low', 'always'))
    expect(error).equal(undefined)
  })
})
