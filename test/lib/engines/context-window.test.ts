import { expect } from 'chai'
import { certainOverflow, clampedMaxTokens, contextExceeded } from '../../../lib/engines/context-window.ts'
import { chatRequest, model, textRequest } from '../../support/canonical.ts'

const SMALL = model({}, { id: 'small', max_model_len: 100 })
const OPEN = model({}, { id: 'open' })

describe('overflow that is certain', () => {
  it('is max_tokens larger than the window', () => {
    const expected = { limit: 100, maxTokens: 101, param: 'max_tokens' }
    expect(certainOverflow(chatRequest({ maxTokens: 101 }), SMALL)).deep.equal(expected)
    expect(certainOverflow(textRequest({ maxTokens: 101 }), SMALL)).deep.equal(expected)
    expect(certainOverflow(chatRequest({ maxTokens: 100 }), SMALL)).equal(undefined)
  })

  it('does not include max_tokens that the route clamps', () => {
    expect(certainOverflow(chatRequest({ maxTokens: 101, clampMaxTokens: true }), SMALL)).equal(undefined)
  })

  it('is a prompt of token ids that is longer than the window', () => {
    const ids = (length: number) => new Array<number>(length).fill(1)
    expect(certainOverflow(textRequest({ prompt: ids(101) }), SMALL)).deep.equal({
      limit: 100,
      promptTokens: 101,
      param: 'prompt',
    })
    expect(certainOverflow(textRequest({ prompt: [ids(2), ids(101)] }), SMALL)).include({ promptTokens: 101 })
    expect(certainOverflow(textRequest({ prompt: ids(100) }), SMALL)).equal(undefined)
    expect(certainOverflow(textRequest({ prompt: ids(60), maxTokens: 41 }), SMALL)).deep.equal({
      limit: 100,
      promptTokens: 60,
      maxTokens: 41,
      param: 'max_tokens',
    })
    expect(certainOverflow(textRequest({ prompt: ids(60), maxTokens: 40 }), SMALL)).equal(undefined)
  })

  it('is a text with more words than the window has tokens; max_tokens does not count', () => {
    const content = 'word '.repeat(200)
    const expected = { limit: 100, promptTokens: 101, atLeast: true }
    const messages = [{ role: 'user', content }] as const
    expect(certainOverflow(chatRequest({ messages: [...messages] }), SMALL)).deep.equal({
      ...expected,
      param: 'messages',
    })
    expect(certainOverflow(textRequest({ prompt: content }), SMALL)).deep.equal({ ...expected, param: 'prompt' })
    const most = { messages: [{ role: 'user' as const, content: 'word '.repeat(90) }], maxTokens: 100 }
    expect(certainOverflow(chatRequest(most), SMALL)).equal(undefined)
  })

  it('is not a text that may be a few long tokens', () => {
    const content = ' '.repeat(1_000_000)
    expect(certainOverflow(chatRequest({ messages: [{ role: 'user', content }] }), SMALL)).equal(undefined)
    expect(certainOverflow(textRequest({ prompt: content }), SMALL)).equal(undefined)
    expect(certainOverflow(textRequest({ prompt: [content] }), SMALL)).equal(undefined)
  })

  it('needs a known window', () => {
    expect(certainOverflow(chatRequest({ maxTokens: 1e9 }), OPEN)).equal(undefined)
  })
})

describe('clamping max_tokens', () => {
  it('limits it to what the prompt leaves', () => {
    expect(clampedMaxTokens(50, 100, 60)).equal(40)
    expect(clampedMaxTokens(50, 100, 99)).equal(1)
    expect(clampedMaxTokens(40, 100, 60)).equal(40)
  })

  it('leaves it unchanged if the prompt fills the window', () => {
    expect(clampedMaxTokens(50, 100, 100)).equal(50)
    expect(clampedMaxTokens(50, 100, 500)).equal(50)
  })
})

describe('context_length_exceeded', () => {
  const others = [
    model({}, { id: 'huge', max_model_len: 1000 }),
    SMALL,
    model({}, { id: 'large', max_model_len: 200 }),
    model({}, { id: 'same', max_model_len: 100 }),
    OPEN,
  ]

  it('has the members of docs/errors/context_length_exceeded.md, suggestions from small to large', () => {
    const error = contextExceeded({ limit: 100, promptTokens: 150, param: 'prompt' }, SMALL, others)
    expect(error).include({ code: 'context_length_exceeded', status: 400 })
    expect(error.details.param).equal('prompt')
    expect(error.details.extra).deep.equal({
      model: 'small',
      context_length_limit: 100,
      suggested_models: [
        { id: 'large', context_length: 200 },
        { id: 'huge', context_length: 1000 },
      ],
    })
  })

  it('suggests no model that is also too small', () => {
    const { extra } = contextExceeded({ limit: 100, promptTokens: 500 }, SMALL, others).details
    expect(extra?.suggested_models).deep.equal([{ id: 'huge', context_length: 1000 }])
  })

  it('starts with the words that Claude Code expects, and contains the numbers', () => {
    const message = (overflow: Parameters<typeof contextExceeded>[0]) => contextExceeded(overflow, SMALL, []).message
    expect(message({ limit: 100, promptTokens: 101, atLeast: true })).equal(
      "prompt is too long: a prompt of at least 101 tokens does not fit the context window of 100 tokens of model 'small'.",
    )
    expect(message({ limit: 100, promptTokens: 60, maxTokens: 41 })).equal(
      "prompt is too long: a prompt of 60 tokens and max_tokens of 41 does not fit the context window of 100 tokens of model 'small'.",
    )
    expect(message({ limit: 100, maxTokens: 101, param: 'max_tokens' })).equal(
      "prompt is too long: max_tokens of 101 does not fit the context window of 100 tokens of model 'small'. The operator can have max_tokens lowered to what fits: 'clamp_max_tokens'.",
    )
    expect(message({ limit: 100, promptTokens: 41, atLeast: true })).include('a prompt of at least 41 tokens does')
    expect(message({ limit: undefined })).equal(
      "prompt is too long: the request does not fit the context window of model 'small'.",
    )
  })

  it('has no limit if the window is unknown', () => {
    const { extra } = contextExceeded({ limit: undefined }, SMALL, others).details
    expect(extra).deep.equal({ model: 'small', suggested_models: [] })
  })
})
