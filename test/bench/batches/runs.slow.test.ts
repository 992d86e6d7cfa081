import { expect } from 'chai'
import { Interactive, linesAlone } from '../../../bench/batches/runs.ts'
import { SCENARIOS } from '../../../bench/routing/scenarios.ts'

const LIMITS = { growth: 0.05, max_added_ttft_ms: 50, max_share: 1, max_cache_share: 0.2, slots: 32 }
const line = { promptTokens: 1500, equalTokens: 1000, answerTokens: 300 }

describe('lines of batches in virtual time', () => {
  const scenario = SCENARIOS.find(({ name }) => name === 'none')!

  it('take an offline model as lines alone do', () => {
    const alone = linesAlone(scenario, line, LIMITS.slots, null)
    expect(linesAlone(scenario, line, LIMITS.slots, LIMITS) / alone).above(0.9)
  })

  it('use capacity that interactive requests leave, and delay those by little', () => {
    const interactive = new Interactive(scenario, line, { load: 60, requests: 600, seed: 7 })
    const without = interactive.run()
    const withLines = interactive.run(LIMITS)
    expect(without.lines).equal(0)
    expect(without.used).within(0.4, 0.8)
    expect(withLines.lines).above(10)
    expect(withLines.result.ttft.p95 / without.result.ttft.p95).below(1.15)
    // The other end of the dial, with prompts that share beginnings.
    const documents = SCENARIOS.find(({ name }) => name === 'rag')!
    const other = new Interactive(documents, line, { load: 60, requests: 600, seed: 7 })
    const more = other.run({ ...LIMITS, growth: 0.2, max_cache_share: 0.5 })
    expect(more.lines).above(2 * other.run(LIMITS).lines)
  })

  it('are not sent next to interactive requests with a growth of 0', () => {
    const interactive = new Interactive(scenario, line, { load: 60, requests: 300, seed: 7 })
    expect(interactive.run({ ...LIMITS, growth: 0 }).lines).equal(0)
  })
})
