import { expect } from 'chai'
import { backendConfig, UNSET_ROUTING } from '../../support/backend-config.ts'
import { promptNamed, routedModel } from '../../support/routed-model.ts'

describe('ModelRouting', () => {
  it('sends a prompt to the backend with its prefix', () => {
    const { send, seen } = routedModel()
    const first = send(promptNamed('a'))
    first.answer(10)
    for (let i = 0; i < 5; i++) {
      const next = send(promptNamed('a', { bytes: 24_000 }))
      expect(next.name).equal(first.name)
      next.answer(2)
    }
    expect(seen.reasons).deep.equal(['new', 'prefix', 'prefix', 'prefix', 'prefix', 'prefix'])
    expect(seen.placed).equal(6)
  })

  it('says why a backend was chosen, and what it expects there', () => {
    const { send, routing, pool, model } = routedModel()
    send(promptNamed('a')).answer(10)
    const routed = routing.route(promptNamed('a'))
    expect(routed.choice).equal(null)
    routed.place(pool.pick(model, false, new Set(), routed.choose))
    expect(routed.choice).include({ reason: 'prefix' })
    expect(routed.choice!.predictedMs).above(0)
    expect(routed.choice!.cachedTokens).within(4000, 5000)
    const one = routedModel([{}])
    expect(one.send(promptNamed('a')).choice).deep.equal({ reason: 'single', predictedMs: null, cachedTokens: 0 })
    const other = routing.route(promptNamed('b'), false)
    other.place(pool.pick(model, false, new Set(), candidates => candidates[0]!))
    expect(other.choice).deep.equal({ reason: 'least_load', predictedMs: null, cachedTokens: null })
  })

  it('finds the prefix of a request that is still being computed', () => {
    const { send, clock } = routedModel()
    const first = send(promptNamed('a'))
    clock.advance(100)
    expect(send(promptNamed('a', { bytes: 21_000 })).name).equal(first.name)
  })

  it('spreads unrelated prompts by their work', () => {
    const { send } = routedModel()
    const large = send(promptNamed('large', { bytes: 200_000 }))
    const others = ['b', 'c', 'd', 'e'].map(name => send(promptNamed(name, { bytes: 20_000 })).name)
    expect(others).not.include(large.name)
    expect(new Set(others).size).equal(2)
  })

  it('sends a hot prefix to another backend that would answer sooner', () => {
    const { send, seen } = routedModel()
    send(promptNamed('hot')).answer(10)
    const names = Array.from(
      { length: 40 },
      (_, i) => send(promptNamed('hot', { bytes: 20_000, tail: `own${i}` })).name,
    )
    expect(new Set(names).size).above(1)
    expect(seen.reasons).include('load')
  })

  describe('affinity never beats', () => {
    const warm = (set: ReturnType<typeof routedModel>) => {
      const first = set.send(promptNamed('a'))
      first.answer(10)
      expect(set.send(promptNamed('a')).name).equal(first.name)
      return first.backend
    }

    it('max_concurrency', () => {
      const set = routedModel([{ max_concurrency: 2 }, { max_concurrency: 2 }])
      const backend = warm(set)
      set.send(promptNamed('a'))
      expect(set.send(promptNamed('a')).backend).not.equal(backend)
    })

    it('health', () => {
      const set = routedModel()
      const backend = warm(set)
      backend.health.checked(false)
      expect(set.send(promptNamed('a')).backend).not.equal(backend)
    })

    it('weight 0', () => {
      const set = routedModel()
      const backend = warm(set)
      backend.reconfigure({ ...backend.config, weight: 0 })
      expect(set.send(promptNamed('a')).backend).not.equal(backend)
    })

    it("a retry's exclusions", () => {
      const set = routedModel()
      const backend = warm(set)
      expect(set.send(promptNamed('a'), false, [backend]).backend).not.equal(backend)
    })

    it('zero data retention', () => {
      const set = routedModel([{ zdr: true }, {}, {}])
      for (let i = 0; i < 8; i++) set.send(promptNamed('busy', { bytes: 400_000 + 10_000 * i }))
      for (let i = 0; i < 3; i++) expect(set.send(promptNamed('a', { isPrivate: true }), true).name).equal('a')
    })
  })

  it('forgets the cache of a backend that has been down', () => {
    const { send, routing } = routedModel()
    const { backend, lease } = send(promptNamed('a'))
    lease.release('ok')
    routing.of(backend).forget()
    expect(routing.explain([backend], promptNamed('a')).backends[0]!.knownTokens).equal(0)
  })

  it('supports new backends, with an empty cache, and removed ones', () => {
    const { send, routing, pool, model } = routedModel([{}, {}])
    const gone = send(promptNamed('a'))
    gone.answer(10)
    const stays = model.backends.filter(config => config !== gone.backend.config)
    const next = { ...model, backends: [...stays, backendConfig({ url: 'http://new/v1' })] }
    pool.update([next])
    routing.retain(new Set(pool.backends()))
    expect(Array.from(routing.backends, ({ backend }) => backend)).not.include(gone.backend)
    const routed = routing.route(promptNamed('a'))
    expect(new URL(pool.pick(next, false, undefined, routed.choose).config.url).hostname).not.equal(gone.name)
  })

  it('uses a session as a hint only', () => {
    const { send } = routedModel()
    const short = { bytes: 900, session: 's' }
    const first = send(promptNamed('hi', short))
    first.answer(5)
    for (let i = 0; i < 5; i++) {
      const again = send(promptNamed('hi', short))
      expect(again.name).equal(first.name)
      again.answer(1)
    }
    for (let i = 0; i < 4; i++) send(promptNamed(`busy${i}`, { bytes: 100_000 }))
    const names = ['x', 'y', 'z'].map(name => send(promptNamed(name, short)).name)
    expect(new Set(names).size).above(1)
  })

  it('counts tokens by the measured ratio of the model', () => {
    const { routing, pool, tokens } = routedModel([{}, {}])
    const one = promptNamed('a')
    const promptTokens = () => routing.explain([...pool.backends()], one).backends[0]!.promptTokens
    const before = promptTokens()
    tokens.tokensPerByte = 0.5
    expect(routing.tokensPerByte).equal(0.5)
    expect(promptTokens()).closeTo(2 * before, 1)
  })

  it('explains the cost of every backend, term by term, and what it is computed from', () => {
    const { send, routing, pool } = routedModel()
    for (let i = 0; i < 4; i++) send(promptNamed(`long${i}`)).answer(100)
    for (let i = 0; i < 3; i++) send(promptNamed(`old${i}`, { bytes: 400 })).answer(40, { promptTokens: 100 })
    const first = send(promptNamed('a'))
    const { beliefs, backends } = routing.explain([...pool.backends()], promptNamed('a', { bytes: 24_000 }))
    const at = backends.find(({ backend }) => backend === first.backend.address)!
    expect(at.knownTokens).within(4800, 5000)
    expect(at.promptTokens).within(5990, 6010)
    for (const { waitMs, ownMs, crowdingMs, decodeMs, pressureMs, memoryMs, ...one } of backends) {
      expect(waitMs + ownMs + crowdingMs + decodeMs + pressureMs + memoryMs).closeTo(one.cost, 1e-6)
      // One request is queued at three backends.
      expect(crowdingMs).closeTo((0.5 / 3) * ownMs, 1e-6)
      expect(one.floorMs).equal(beliefs.floorMs)
      expect(one.predictedMs).equal(waitMs + ownMs + one.floorMs)
    }
    expect(backends.filter(({ waitMs }) => waitMs > 0).map(({ backend }) => backend)).deep.equal([
      first.backend.address,
    ])
    expect(beliefs.floorMs).within(1, 40)
    expect(beliefs.samples).include({ prefillTokensPerSecond: 4, floorMs: 3, decodeStepMs: 7 })
  })

  it('uses configured speeds, in the mean of the candidates', () => {
    const routing = { ...UNSET_ROUTING, prefill_tokens_per_second: 10_000, decode_step_ms: 8 }
    const set = routedModel([{ routing }, { routing: { ...routing, prefill_tokens_per_second: 5000 } }])
    const { beliefs } = set.routing.explain([...set.pool.backends()], promptNamed('a'))
    // Harmonic, because times are added.
    expect(beliefs.prefillTokensPerSecond).closeTo(20_000 / 3, 1e-6)
    expect(beliefs.decodeStepMs).equal(8)
  })

  it('keeps equal engines equal if their prompts are nearly all cached', () => {
    const set = routedModel()
    for (let round = 0; round < 100; round++) {
      for (const name of ['x', 'y', 'z'])
        set.send(promptNamed(name, { bytes: 40_000, tail: `${round}` })).answer(50 + (round % 7) * 10, {
          promptTokens: 10_000,
          cachedTokens: round === 0 ? 0 : 9900,
        })
    }
    const rates = set.routing.learnt().map(({ learnt }) => learnt.prefillTokensPerSecond.value)
    expect(new Set(rates).size).equal(1)
  })

  it('predicts the first token of a cached prompt by the floor', () => {
    const { send, seen } = routedModel()
    for (let i = 0; i < 20; i++) send(promptNamed('a')).answer(60, { cachedTokens: i === 0 ? 0 : 4900 })
    const [predicted, measured] = seen.firstToken.at(-1)!
    expect(measured).equal(60)
    expect(predicted).within(50, 70)
  })
})
