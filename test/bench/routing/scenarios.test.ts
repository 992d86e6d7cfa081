import { expect } from 'chai'
import { SCENARIOS, Traffic } from '../../../bench/routing/scenarios.ts'

describe('scenarios', () => {
  it('run with all policies at any rate', () => {
    const scenario = SCENARIOS.find(({ name }) => name === 'rig-chat')!
    const traffic = new Traffic(scenario, 150, 2)
    for (const policy of ['oracle', 'cost', 'least_load', 'session', 'llm-d', 'dynamo'] as const) {
      const result = traffic.run({ policy, rate: 8 })
      expect(result.requests, policy).within(120, 150)
      expect(result.rate, policy).within(6, 10)
      expect(result.hitRate, policy).within(0.2, 0.95)
      expect(result.good, policy).above(0.5)
    }
  })

  it('are disturbed alike for all policies', () => {
    const scenario = SCENARIOS.find(({ name }) => name === 'rig-rag')!
    const traffic = new Traffic(scenario, 150, 2)
    const disturbance = { cancelledShare: 0.3, cancelMs: 10 }
    const requests = (['oracle', 'session'] as const).map(
      policy => traffic.run({ policy, rate: 5, disturbance }).requests,
    )
    expect(requests[0]).equal(requests[1])
    expect(requests[0]).within(75, 125)
  })

  it('forget caches', () => {
    const scenario = SCENARIOS.find(({ name }) => name === 'rig-rag')!
    const traffic = new Traffic(scenario, 150, 2)
    const run = { policy: 'oracle', rate: 8 } as const
    const from = traffic.countedFrom(8)
    const lost = traffic.run({ ...run, disturbance: { cachesLostAt: from + 2000 } })
    expect(lost.hitRate).below(traffic.run(run).hitRate - 0.1)
  })
})
