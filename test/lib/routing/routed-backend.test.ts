import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { ModelSpeed } from '../../../lib/routing/backend-speed.ts'
import { RoutedBackend } from '../../../lib/routing/routed-backend.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function routed(cache_tokens?: number): RoutedBackend {
  const routing = { prefill_tokens_per_second: undefined, decode_step_ms: undefined, cache_tokens }
  return new RoutedBackend(new Backend('m', backendConfig({ routing }), new ManualClock()), new ModelSpeed())
}

describe('RoutedBackend', () => {
  it('has an index with the size of the cache', () => {
    const backend = routed()
    backend.fit(0.25)
    expect(backend.index.capacity).equal(1563)
    backend.cache.setReported(102_400)
    backend.fit(0.25)
    expect(backend.index.capacity).equal(400)
    backend.fit(0.5)
    expect(backend.index.capacity).equal(200)
  })

  it('prefers the configured size', () => {
    const backend = routed(25_600)
    backend.cache.setReported(102_400)
    backend.fit(0.25)
    expect(backend.index.capacity).equal(100)
    expect(backend.learnt).deep.equal({
      prefillTokensPerSecond: 30_000,
      decodeStepMs: 6,
      cacheTokens: 25_600,
      cacheSource: 'set',
    })
  })

  it('has a limit', () => {
    const backend = routed(1e12)
    backend.fit(0.25)
    expect(backend.index.capacity).equal(1_000_000)
  })

  it('forgets all chunks', () => {
    const backend = routed()
    backend.index.insert(Int32Array.of(1, 2, 3, 4), 0)
    backend.forget()
    expect(backend.index.size).equal(0)
  })
})
