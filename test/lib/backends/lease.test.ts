import { expect } from 'chai'
import { Lease, type LeaseOutcome, ModelLease } from '../../../lib/backends/lease.ts'
import { firstTokenQuantile, Recent } from '../../../lib/backends/recent.ts'

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
