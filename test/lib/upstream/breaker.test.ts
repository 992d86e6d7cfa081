import { expect } from 'chai'
import { CircuitBreaker } from '../../../lib/upstream/breaker.ts'

const T0 = 1000

function opened(now = T0): CircuitBreaker {
  const breaker = new CircuitBreaker()
  for (let i = 0; i < 5; i++) breaker.failed(false, now)
  return breaker
}

describe('CircuitBreaker', () => {
  it('opens after five failures in a row', () => {
    const breaker = new CircuitBreaker()
    for (let i = 0; i < 4; i++) breaker.failed(false, T0)
    expect(breaker.isOpen).equal(false)
    breaker.failed(false, T0)
    expect(breaker.isOpen).equal(true)
    expect(breaker.allows(T0)).equal(false)
  })

  it('starts counting again after a success', () => {
    const breaker = new CircuitBreaker()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) breaker.failed(false, T0)
      breaker.succeeded(false)
    }
    expect(breaker.isOpen).equal(false)
  })

  it('lets one request through after a second, and no other while that one runs', () => {
    const breaker = opened()
    expect(breaker.allows(T0 + 999)).equal(false)
    expect(breaker.allows(T0 + 1000)).equal(true)
    expect(breaker.start(T0 + 1000)).equal(true)
    expect(breaker.allows(T0 + 1000)).equal(false)
    expect(breaker.allows(T0 + 30_000)).equal(false)
  })

  it('closes when the probe succeeds', () => {
    const breaker = opened()
    breaker.start(T0 + 1000)
    breaker.succeeded(true)
    expect(breaker.isOpen).equal(false)
    for (let i = 0; i < 4; i++) breaker.failed(false, T0)
    expect(breaker.isOpen).equal(false)
  })

  it('opens again when the first request fails after a health check had opened it', () => {
    const breaker = new CircuitBreaker()
    breaker.open(T0)
    expect(breaker.start(T0 + 1000)).equal(true)
    breaker.failed(true, T0 + 1000)
    expect(breaker.allows(T0 + 2999)).equal(false)
    expect(breaker.allows(T0 + 3000)).equal(true)
  })

  it('waits twice as long after each failed probe, a minute at most, and a second again after a success', () => {
    const breaker = opened()
    let now = T0
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
      expect(breaker.allows(now + wait - 1), `before ${wait}`).equal(false)
      now += wait
      expect(breaker.allows(now), `after ${wait}`).equal(true)
      breaker.start(now)
      breaker.failed(true, now)
    }
    breaker.start(now + 60_000)
    breaker.succeeded(true)
    for (let i = 0; i < 5; i++) breaker.failed(false, now)
    expect(breaker.allows(now + 1000)).equal(true)
  })

  it('is not blocked by a probe that never reports', () => {
    const breaker = opened()
    breaker.start(T0 + 1000)
    expect(breaker.allows(T0 + 61_000)).equal(true)
  })

  it('lets the next request probe when a probe was inconclusive', () => {
    const breaker = opened()
    breaker.start(T0 + 1000)
    breaker.halfOpen(T0 + 1001)
    expect(breaker.allows(T0 + 1001)).equal(true)
  })

  it('ignores requests that began before it opened', () => {
    const breaker = opened()
    breaker.succeeded(false)
    expect(breaker.isOpen).equal(true)
    breaker.failed(false, T0 + 900)
    expect(breaker.allows(T0 + 1000)).equal(true)
  })

  it('serves others while a probe is being answered, and opens again by one failure', () => {
    const breaker = opened()
    breaker.start(T0 + 1000)
    breaker.probeResponded()
    expect(breaker.allows(T0 + 1000)).equal(true)
    breaker.failed(false, T0 + 1000)
    expect(breaker.allows(T0 + 2999)).equal(false)
    expect(breaker.allows(T0 + 3000)).equal(true)
  })

  it('does not take an answer for a failure when it is closed', () => {
    const breaker = new CircuitBreaker()
    breaker.probeResponded()
    breaker.failed(false, T0)
    expect(breaker.isOpen).equal(false)
  })
})
