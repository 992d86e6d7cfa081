import { expect } from 'chai'
import { addCounts, firstTokenQuantile, Recent } from '../../../lib/backends/recent.ts'

describe('backends/recent', () => {
  it('counts the last minute', () => {
    const recent = new Recent()
    recent.request(0)
    recent.failure(9000)
    recent.request(15_000)
    expect(recent.counts(20_000)).include({ requests: 2, failures: 1 })
    expect(recent.counts(60_000)).include({ requests: 1, failures: 0 })
    expect(recent.counts(200_000)).include({ requests: 0, failures: 0 })
    recent.request(200_000)
    expect(recent.counts(200_000)).include({ requests: 1 })
  })

  it('finds the time within which a share of streams had their first token, also over several processes', () => {
    const [one, other] = [new Recent(), new Recent()]
    expect(firstTokenQuantile(one.counts(0), 0.95)).equal(null)
    for (let i = 0; i < 90; i++) one.firstToken(0, 100)
    for (let i = 0; i < 10; i++) other.firstToken(0, 2000)
    const both = addCounts([one.counts(0), other.counts(0)])
    expect(firstTokenQuantile(both, 0.5)).within(100, 133)
    expect(firstTokenQuantile(both, 0.95)).within(2000, 2660)
    other.firstToken(0, 10_000_000)
    expect(firstTokenQuantile(addCounts([other.counts(0)]), 1)).within(10_000_000, 13_300_000)
  })
})
