import { expect } from 'chai'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { Backend, type BackendState } from '../../../lib/upstream/backend.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function setUp(config: Partial<BackendConfig> = {}) {
  const clock = new ManualClock()
  const changes: BackendState[] = []
  const backend = new Backend('m', backendConfig(config), clock, ({ state }) => changes.push(state))
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) backend.acquire().release('failed')
  }
  return { clock, changes, backend, fail }
}

describe('Backend', () => {
  it('counts what is in flight, and each lease once', () => {
    const { backend } = setUp()
    const one = backend.acquire()
    backend.acquire()
    expect(backend.inFlight).equal(2)
    one.release('ok')
    one.release('failed')
    one.release('neutral')
    expect(backend.inFlight).equal(1)
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

  it('is not readmitted by requests that began before it was ejected', () => {
    const { backend, fail } = setUp()
    const [answering, served] = [backend.acquire(), backend.acquire()]
    fail(5)
    answering.responded()
    expect(backend.state).equal('ejected')
    served.release('ok')
    expect(backend.state).equal('ejected')
  })

  it('reports when requests eject it, when it is probed, and when it is back', () => {
    const { backend, changes, clock, fail } = setUp()
    fail(4)
    expect(backend.state).equal('up')
    fail(1)
    expect(backend.state).equal('ejected')
    clock.advance(1000)
    expect(backend.state).equal('probing')
    const probe = backend.acquire()
    expect(backend.isUsable(clock.ms)).equal(false)
    probe.release('ok')
    expect(backend.state).equal('up')
    expect(changes).deep.equal(['ejected', 'up'])
  })

  it('serves others as soon as its probe is being answered', () => {
    const { backend, changes, clock, fail } = setUp()
    fail(5)
    clock.advance(1000)
    const probe = backend.acquire()
    probe.responded()
    expect(backend.isUsable(clock.ms)).equal(true)
    expect(changes).deep.equal(['ejected', 'up'])
    probe.release('failed')
    expect(backend.state).equal('ejected')
  })

  it('ignores a response after its lease was released, or of a request that was not sent', () => {
    const { backend, clock, fail } = setUp()
    backend.acquire().responded()
    fail(5)
    clock.advance(1000)
    const probe = backend.acquire()
    probe.release('failed')
    probe.responded()
    expect(backend.state).equal('ejected')
  })

  it('makes the next request the probe when the client of a probe disconnects', () => {
    const { backend, clock, fail } = setUp()
    fail(5)
    clock.advance(1000)
    backend.acquire().release('neutral')
    expect(backend.state).equal('probing')
  })

  it('is unusable while its health check fails', () => {
    const { backend, changes, clock } = setUp()
    backend.checked(false)
    backend.checked(false)
    expect(backend.isUsable(clock.ms)).equal(false)
    expect(backend.state).equal('unhealthy')
    backend.checked(true)
    expect(backend.isUsable(clock.ms)).equal(true)
    expect(changes).deep.equal(['unhealthy', 'up'])
  })

  it('is probed at once when a failing check succeeds, but not merely because checks succeed', () => {
    const { backend, fail } = setUp()
    fail(5)
    backend.checked(true)
    expect(backend.state).equal('ejected')
    backend.checked(false)
    backend.checked(true)
    expect(backend.state).equal('probing')
  })

  it('shows its address without credentials', () => {
    expect(setUp({ url: 'http://user:pw@gpu-1:8000/v1/' }).backend.address).equal('http://gpu-1:8000/v1')
  })
})
