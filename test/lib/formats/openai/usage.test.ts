import { expect } from 'chai'
import type { Usage } from '../../../../lib/canonical/reply.ts'
import { toUsageBody, toUsageText } from '../../../../lib/formats/openai/usage.ts'

const known = { promptTokens: 10, completionTokens: 5, cachedTokens: 4, reasoningTokens: 0 }
const unknown = { promptTokens: 10, completionTokens: 5, cachedTokens: null, reasoningTokens: null }

describe('usage of chat completions and text completions', () => {
  it('has details only where the engine gave them: unknown is not zero', () => {
    const totals = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    expect(toUsageBody(unknown)).eql(totals)
    expect(toUsageBody(known)).eql({
      ...totals,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })

  it('is the same as text', () => {
    const cases: Usage[] = [known, unknown, { ...known, cachedTokens: null }, { ...known, reasoningTokens: null }]
    for (const usage of cases) expect(toUsageText(usage)).equal(JSON.stringify(toUsageBody(usage)))
  })
})
