import { expect } from 'chai'
import type { CanonicalRequest } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import contextLength from '../../../plugins/models/context-length/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { chatRequest, model, targetOf, textRequest } from '../../support/canonical.ts'

const sized = (id: string, max_model_len: number | undefined) => model({}, { id, max_model_len })
const small = sized('small', 100)
const alternatives = [small, sized('large', 1000), sized('largest', 5000), sized('tiny', 10)]

async function errorOf(request: CanonicalRequest, config = small) {
  const given = [
    [chat, request],
    [target, targetOf(config, false, alternatives)],
  ] as const
  return (await play(contextLength, { given })).error
}

describe('context-length', () => {
  it('refuses a token prompt that is longer than the window, and suggests models that the key may use', async () => {
    const error = await errorOf(textRequest({ prompt: Array.from({ length: 101 }, () => 1) }))
    expect(error).include({ code: 'context_length_exceeded', status: 400 })
    expect(error?.details).deep.include({
      param: 'prompt',
      extra: {
        model: 'small',
        context_length_limit: 100,
        suggested_models: [
          { id: 'large', context_length: 1000 },
          { id: 'largest', context_length: 5000 },
        ],
      },
    })
  })

  it('refuses max_tokens above the window', async () => {
    const error = await errorOf(chatRequest({ maxTokens: 101 }))
    expect(error?.code).equal('context_length_exceeded')
    expect(error?.details.param).equal('max_tokens')
    expect(await errorOf(chatRequest({ maxTokens: 100 }))).equal(undefined)
  })

  it('refuses text with more words than the window has tokens', async () => {
    const error = await errorOf(chatRequest({ messages: [{ role: 'user', content: 'word '.repeat(1000) }] }))
    expect(error).include({
      code: 'context_length_exceeded',
      message:
        "prompt is too long: a prompt of at least 101 tokens does not fit the context window of 100 tokens of model 'small'.",
    })
    expect(error?.details.param).equal('messages')
    expect((await errorOf(textRequest({ prompt: 'word '.repeat(1000) })))?.details.param).equal('prompt')
  })

  it('admits a request that only a tokenizer could refuse', async () => {
    expect(await errorOf(textRequest({ prompt: ' '.repeat(100_000) }))).equal(undefined)
    expect(await errorOf(chatRequest({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }))).equal(undefined)
  })

  it('clamps max_tokens if the route does', async () => {
    const request = chatRequest({ maxTokens: 32_000, clampMaxTokens: true })
    expect(await errorOf(request)).equal(undefined)
    expect(request.maxTokens).equal(100)
    const tokens = textRequest({ maxTokens: 32_000, clampMaxTokens: true, prompt: [1, 2, 3] })
    expect(await errorOf(tokens)).equal(undefined)
    expect(tokens.maxTokens).equal(97)
  })

  it('keeps max_tokens if it fits or was not sent, or if the window is unknown', async () => {
    for (const [maxTokens, window] of [
      [50, 100],
      [undefined, 100],
      [50, undefined],
    ] as const) {
      const request = chatRequest({ maxTokens, clampMaxTokens: true })
      expect(await errorOf(request, sized('m', window))).equal(undefined)
      expect(request.maxTokens).equal(maxTokens)
    }
  })
})
