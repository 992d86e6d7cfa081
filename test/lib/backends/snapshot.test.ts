import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { snapshotOf } from '../../../lib/backends/snapshot.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

describe('backends/snapshot', () => {
  it('has the requests in flight and the assumptions of routing', () => {
    const backend = new Backend('m', backendConfig({ url: 'http://a/v1', max_concurrency: 4 }), new ManualClock())
    backend.acquire()
    const learnt = { prefillTokensPerSecond: 30_000, decodeStepMs: 6, cacheTokens: 100, cacheSource: 'set' } as const
    const { recent, ...others } = snapshotOf(backend, () => learnt)
    expect(others).deep.equal({
      address: 'http://a/v1',
      zdr: false,
      state: 'up',
      cordon: null,
      inFlight: 1,
      limit: 4,
      learnt,
    })
    expect(recent.requests).equal(1)
  })
})
