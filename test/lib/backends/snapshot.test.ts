import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { snapshotOf } from '../../../lib/backends/snapshot.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'
import { LEARNT } from '../../support/learnt.ts'

describe('backends/snapshot', () => {
  it('has the requests in flight and the assumptions of routing', () => {
    const backend = new Backend('m', backendConfig({ url: 'http://a/v1', max_concurrency: 4 }), new ManualClock())
    backend.acquire()
    const { recent, ...others } = snapshotOf(backend, () => LEARNT)
    expect(others).deep.equal({
      address: 'http://a/v1',
      zdr: false,
      state: 'up',
      cordon: null,
      inFlight: 1,
      limit: 4,
      learnt: LEARNT,
    })
    expect(recent.requests).equal(1)
  })
})
