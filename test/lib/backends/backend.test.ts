import { expect } from 'chai'
import { addressOf, Backend } from '../../../lib/backends/backend.ts'
import type { LeaseOutcome } from '../../../lib/backends/health/backend-health.ts'
import { firstTokenQuantile } from '../../../lib/backends/recent.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function setUp(config: Partial<BackendConfig> = {}) {
  const changes: string[] = []
  const clock = new ManualClock()
  let released = 0
  const backend = new Backend('m', backendConfig(config), clock, {
    onChange: ({ state }) => changes.push(state),
    onReleased: () => void released++,
  })
  return { backend, changes, clock, released: () => released }
}

describe('backends/backend', () => {
  it('counts requests in flight, and the release of each lease once', () => {
    const { backend, released } = setUp()
    const one = backend.acquire()
    backend.acquire()
    expect(backend.inFlight).equal(2)
    one.release('ok')
    one.release('answered')
    one.release('neutral')
    expect([backend.inFlight, released()]).deep.equal([1, 1])
  })

  it('passes the outcome of a lease to the health, and whether it was a trial', () => {
    const { backend } = setUp()
    const outcomes: (readonly [LeaseOutcome, boolean])[] = []
    backend.health.released = (outcome, isTrial) => void outcomes.push([outcome, isTrial])
    backend.acquire().release('neutral')
    for (let i = 0; i < 5; i++) backend.health.unreachable()
    const trial = backend.acquire()
    trial.release('ok')
    trial.release('neutral')
    expect(outcomes).deep.equal([
      ['neutral', false],
      ['ok', true],
    ])
  })

  it('measures the first token of a stream once, and none of a whole reply', () => {
    const { backend, clock } = setUp()
    const [stream, whole] = [backend.acquire(), backend.acquire()]
    clock.advance(100)
    stream.answering(true)
    clock.advance(8900)
    stream.answering(true)
    whole.answering(false)
    const counts = backend.recent.counts(backend.now())
    expect(counts.firstTokens.reduce((sum, count) => sum + count)).equal(1)
    expect(firstTokenQuantile(counts, 1)).within(100, 133)
  })

  it('is full at its max_concurrency, never without one', () => {
    const { backend } = setUp({ max_concurrency: 2 })
    backend.acquire()
    expect(backend.isFull).equal(false)
    const last = backend.acquire()
    expect(backend.isFull).equal(true)
    last.release('neutral')
    expect(backend.isFull).equal(false)
    const open = setUp().backend
    for (let i = 0; i < 1000; i++) open.acquire()
    expect(open.isFull).equal(false)
  })

  it('measures load by weight', () => {
    const { backend } = setUp({ weight: 4 })
    backend.acquire()
    backend.acquire()
    expect(backend.load).equal(0.5)
  })

  it('has an address without credentials, for metrics and logs', () => {
    expect(setUp({ url: 'http://user:pw@gpu-1:8000/v1/' }).backend.address).equal('http://gpu-1:8000/v1')
  })

  it('has an address without credentials, query and trailing slashes', () => {
    expect(addressOf('http://user:secret@a/v1/')).equal('http://a/v1')
    expect(addressOf('https://a:8443/b//?c=d')).equal('https://a:8443/b')
  })

  it('is cordoned for the reason with the highest precedence', () => {
    const cordonOf = (config: Partial<BackendConfig> = {}) => setUp(config).backend.cordon
    expect(cordonOf()).equal(null)
    expect(cordonOf({ weight: 0 })).equal('weight')
    expect(cordonOf({ weight: 0, drain: true })).equal('file')
    const { backend } = setUp({ drain: true })
    backend.cordonByOperator(true)
    expect(backend.cordon).equal('operator')
    backend.remove(true)
    expect(backend.cordon).equal('removed')
  })

  it('is draining while requests are in flight, then drained', () => {
    const { backend, changes } = setUp()
    const lease = backend.acquire()
    backend.cordonByOperator(true)
    backend.cordonByOperator(true)
    expect([backend.state, changes]).deep.equal(['draining', ['draining']])
    lease.release('ok')
    expect(backend.state).equal('drained')
    backend.cordonByOperator(false)
    expect(backend.state).equal('up')
  })
})
