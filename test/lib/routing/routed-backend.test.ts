import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { loadedRequest } from '../../../lib/routing/backend-load.ts'
import { ModelBeliefs } from '../../../lib/routing/model-beliefs.ts'
import { RoutedBackend } from '../../../lib/routing/routed-backend.ts'
import { backendConfig, UNSET_ROUTING } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function routed(cache_tokens?: number): RoutedBackend {
  const routing = { ...UNSET_ROUTING, cache_tokens }
  return new RoutedBackend(new Backend('m', backendConfig({ routing }), new ManualClock()), new ModelBeliefs())
}

describe('RoutedBackend', () => {
  it('has an index with the size of the cache', () => {
    const backend = routed()
    backend.fit(0.25, 0)
    expect(backend.index.capacity).equal(1563)
    backend.cache.setReported(102_400)
    backend.fit(0.25, 0)
    expect(backend.index.capacity).equal(400)
    backend.fit(0.5, 0)
    expect(backend.index.capacity).equal(200)
  })

  it('leaves the room that answers take, except a tenth of the cache', () => {
    const backend = routed(102_400)
    backend.beliefs.answered({ tokens: 101, ms: 1000, prefillShare: 0, kvTokens: 0 })
    const request = loadedRequest({ promptTokens: 1000, newTokens: 0, prefillMs: 0 })
    backend.load.sent(request, 0)
    backend.load.begun(request, 0)
    // 10 ms per token.
    const capacityAt = (now: number) => {
      backend.fit(0.25, now)
      return backend.index.capacity
    }
    expect(capacityAt(0)).equal(400)
    expect(capacityAt(10_000)).equal(400)
    expect(capacityAt(256_000)).equal(300)
    expect(capacityAt(10_000_000)).equal(40)
    backend.load.ended(request, 10_000_000)
    expect(capacityAt(10_000_000)).equal(400)
  })

  it('prefers the configured size', () => {
    const backend = routed(25_600)
    backend.cache.setReported(102_400)
    backend.fit(0.25, 0)
    expect(backend.index.capacity).equal(100)
  })

  it('has a limit', () => {
    const backend = routed(1e12)
    backend.fit(0.25, 0)
    expect(backend.index.capacity).equal(1_000_000)
  })

  it('knows how much of the cache prompts use', () => {
    const backend = routed(1024)
    backend.fit(0.25, 0)
    expect(backend.fill(0.25)).equal(0)
    backend.index.insert(Int32Array.of(1, 2), 0)
    expect(backend.fill(0.25)).equal(0.25)
    expect(backend.fill(10)).equal(1)
  })

  it('adds up predictions', () => {
    const { predictions } = routed()
    predictions.add(10, 12)
    predictions.add(5, 4)
    expect({ ...predictions }).deep.equal({ count: 2, predictedMs: 15, measuredMs: 16 })
  })

  it('forgets its chunks, its speed, and the size of its cache', () => {
    const backend = routed()
    backend.fit(0.25, 0)
    backend.index.insert(Int32Array.of(1, 2, 3, 4), 0)
    backend.cache.setReported(102_400)
    backend.beliefs.answered({ tokens: 101, ms: 1000, prefillShare: 0, kvTokens: 0 })
    backend.forget()
    backend.fit(0.25, 0)
    expect([backend.index.size, backend.index.capacity, backend.beliefs.paceMs]).deep.equal([0, 1563, 0])
    expect(backend.hasServed).equal(false)
  })
})
