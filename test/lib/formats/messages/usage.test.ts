import { expect } from 'chai'
import { toUsageBody } from '../../../../lib/formats/messages/usage.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const UNCACHED = { ...OPTIONS, messages: { ...OPTIONS.messages, input_tokens: 'uncached' as const } }
const counts = (cachedTokens: number | null) => ({
  promptTokens: 9,
  completionTokens: 2,
  cachedTokens,
  reasoningTokens: null,
})

describe('usage of Messages', () => {
  it('counts all input tokens', () => {
    expect(toUsageBody(counts(4), OPTIONS)).include({ input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 2 })
    expect(toUsageBody(undefined, OPTIONS)).include({ input_tokens: 0, cache_read_input_tokens: 0 })
  })

  it('leaves out those of the cache where the operator chose it', () => {
    expect(toUsageBody(counts(4), UNCACHED)).include({ input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 2 })
    expect(toUsageBody(counts(null), UNCACHED)).include({ input_tokens: 9, cache_read_input_tokens: 0 })
    expect(toUsageBody(counts(12), UNCACHED)).include({ input_tokens: 0, cache_read_input_tokens: 12 })
    expect(toUsageBody(undefined, UNCACHED)).include({ input_tokens: 0, cache_read_input_tokens: 0 })
  })
})
