import { expect } from 'chai'
import { goalOf, missed, PROCESSES } from '../../../bench/routing/goals.ts'
import type { Result } from '../../../bench/routing/result.ts'

function result(hitRate: number, mean: number, p95: number): Result {
  const rest = { imbalance: 1, good: 1, tpotP99: 5, computed: 1000, predicted: undefined, moved: 0, rate: 10 }
  return { requests: 1000, hitRate, ttft: { mean, p50: mean, p95, p99: p95 }, ...rest }
}

describe('goals of the routing benchmark', () => {
  it('limit the ratio to the oracle in virtual time', () => {
    const oracle = result(0.8, 100, 200)
    const virtual = goalOf(oracle, true)
    expect(missed(result(0.76, 125, 260), oracle, virtual)).equal('')
    expect(missed(result(0.75, 126, 261), oracle, virtual)).equal('hits, mean, p95')
    // Without reuse, only times count.
    const none = result(0, 100, 200)
    expect(missed(result(0, 121, 200), none, goalOf(none, true))).equal('mean')
  })

  it('allow some milliseconds over HTTP', () => {
    const oracle = result(0.8, 100, 200)
    expect(missed(result(0.8, 140, 280), oracle, goalOf(oracle, false))).equal('')
    expect(missed(result(0.8, 141, 281), oracle, goalOf(oracle, false))).equal('mean, p95')
  })

  it('compare processes by the mean', () => {
    const one = result(0.8, 100, 200)
    expect(missed(result(0.5, 114, 900), one, PROCESSES)).equal('')
    expect(missed(result(0.8, 116, 200), one, PROCESSES)).equal('mean')
  })
})
