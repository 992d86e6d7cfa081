import { expect } from 'chai'
import { bodyError } from '../../../../lib/engines/decode/error.ts'
import {
  certainOverflow,
  clampedMaxTokens,
  contextExceeded,
  fittingMaxTokensOf,
  type Overflow,
  overflowOf,
} from '../../../../lib/engines/failure/context.ts'
import { chatRequest, model, textRequest } from '../../../support/canonical.ts'

const SMALL = model({}, { id: 'small', max_model_len: 100 })
const OPEN = model({}, { id: 'open' })

describe('overflow that is certain', () => {
  it('is max_tokens beyond the window', () => {
    const expected = { limit: 100, maxTokens: 101, param: 'max_tokens' }
    expect(certainOverflow(chatRequest({ maxTokens: 101 }), SMALL)).deep.equal(expected)
    expect(certainOverflow(textRequest({ maxTokens: 101 }), SMALL)).deep.equal(expected)
    expect(certainOverflow(chatRequest({ maxTokens: 100 }), SMALL)).equal(undefined)
  })

  it('is none where max_tokens is clamped anyway', () => {
    expect(certainOverflow(chatRequest({ maxTokens: 101, clampMaxTokens: true }), SMALL)).equal(undefined)
  })

  it('is a prompt of token ids that is longer', () => {
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

  it('is text with more words than the window has tokens, beside which max_tokens is not counted', () => {
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

  it('is no text that may be a few long tokens', () => {
    const content = ' '.repeat(1_000_000)
    expect(certainOverflow(chatRequest({ messages: [{ role: 'user', content }] }), SMALL)).equal(undefined)
    expect(certainOverflow(textRequest({ prompt: content }), SMALL)).equal(undefined)
    expect(certainOverflow(textRequest({ prompt: [content] }), SMALL)).equal(undefined)
  })

  it('is never seen without a window', () => {
    expect(certainOverflow(chatRequest({ maxTokens: 1e9 }), OPEN)).equal(undefined)
  })
})

describe('clamping max_tokens', () => {
  it('lowers it to what the prompt leaves', () => {
    expect(clampedMaxTokens(50, 100, 60)).equal(40)
    expect(clampedMaxTokens(50, 100, 99)).equal(1)
    expect(clampedMaxTokens(40, 100, 60)).equal(40)
  })

  it('does not hide a prompt that fills the window', () => {
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

  it('suggests no model that is too small too', () => {
    const { extra } = contextExceeded({ limit: 100, promptTokens: 500 }, SMALL, others).details
    expect(extra?.suggested_models).deep.equal([{ id: 'huge', context_length: 1000 }])
  })

  it('starts with the words that Claude Code looks for, and gives the numbers', () => {
    const message = (overflow: Parameters<typeof contextExceeded>[0]) => contextExceeded(overflow, SMALL, []).message
    expect(message({ limit: 100, promptTokens: 101, atLeast: true })).equal(
      "prompt is too long: a prompt of at least 101 tokens does not fit the context window of 100 tokens of model 'small'.",
    )
    expect(message({ limit: 100, promptTokens: 60, maxTokens: 41 })).equal(
      "prompt is too long: a prompt of 60 tokens and max_tokens of 41 does not fit the context window of 100 tokens of model 'small'.",
    )
    expect(message({ limit: 100, promptTokens: 41, atLeast: true })).include('a prompt of at least 41 tokens does')
    expect(message({ limit: undefined })).equal(
      "prompt is too long: the request does not fit the context window of model 'small'.",
    )
  })

  it('says nothing about a window it does not know', () => {
    const { extra } = contextExceeded({ limit: undefined }, SMALL, others).details
    expect(extra).deep.equal({ model: 'small', suggested_models: [] })
  })
})

describe("the numbers in a backend's refusal", () => {
  const cases: readonly [message: string, overflow: Overflow, room: number | 'rest' | undefined][] = [
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 90. This model's maximum context length is 80 tokens and your request has 30 input tokens (90 > 80 - 30).",
      { limit: 80, promptTokens: 30, maxTokens: 90, param: 'max_tokens' },
      50,
    ],
    [
      "This model's maximum context length is 80 tokens. However, you requested 70 output tokens and your prompt contains at least 11 input tokens, for a total of at least 81 tokens.",
      { limit: 80, promptTokens: 11, atLeast: true, maxTokens: 70 },
      'rest',
    ],
    [
      "This model's maximum context length is 80 tokens. However, you requested 70 output tokens and your prompt contains 200 characters (more than 100 characters, which is the upper bound for 10 input tokens).",
      { limit: 80, promptTokens: 11, atLeast: true, maxTokens: 70 },
      'rest',
    ],
    [
      "This model's maximum context length is 80 tokens. However, you requested 70 output tokens and your prompt contains 60 input tokens, for a total of 130 tokens.",
      { limit: 80, promptTokens: 60, maxTokens: 70, param: 'max_tokens' },
      20,
    ],
    [
      "You passed 11 input tokens and requested 70 output tokens. However, the model's context length is only 80 tokens, resulting in a maximum input length of 10 tokens.",
      { limit: 80, promptTokens: 11, atLeast: true, maxTokens: 70 },
      'rest',
    ],
    [
      "This model's maximum context length is 80 tokens. However, you requested 0 output tokens and your prompt contains at least 81 input tokens, for a total of at least 81 tokens.",
      { limit: 80, promptTokens: 81, atLeast: true },
      undefined,
    ],
    [
      'max_completion_tokens=90 cannot be greater than max_model_len=max_total_tokens=80. Please request fewer output tokens.',
      { limit: 80, promptTokens: undefined, maxTokens: 90, param: 'max_tokens' },
      'rest',
    ],
    ["Input length (95) exceeds model's maximum context length (80).", { limit: 80, promptTokens: 95 }, undefined],
    [
      "The input (95 tokens) is longer than the model's context length (80 tokens).",
      { limit: 80, promptTokens: 95 },
      undefined,
    ],
    [
      "Requested token count exceeds the model's maximum context length of 80 tokens. You requested a total of 90 tokens: 60 tokens from the input messages and 30 tokens for the completion.",
      { limit: 80, promptTokens: 60, maxTokens: 30, param: 'max_tokens' },
      20,
    ],
    [
      'request (95 tokens) exceeds the available context size (80 tokens), try increasing it',
      { limit: 80, promptTokens: 95 },
      undefined,
    ],
    [
      "This model's maximum context length is 80 tokens. However, you requested 90 tokens (60 in the messages, 30 in the completion).",
      { limit: 80, promptTokens: 60, maxTokens: 30, param: 'max_tokens' },
      20,
    ],
    [
      'The decoder prompt (length 95) is longer than the maximum model length of 80. Make sure that `max_model_len` is no smaller than the number of text tokens.',
      { limit: 80, promptTokens: 95 },
      undefined,
    ],
    [
      'The decoder prompt (length 80) plus the number of requested output tokens (at least 1) is longer than the maximum model length of 80. Make sure that `max_model_len` is no smaller than the number of text tokens (prompt + requested output tokens).',
      { limit: 80, promptTokens: 80 },
      undefined,
    ],
    [
      'Input length (95 tokens) exceeds the maximum allowed length (74 tokens). Use a shorter input or enable --allow-auto-truncate.',
      { limit: 74, promptTokens: 95 },
      undefined,
    ],
    [
      'Multimodal prompt is too long after expanding multimodal tokens. After expanding len(req.origin_input_ids_unpadded)=30 => 95 >= 74.',
      { limit: 74, promptTokens: 95 },
      undefined,
    ],
    [
      'max_completion_tokens is too large: 90.This model supports at most 80 completion tokens.',
      { limit: 80, promptTokens: undefined, maxTokens: 90, param: 'max_tokens' },
      'rest',
    ],
    ['The prompt is longer than the model allows.', { limit: 100, promptTokens: undefined }, undefined],
  ]
  for (const [message, overflow, room] of cases) {
    it(message.slice(0, 150), () => {
      const error = bodyError(JSON.stringify({ error: { message } }))!
      expect(overflowOf(error, SMALL)).deep.equal(overflow)
      expect(fittingMaxTokensOf(overflow)).equal(room)
    })
  }

  it('stand beside the message of llama.cpp', () => {
    const error = bodyError(JSON.stringify({ error: { message: 'too long', n_prompt_tokens: 41, n_ctx: 40 } }))!
    expect(overflowOf(error, SMALL)).deep.equal({ limit: 40, promptTokens: 41 })
    expect(overflowOf(error, OPEN)).include({ limit: 40 })
  })

  it('never make the window larger than the card', () => {
    const error = bodyError('{"error":{"message":"maximum context length is 500 tokens"}}')!
    expect(overflowOf(error, SMALL).limit).equal(100)
  })
})
