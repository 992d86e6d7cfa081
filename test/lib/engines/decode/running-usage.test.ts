import { expect } from 'chai'
import { RunningUsage } from '../../../../lib/engines/decode/running-usage.ts'

const usage = (promptTokens: number, completionTokens: number, cachedTokens: number | null = null) => ({
  promptTokens,
  completionTokens,
  cachedTokens,
  reasoningTokens: null,
})

describe('engines/decode/running-usage', () => {
  it('adds the last value of each choice, and counts a prompt once for its choices', () => {
    const running = new RunningUsage(3)
    for (const tokens of [1, 49, 50]) for (const choice of [0, 1, 2]) running.add(choice, usage(9, tokens))
    expect(running.add(2, usage(9, 51))).deep.equal(usage(9, 151))
    expect(running.of(1)).deep.equal(usage(9, 50))
    expect(running.of(3)).equal(undefined)
  })

  it('adds the prompts of a batch', () => {
    const running = new RunningUsage(2)
    running.add(0, usage(5, 1, 4))
    running.add(1, usage(5, 2, 4))
    expect(running.add(2, usage(7, 3, 0))).deep.equal(usage(12, 6, 4))
  })

  it('has a detail once it is known for every choice', () => {
    const running = new RunningUsage(1)
    expect(running.add(0, usage(5, 1, null)).cachedTokens).equal(null)
    expect(running.add(1, usage(5, 1, 2)).cachedTokens).equal(null)
    expect(running.add(0, usage(5, 2, 3)).cachedTokens).equal(5)
  })
})
