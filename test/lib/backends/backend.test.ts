import { expect } from 'chai'
import { addressOf, Backend } from '../../../lib/backends/backend.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function setUp(config: Partial<BackendConfig> = {}) {
  const changes: string[] = []
  const backend = new Backend('m', backendConfig(config), new ManualClock(), {
    onChange: ({ state }) => changes.push(state),
  })
  return { backend, changes }
}

describe('backends/backend', () => {
  it('counts what is in flight, and each lease once', () => {
    const { backend } = setUp()
    const one = backend.acquire()
    backend.acquire()
    expect(backend.inFlight).equal(2)
    one.release('ok')
    one.release('answered')
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

  it('shows its address without credentials', () => {
    expect(setUp({ url: 'http://user:pw@gpu-1:8000/v1/' }).backend.address).equal('http://gpu-1:8000/v1')
  })

  it('has an address without credentials, query and slashes at its end', () => {
    expect(addressOf('http://user:secret@a/v1/')).equal('http://a/v1')
    expect(addressOf('https://a:8443/b//?c=d')).equal('https://a:8443/b')
  })

  it('is cordoned for the reason that an operator can act on first', () => {
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

  it('is draining while requests are in flight, and drained then', () => {
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
