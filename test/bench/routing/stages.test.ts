import { expect } from 'chai'
import type { HttpSample } from '../../../bench/routing/load.ts'
import { stagesOf, tokensPerSecond } from '../../../bench/routing/stages.ts'

/** Sent every 10 ms, and each 10 ms later than the one before on its way back. */
const samples = Array.from({ length: 100 }, (_, i): HttpSample => {
  const common = { tpot: 1, promptTokens: 100, cachedTokens: 0, answerTokens: 50 }
  return { id: `r${i}`, at: 10 * i, sentAt: 1000 + 10 * i, ttft: 30 + 10 * i, ...common }
})
const requests = samples.map(({ id, sentAt }) => ({
  id,
  submitted: sentAt + 5,
  due: sentAt + 12,
  written: sentAt + 15,
}))

describe('stages of a request over HTTP', () => {
  it('are the way there, the time of the model, the delay of the engine, and the way back', () => {
    const { there, model, late, back } = stagesOf(samples.toReversed(), requests)
    expect([there, model, late].map(({ mean, p95 }) => [mean, p95])).deep.equal([
      [5, 5],
      [7, 7],
      [3, 3],
    ])
    // The requests that count are the 26th to the 95th.
    expect(back.mean).equal(15 + 10 * ((25 + 94) / 2))
    expect(back.p95).equal(15 + 10 * 91)
  })

  it('include only requests that an engine has reported', () => {
    expect(stagesOf(samples, requests.slice(0, 30)).back.mean).equal(15 + 10 * 27)
  })

  it('have a rate of tokens over the time in which requests were sent', () => {
    expect(tokensPerSecond(samples)).equal((70 * 50 * 1000) / 690)
  })
})
