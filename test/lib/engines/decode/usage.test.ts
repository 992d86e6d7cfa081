import { expect } from 'chai'
import { readQueuedMs, readUsage, usageOfTimings } from '../../../../lib/engines/decode/usage.ts'

const before = { promptTokens: 9, completionTokens: 1, cachedTokens: 4, reasoningTokens: 2 }

describe('backend usage', () => {
  it('reads the totals and both details', () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 5,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }
    const expected = { promptTokens: 9, completionTokens: 5, cachedTokens: 4, reasoningTokens: 3 }
    expect(readUsage(usage, undefined, false)).deep.equal(expected)
  })

  it('reads reasoning tokens at the top level', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5, reasoning_tokens: 3 }
    expect(readUsage(usage, undefined, false)).include({ reasoningTokens: 3 })
  })

  it('distinguishes unknown from zero', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: null }
    expect(readUsage(usage, undefined, false)).include({ cachedTokens: null, reasoningTokens: null })
    expect(readUsage(usage, undefined, true)).include({ cachedTokens: 0 })
  })

  it('replaces totals and keeps details that are no longer sent', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: null }
    const expected = { promptTokens: 9, completionTokens: 5, cachedTokens: 4, reasoningTokens: 2 }
    expect(readUsage(usage, before, true)).deep.equal(expected)
  })

  it('derives completion tokens from the total', () => {
    expect(readUsage({ prompt_tokens: 9, total_tokens: 9 }, undefined, false)).include({ completionTokens: 0 })
    expect(readUsage({ prompt_tokens: 9, completion_tokens: null, total_tokens: 12 }, undefined, false)).include({
      completionTokens: 3,
    })
  })

  it('has the time that the request waited inside the engine, if reported', () => {
    expect(readQueuedMs({ queue_time_ms: 12.5, time_to_first_token_ms: 80 })).equal(12.5)
    for (const metrics of [
      undefined,
      null,
      3,
      {},
      { queue_time_ms: null },
      { queue_time_ms: -1 },
      { queue_time_ms: '9' },
    ])
      expect(readQueuedMs(metrics)).equal(undefined)
  })

  it('is read from the timings of llama-server, which count cached tokens separately', () => {
    const timings = { cache_n: 14, prompt_n: 23, prompt_ms: 31.4, predicted_n: 2, predicted_ms: 0.7 }
    const usage = usageOfTimings(timings)!
    expect(readUsage(usage, undefined, false)).include({ promptTokens: 37, completionTokens: 2, cachedTokens: 14 })
    // Before `cache_n`, the tokens of the prompt were not known.
    for (const value of [undefined, null, {}, { prompt_n: 23, predicted_n: 2 }, { ...timings, predicted_n: -1 }])
      expect(usageOfTimings(value)).equal(undefined)
  })

  it('never counts more cached tokens than prompt tokens', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 7 } }
    expect(readUsage(usage, undefined, false)).include({ cachedTokens: 3 })
  })

  it('returns a description of the problem', () => {
    const count = { prompt_tokens: 1, completion_tokens: 1 }
    expect(readUsage([], undefined, false)).equal('usage is not an object')
    for (const prompt_tokens of [-1, 1.5, '7', null, Number.MAX_VALUE, {}]) {
      const problem = readUsage({ ...count, prompt_tokens }, undefined, false)
      expect(problem).equal('usage.prompt_tokens is not a whole number')
    }
    const without = { prompt_tokens: 1 }
    for (const usage of [without, { ...count, completion_tokens: 'x' }, { ...without, total_tokens: 0 }]) {
      expect(readUsage(usage, undefined, false)).equal('usage.completion_tokens is not a whole number')
    }
  })
})
