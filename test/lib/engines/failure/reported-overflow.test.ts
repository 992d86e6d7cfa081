import { expect } from 'chai'
import type { Overflow } from '../../../../lib/engines/context-window.ts'
import { bodyError } from '../../../../lib/engines/decode/error.ts'
import { fittingMaxTokensOf, overflowOf } from '../../../../lib/engines/failure/reported-overflow.ts'
import { model } from '../../../support/canonical.ts'

const SMALL = model({}, { id: 'small', max_model_len: 100 })
const OPEN = model({}, { id: 'open' })

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
    [
      'input (95 tokens) is too large to process. increase the physical batch size (current batch size: 80)',
      { limit: 80, promptTokens: 95 },
      undefined,
    ],
    [
      'input (95 tokens) is larger than the max context size (80 tokens). skipping',
      { limit: 80, promptTokens: 95 },
      undefined,
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

  it('are members of the error of llama.cpp', () => {
    const error = bodyError(JSON.stringify({ error: { message: 'too long', n_prompt_tokens: 41, n_ctx: 40 } }))!
    expect(overflowOf(error, SMALL)).deep.equal({ limit: 40, promptTokens: 41 })
    expect(overflowOf(error, OPEN)).include({ limit: 40 })
  })

  it('never make the window larger than that of the model card', () => {
    const error = bodyError('{"error":{"message":"maximum context length is 500 tokens"}}')!
    expect(overflowOf(error, SMALL).limit).equal(100)
  })
})
