import { expect } from 'chai'
import { type Backend, BackendPool } from '../../../lib/backends/pool.ts'
import type { Usage } from '../../../lib/canonical/reply.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { hashKey } from '../../../lib/routing/chunk-hash.ts'
import { ModelRouting } from '../../../lib/routing/model-routing.ts'
import { type Prompt, promptOf } from '../../../lib/routing/prompt.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model as modelConfig } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

function setUp(backends: readonly Partial<BackendConfig>[] = [{}, {}, {}]) {
  const clock = new ManualClock()
  const seen = { reasons: [] as string[], cached: [] as number[][], firstToken: [] as number[][], placed: 0 }
  const configs = backends.map((config, i) => backendConfig({ url: `http://${'abcd'[i]}/v1`, ...config }))
  const model = modelConfig({}, { backends: configs })
  const pool = new BackendPool([model], clock, { health: null })
  let lot = 0
  const tokens = { tokensPerByte: 0.25 }
  const routing = new ModelRouting(
    'm',
    clock,
    tokens,
    {
      decided: (_model, reason) => seen.reasons.push(reason),
      cached: (_model, predicted, reported) => seen.cached.push([Math.round(predicted), reported]),
      firstToken: (_model, predicted, measured) => seen.firstToken.push([Math.round(predicted), measured]),
      placed: () => seen.placed++,
      changed: () => {},
    },
    () => (lot++ * 0.618) % 1,
  )
  const send = (prompt: Prompt, zdr = false, tried: Backend[] = []) => {
    const routed = routing.route(prompt)
    const backend = pool.pick(model, zdr, new Set(tried), routed.choose)
    const lease = backend.acquire(routed.place(backend))
    return {
      backend,
      name: new URL(backend.config.url).hostname,
      lease,
      /** The first token comes after `ms`, and the end as long after it. */
      answer(ms: number, usage?: Partial<Usage>) {
        clock.advance(ms)
        lease.answering(true)
        clock.advance(ms)
        const tokens = Math.round(prompt.length / 4)
        lease.release('ok', {
          promptTokens: tokens,
          completionTokens: 11,
          cachedTokens: null,
          reasoningTokens: null,
          ...usage,
        })
      },
    }
  }
  return { clock, pool, model, routing, send, seen, tokens }
}

const key = hashKey(Buffer.alloc(16, 9))

function prompt(
  name: string,
  { bytes = 20_000, tail = '', isPrivate = false, session = undefined as string | undefined } = {},
): Prompt {
  const content = `${name} `.repeat(Math.ceil(bytes / (name.length + 1))).slice(0, bytes) + tail.repeat(1000)
  const request = chatRequest({ stream: true, messages: [{ role: 'user', content }] })
  return promptOf(request, { key, seed: 'm', session, systemFirst: true, isPrivate })
}

describe('ModelRouting', () => {
  it('sends a prompt where its prefix is', () => {
    const { send, seen } = setUp()
    const first = send(prompt('a'))
    first.answer(10)
    for (let i = 0; i < 5; i++) {
      const next = send(prompt('a', { bytes: 24_000 }))
      expect(next.name).equal(first.name)
      next.answer(2)
    }
    expect(seen.reasons).deep.equal(['new', 'prefix', 'prefix', 'prefix', 'prefix', 'prefix'])
    expect(seen.placed).equal(6)
  })

  it('finds the prefix of a request that is still being computed', () => {
    const { send, clock } = setUp()
    const first = send(prompt('a'))
    clock.advance(100)
    expect(send(prompt('a', { bytes: 21_000 })).name).equal(first.name)
  })

  it('spreads prompts that have nothing in common by their work', () => {
    const { send } = setUp()
    const large = send(prompt('large', { bytes: 200_000 }))
    const others = ['b', 'c', 'd', 'e'].map(name => send(prompt(name, { bytes: 20_000 })).name)
    expect(others).not.include(large.name)
    expect(new Set(others).size).equal(2)
  })

  it('never holds a hot prefix back while another backend would answer sooner', () => {
    const { send, seen } = setUp()
    send(prompt('hot')).answer(10)
    const names = Array.from({ length: 40 }, (_, i) => send(prompt('hot', { bytes: 20_000, tail: `own${i}` })).name)
    expect(new Set(names).size).equal(3)
    expect(seen.reasons).include('load')
  })

  it('counts a request until its first token, its failure or its cancellation, exactly once', () => {
    const { send, routing } = setUp([{}, {}])
    const sent = [send(prompt('a')), send(prompt('b')), send(prompt('c'))]
    const [answered, failed, cancelled] = sent
    answered!.lease.answering(true)
    answered!.lease.answering(true)
    failed!.lease.release('answered')
    failed!.lease.release('answered')
    cancelled!.lease.release('neutral')
    cancelled!.lease.answering(true)
    const loads = () => Array.from(routing.backends, ({ load }) => [load.queuedMs, load.answers, load.promptTokens])
    const of = (index: number) => loads().reduce((sum, load) => sum + load[index]!, 0)
    expect([of(0), of(1)]).deep.equal([0, 1])
    answered!.lease.release('ok')
    expect([of(0), of(1), of(2)]).deep.equal([0, 0, 0])
  })

  describe('affinity never beats', () => {
    const warm = (set: ReturnType<typeof setUp>) => {
      const first = set.send(prompt('a'))
      first.answer(10)
      expect(set.send(prompt('a')).name).equal(first.name)
      return first.backend
    }

    it('max_concurrency', () => {
      const set = setUp([{ max_concurrency: 2 }, { max_concurrency: 2 }])
      const backend = warm(set)
      set.send(prompt('a'))
      expect(set.send(prompt('a')).backend).not.equal(backend)
    })

    it('health', () => {
      const set = setUp()
      const backend = warm(set)
      backend.health.checked(false)
      expect(set.send(prompt('a')).backend).not.equal(backend)
    })

    it('weight 0', () => {
      const set = setUp()
      const backend = warm(set)
      backend.reconfigure({ ...backend.config, weight: 0 })
      expect(set.send(prompt('a')).backend).not.equal(backend)
    })

    it("a retry's exclusions", () => {
      const set = setUp()
      const backend = warm(set)
      expect(set.send(prompt('a'), false, [backend]).backend).not.equal(backend)
    })

    it('zero data retention', () => {
      const set = setUp([{ zdr: true }, {}, {}])
      for (let i = 0; i < 8; i++) set.send(prompt('busy', { bytes: 400_000 + 10_000 * i }))
      for (let i = 0; i < 3; i++) expect(set.send(prompt('a', { isPrivate: true }), true).name).equal('a')
    })
  })

  it('knows nothing of a backend that has been down', () => {
    const { send, routing } = setUp()
    const { backend, lease } = send(prompt('a'))
    lease.release('ok')
    routing.of(backend).forget()
    expect(routing.explain([backend], prompt('a'))[0]!.knownTokens).equal(0)
  })

  it('lets backends come, with an empty cache, and go', () => {
    const { send, routing, pool, model } = setUp([{}, {}])
    const gone = send(prompt('a'))
    gone.answer(10)
    const stays = model.backends.filter(config => config !== gone.backend.config)
    const next = { ...model, backends: [...stays, backendConfig({ url: 'http://new/v1' })] }
    pool.update([next])
    routing.retain(new Set(pool.backends()))
    expect(Array.from(routing.backends, ({ backend }) => backend)).not.include(gone.backend)
    const routed = routing.route(prompt('a'))
    expect(new URL(pool.pick(next, false, undefined, routed.choose).config.url).hostname).not.equal(gone.name)
  })

  it('is helped by a session, and not forced', () => {
    const { send } = setUp()
    const short = { bytes: 900, session: 's' }
    const first = send(prompt('hi', short))
    first.answer(5)
    for (let i = 0; i < 5; i++) {
      const again = send(prompt('hi', short))
      expect(again.name).equal(first.name)
      again.answer(1)
    }
    for (let i = 0; i < 4; i++) send(prompt(`busy${i}`, { bytes: 100_000 }))
    const names = ['x', 'y', 'z'].map(name => send(prompt(name, short)).name)
    expect(new Set(names).size).above(1)
  })

  it('learns the speeds from replies', () => {
    const { send, routing } = setUp([{}])
    for (let i = 0; i < 20; i++) send(prompt(`p${i}`)).answer(100, { promptTokens: 10_000 })
    const [learnt] = routing.learnt()
    expect(learnt!.prefillTokensPerSecond).within(100_000, 130_000)
    expect(learnt!.decodeStepMs).equal(10)
  })

  it('counts in tokens as they are measured for the model', () => {
    const { routing, pool, tokens } = setUp([{}, {}])
    const one = prompt('a')
    const promptTokens = () => routing.explain([...pool.backends()], one)[0]!.promptTokens
    const before = promptTokens()
    tokens.tokensPerByte = 0.5
    expect(routing.tokensPerByte).equal(0.5)
    expect(promptTokens()).closeTo(2 * before, 1)
  })

  it('learns the size of a cache from what replies report, where nothing else tells it', () => {
    const { send, routing } = setUp([{}])
    const report = (held: number) => {
      for (let round = 0; round < 40; round++) {
        for (let i = 0; i < 8; i++)
          send(prompt(`p${i}`)).answer(100, { promptTokens: 5000, cachedTokens: round < 1 ? 0 : held })
      }
      return routing.learnt()[0]!.cacheTokens
    }
    expect(report(0)).below(60_000)
  })

  it('learns nothing of a cache from prompts that are still computed, or that no backend has computed', () => {
    const { clock, send, routing } = setUp([{}])
    // The same prompt twice: the second is not in the cache before the first is computed.
    const first = send(prompt('a'))
    clock.advance(20)
    const second = send(prompt('a'))
    first.answer(50, { cachedTokens: 0 })
    second.answer(50, { cachedTokens: 0 })
    routing.of(first.backend).forget()
    send(prompt('b')).lease.release('neutral')
    clock.advance(20)
    send(prompt('b')).answer(50, { cachedTokens: 0 })
    expect(routing.learnt()[0]!.cacheTokens).equal(400_000)
  })

  it('learns nothing of a cache from prompts that have fewer tokens in a byte than others', () => {
    const { send, routing } = setUp([{}])
    for (let i = 0; i < 40; i++)
      send(prompt(`p${i % 4}`)).answer(50, { promptTokens: 2500, cachedTokens: i < 4 ? 0 : 2499 })
    expect(routing.learnt()[0]!.cacheTokens).equal(400_000)
  })

  it('forgets a prompt that was given up before it was computed', () => {
    const { send, routing } = setUp([{}])
    const known = (backend: Backend) => routing.explain([backend], prompt('a'))[0]!.knownTokens
    const { lease, backend } = send(prompt('a'))
    expect(known(backend)).above(4000)
    lease.release('answered')
    expect(known(backend)).equal(0)
    const begun = send(prompt('a'))
    begun.lease.answering(true)
    begun.lease.release('neutral')
    expect(known(backend)).above(4000)
  })

  it('tells what was predicted and what came', () => {
    const { send, seen } = setUp()
    send(prompt('a')).answer(200, { cachedTokens: 0 })
    send(prompt('a')).answer(20, { cachedTokens: 4900 })
    expect(seen.cached).deep.equal([
      [0, 0],
      [4864, 4900],
    ])
    expect(seen.firstToken.map(([, measured]) => measured)).deep.equal([200, 20])
  })

  it('explains the cost of every backend, term by term', () => {
    const { send, routing, pool } = setUp()
    const first = send(prompt('a'))
    const costs = routing.explain([...pool.backends()], prompt('a', { bytes: 24_000 }))
    const at = costs.find(({ backend }) => backend === first.backend.address)!
    expect(at.knownTokens).within(4800, 5000)
    expect(at.promptTokens).within(5990, 6010)
    for (const { waitMs, ownMs, decodeMs, pressureMs, cost } of costs)
      expect(waitMs + ownMs + decodeMs + pressureMs).closeTo(cost, 1e-6)
    expect(costs.filter(({ waitMs }) => waitMs > 0).map(({ backend }) => backend)).deep.equal([first.backend.address])
  })
})
