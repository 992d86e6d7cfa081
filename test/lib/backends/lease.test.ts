import { expect } from 'chai'
import {
  addCounts,
  firstTokenQuantile,
  Lease,
  type LeaseOutcome,
  ModelLease,
  Recent,
} from '../../../lib/backends/lease.ts'

function setUp() {
  const ends: [LeaseOutcome, boolean][] = []
  const backend = {
    recent: new Recent(),
    time: 0,
    now: () => backend.time,
    released: (outcome: LeaseOutcome, isTrial: boolean) => void ends.push([outcome, isTrial]),
  }
  return { backend, ends }
}

describe('backends/lease', () => {
  it('is released once, however often', () => {
    const { backend, ends } = setUp()
    const lease = new Lease(backend, true)
    lease.release('ok')
    lease.release('neutral')
    expect(ends).deep.equal([['ok', true]])
  })

  it('measures the first token of a stream once, and that of no whole reply', () => {
    const { backend } = setUp()
    const [stream, whole] = [new Lease(backend, false), new Lease(backend, false)]
    backend.time = 100
    stream.answering(true)
    backend.time = 9000
    stream.answering(true)
    whole.answering(false)
    const counts = backend.recent.counts(9000)
    expect(counts.firstTokens.reduce((sum, count) => sum + count)).equal(1)
    expect(firstTokenQuantile(counts, 1)).within(100, 133)
  })

  it('of a model counts a request until it is released, once', () => {
    const counted = { inFlight: 1 }
    let told = 0
    const lease = new ModelLease(counted, () => {
      told++
    })
    expect(counted.inFlight).equal(2)
    lease.release()
    lease.release()
    expect([counted.inFlight, told]).deep.equal([1, 1])
  })
})

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

  it('finds the time within which a share of streams began, also of several processes', () => {
    const [one, other] = [new Recent(), new Recent()]
    expect(firstTokenQuantile(one.counts(0), 0.95)).equal(null)
    for (let i = 0; i < 90; i++) one.firstToken(0, 100)
    for (let i = 0; i < 10; i++) other.firstToken(0, 2000)
    const both = addCounts([one.counts(0), other.counts(0)])
    expect(firstTokenQuantile(both, 0.5)).within(100, 133)
    expect(firstTokenQuantile(both, 0.95)).within(2000, 2660)
    other.firstToken(0, 10_000_000)
    expect(firstTokenQuantile(addCounts([other.counts(0)]), 1)).within(400_000, 600_000)
  })
})
