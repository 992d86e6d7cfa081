import { expect } from 'chai'
import { UNSET_ROUTING } from '../../support/backend-config.ts'
import { promptNamed, routedModel } from '../../support/routed-model.ts'

describe('what routing assumes', () => {
  it('has its samples, and the time when it last changed', () => {
    const { send, routing, clock } = routedModel([{}, {}])
    const [first] = routing.learnt().length === 0 ? [send(promptNamed('a')).answer(100)] : []
    expect(first).equal(undefined)
    const { prefillTokensPerSecond, floorMs, decodeStepMs, cacheTokens } = routing.learnt()[0]!.learnt
    expect(prefillTokensPerSecond).deep.include({ samples: 1, movedAt: clock.now() - 100, source: 'replies' })
    expect(floorMs).deep.equal({
      value: 0,
      source: 'replies',
      samples: 0,
      movedAt: null,
      engine: null,
      contradicts: false,
    })
    expect(decodeStepMs).include({ value: 10, samples: 1, movedAt: clock.now() })
    expect(cacheTokens).include({ value: 400_000, samples: 0, movedAt: null, engine: null })
  })

  it('is what is configured, without samples', () => {
    const routing = { ...UNSET_ROUTING, prefill_tokens_per_second: 9000, decode_step_ms: 7, cache_tokens: 50_000 }
    const set = routedModel([{ routing }, {}])
    for (const { config } of set.pool.backends()) expect(config.routing).an('object')
    set.routing.explain([...set.pool.backends()], promptNamed('a'))
    const [configured] = set.routing.learnt()
    for (const [name, value] of [
      ['prefillTokensPerSecond', 9000],
      ['decodeStepMs', 7],
      ['cacheTokens', 50_000],
    ] as const)
      expect(configured!.learnt[name], name).include({ value, source: 'set', samples: 0, movedAt: null })
  })

  it('has the size that the engine reports, beside the configured one', () => {
    const set = routedModel([{ routing: { ...UNSET_ROUTING, cache_tokens: 50_000 } }, {}])
    for (const backend of set.pool.backends()) set.routing.of(backend).cache.setReported(200_000)
    expect(set.routing.learnt().map(({ learnt }) => learnt.cacheTokens)).deep.equal([
      { value: 50_000, source: 'set', samples: 0, movedAt: null, engine: 200_000, contradicts: true },
      { value: 200_000, source: 'engine', samples: 0, movedAt: null, engine: 200_000, contradicts: true },
    ])
  })

  it('marks a backend that differs from the others by more than two times, and not these', () => {
    const set = routedModel([{}, {}, {}])
    const [odd, ...others] = [...set.pool.backends()]
    const sizes = new Map([[odd!, 90_000], ...others.map(other => [other, 200_000] as const)])
    for (const [backend, tokens] of sizes) set.routing.of(backend).cache.setReported(tokens)
    const marked = () => set.routing.learnt().map(({ learnt }) => learnt.cacheTokens.contradicts)
    expect(marked()).deep.equal([true, false, false])
    set.routing.of(odd!).cache.setReported(100_000)
    expect(marked()).deep.equal([false, false, false])
  })
})
