import { expect } from 'chai'
import { toUsageBody } from '../../../../lib/formats/responses/usage.ts'

describe('usage of Responses', () => {
  it('has totals and details', () => {
    const usage = { promptTokens: 5, completionTokens: 7, cachedTokens: 4, reasoningTokens: 6 }
    expect(toUsageBody(usage)).eql({
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 6 },
      total_tokens: 12,
    })
  })

  it('has numbers only: what the engine did not report is 0', () => {
    const usage = { promptTokens: 5, completionTokens: 7, cachedTokens: null, reasoningTokens: null }
    expect(toUsageBody(usage)).deep.include({ input_tokens_details: { cached_tokens: 0 }, total_tokens: 12 })
    expect(toUsageBody(undefined)).deep.include({ input_tokens: 0, output_tokens: 0, total_tokens: 0 })
  })
})
