import { expect } from 'chai'
import { ModelLease } from '../../../lib/upstream/model-lease.ts'

describe('ModelLease', () => {
  it('counts a request until it is released, once', () => {
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
