import { expect } from 'chai'
import { resultOf, type Sample } from '../../../bench/routing/result.ts'

const sample = (members: Partial<Sample>): Sample => ({
  at: 0,
  ttft: 100,
  tpot: 10,
  promptTokens: 1000,
  cachedTokens: 500,
  ...members,
})
const counted = { from: 10, until: 1000 }

describe('results of a run', () => {
  it('tell the turns that were sent to another engine than the turn before', () => {
    const of = (session: string, engines: readonly number[]) =>
      engines.map((engine, turn) => sample({ at: 10 * turn, session, turn, engine }))
    const samples = [...of('a', [0, 1, 1]), ...of('b', [2, 2, 2]), ...of('c', [3])]
    expect(resultOf(samples, [1], 1, { counted }).moved).equal(0.25)
  })

  it('compare predicted times to the first token with measured ones, in sum', () => {
    const samples = [100, 300, 0].map(predictedMs => sample({ at: 20, ttft: 250, predictedMs }))
    expect(resultOf(samples, [1], 1, { counted }).predicted).equal(0.8)
    expect(resultOf([sample({ at: 20 })], [1], 1, { counted }).predicted).equal(undefined)
  })

  it('count the requests within the objective, and all tokens computed', () => {
    const slo = { firstMs: 100, firstMsPerToken: 0.01, tokenMs: 20 }
    const ttfts = [109, 111, 50, 50].map((ttft, i) => sample({ at: 20, ttft, tpot: i === 3 ? 21 : 5 }))
    const result = resultOf([...ttfts, sample({ at: 0, ttft: 9000 })], [30, 50], 1, { slo, counted })
    expect(result.good).equal(0.5)
    expect(result.computed).equal(80)
    expect(result.imbalance).equal(1.25)
    expect(result.tpotP99).equal(21)
    expect(result.requests).equal(4)
  })
})
