import { expect } from 'chai'
import fc from 'fast-check'
import type { ProbeOutcome } from '../../../lib/backends/health/prober.ts'
import { type Backend, type BackendLease, BackendPool, type LeaseOutcome } from '../../../lib/backends/pool.ts'
import type { BackendConfig, ModelConfig } from '../../../lib/config/config.ts'
import { failure, type GatewayError } from '../../../lib/errors/errors.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model as modelConfig } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

type PoolOptions = ConstructorParameters<typeof BackendPool>[2]

/** A model with backends a, b, c … */
function modelOf(backends: readonly Partial<BackendConfig>[], members: Partial<ModelConfig> = {}): ModelConfig {
  const configs = backends.map((config, i) => backendConfig({ url: `http://${'abcdef'[i]}/v1`, ...config }))
  return modelConfig({}, { ...members, backends: configs })
}

function setUp(model: ModelConfig, options: Partial<PoolOptions> = {}) {
  const clock = new ManualClock()
  const pool = new BackendPool([model], clock, { health: null, ...options })
  return { clock, pool, model }
}

/** The snapshot of a backend without requests. */
const IDLE = {
  learnt: null,
  zdr: false,
  state: 'up',
  cordon: null,
  inFlight: 0,
  limit: null,
} as const

const nameOf = (backend: Backend) => new URL(backend.config.url).hostname

function refused(call: () => unknown): GatewayError {
  try {
    call()
  } catch (thrown) {
    return thrown as GatewayError
  }
  throw new Error('not refused')
}

const ERROR = failure('backend_http_error', { model: 'm' })

const fail = (backend: Backend, accounts: string) => {
  for (const account of accounts) backend.health.failed({ account, path: '/chat/completions', stream: false }, ERROR)
}

/** Ejects a backend by failed requests: it may be in reduced use. */
const eject = (backend: Backend) => fail(backend, 'ababa')

/** Ejects a backend by failed connections: it may not be in reduced use. */
const disconnect = (backend: Backend) => {
  for (let i = 0; i < 5; i++) backend.health.unreachable()
}

/** How often each backend is picked out of a thousand times. */
function shares(pool: BackendPool, model: ModelConfig): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let i = 0; i < 1000; i++) {
    const backend = pool.pick(model, false)
    counts[nameOf(backend)] = (counts[nameOf(backend)] ?? 0) + 1
  }
  return counts
}

describe('backends/pool', () => {
  describe('picking', () => {
    it('picks only backends of the lowest priority that can be reached', () => {
      const { pool, model } = setUp(
        modelOf([{ priority: 1 }, {}, { priority: 0, max_concurrency: 1 }, { priority: 2 }]),
      )
      const names = () => new Set(Array.from({ length: 40 }, () => nameOf(pool.pick(model, false))))
      const [a, b, c] = [...pool.backends()] as [Backend, Backend, Backend]
      expect([...names()].sort()).deep.equal(['b', 'c'])
      // A full backend can be reached.
      fail(b, 'xyxyx')
      const lease = c.acquire()
      expect(refused(() => pool.pick(model, false)).code).equal('backend_at_capacity')
      lease.release('neutral')
      expect([...names()]).deep.equal(['c'])
      expect(nameOf(pool.pick(model, false, new Set([c])))).equal('a')
      fail(c, 'xyxyx')
      expect([...names()]).deep.equal(['a'])
      fail(a, 'xyxyx')
      expect([...names()]).deep.equal(['d'])
    })

    it('lists the backends that may serve a request, full ones included', () => {
      const { pool } = setUp(modelOf([{ max_concurrency: 1 }, { zdr: true }, { drain: true }, { priority: 1 }, {}]))
      const [a, , , , e] = [...pool.backends()] as Backend[]
      a!.acquire()
      fail(e!, 'xyxyx')
      const names = (zdr: boolean) => pool.usable('m', zdr).map(nameOf).sort()
      expect(names(false)).deep.equal(['a', 'b'])
      expect(names(true)).deep.equal(['b'])
      expect(pool.usable('other', false)).deep.equal([])
    })

    it('reaches every backend', () => {
      const { pool, model } = setUp(modelOf([{}, {}, {}, {}]))
      expect(Object.keys(shares(pool, model)).sort()).deep.equal(['a', 'b', 'c', 'd'])
    })

    it('ignores backends that were tried or have weight 0', () => {
      const { pool, model } = setUp(modelOf([{}, {}, { weight: 0 }]))
      const first = pool.pick(model, false)
      const second = pool.pick(model, false, new Set([first]))
      expect(second).not.equal(first)
      expect(refused(() => pool.pick(model, false, new Set([first, second]))).code).equal('no_healthy_backends')
    })

    it('stays in the zero-data-retention partition', () => {
      const { pool, model } = setUp(modelOf([{}, { zdr: true }, {}]))
      for (let i = 0; i < 20; i++) expect(nameOf(pool.pick(model, true))).equal('b')
      const none = setUp(modelOf([{}]))
      expect(refused(() => none.pool.pick(none.model, true)).code).equal('no_healthy_backends')
    })
  })

  describe('health', () => {
    it('avoids an ejected backend', () => {
      const { pool, model } = setUp(modelOf([{}, {}]))
      const bad = pool.pick(model, false)
      eject(bad)
      expect(shares(pool, model)).not.have.property(nameOf(bad))
    })

    it('refuses with no_healthy_backends if none can be reached', () => {
      for (const out of [disconnect, (backend: Backend) => backend.health.checked(false)]) {
        const { pool, model } = setUp(modelOf([{}]))
        out(pool.pick(model, false))
        const error = refused(() => pool.pick(model, false))
        expect(error).include({ code: 'no_healthy_backends', status: 503 })
        expect(error.details.extra).deep.equal({ model: 'm' })
      }
    })

    it('uses an ejected backend once a second if there is no other, and throws its last error in between', () => {
      const { clock, pool, model } = setUp(modelOf([{}, {}]))
      const [a, b] = [pool.pick(model, false), pool.pick(model, false)]
      const last = a === b ? pool.pick(model, false, new Set([a])) : b
      disconnect(a)
      eject(last)
      for (let i = 0; i < 3; i++) {
        expect(pool.pick(model, false)).equal(last)
        expect(refused(() => pool.pick(model, false))).equal(ERROR)
        clock.advance(1000)
      }
      // It is not a second choice after a failure of another backend.
      expect(refused(() => pool.pick(model, false, new Set([a]))).code).equal('no_healthy_backends')
    })

    it('sends a probe request if requests of one account fail, and readmits after one', async () => {
      const asked: string[] = []
      const due: { readonly ms: number; readonly call: () => void }[] = []
      const changes: string[] = []
      let outcome: ProbeOutcome = 'failed'
      const { pool, model } = setUp(modelOf([{}]), {
        probe: async ({ id }, backend) => {
          asked.push(`${id} ${nameOf(backend)}`)
          return outcome
        },
        after(ms, call) {
          due.push({ ms, call })
          return () => {}
        },
        onStateChange: (backend, state) => changes.push(`${nameOf(backend)} ${state}`),
      })
      const backend = pool.pick(model, false)
      fail(backend, 'aaaaa')
      due.at(-1)!.call()
      await new Promise(setImmediate)
      outcome = 'ok'
      due.at(-1)!.call()
      await new Promise(setImmediate)
      expect([asked, due.map(({ ms }) => ms), changes]).deep.equal([
        ['m a', 'm a'],
        [0, 1000],
        ['a ejected', 'a up'],
      ])
    })

    it('cancels probe requests of removed backends, and on close()', async () => {
      for (const stop of [(pool: BackendPool) => pool.update([]), (pool: BackendPool) => pool.close()]) {
        let signal: AbortSignal | undefined
        const { pool, model } = setUp(modelOf([{}]), {
          probe: (_model, _backend, abort) => {
            signal = abort
            return new Promise(() => {})
          },
          after(_ms, call) {
            queueMicrotask(call)
            return () => {}
          },
        })
        fail(pool.pick(model, false), 'aaaaa')
        await Promise.resolve()
        expect(signal?.aborted).equal(false)
        stop(pool)
        expect(signal?.aborted).equal(true)
      }
    })
  })

  describe('capacity', () => {
    it('ignores a full backend', () => {
      const { pool, model } = setUp(modelOf([{ max_concurrency: 1, weight: 1000 }, {}]))
      const full = [pool.pick(model, false), pool.pick(model, false)].find(backend => nameOf(backend) === 'a')
      full?.acquire()
      for (let i = 0; i < 20; i++) expect(nameOf(pool.pick(model, false))).equal('b')
    })

    it('refuses with backend_at_capacity if every healthy backend is full', () => {
      const { pool, model } = setUp(modelOf([{ max_concurrency: 1 }, { max_concurrency: 2 }]))
      for (let i = 0; i < 3; i++) pool.pick(model, false).acquire()
      const error = refused(() => pool.pick(model, false))
      expect(error).include({ code: 'backend_at_capacity', status: 429 })
      expect(error.details.headers).deep.equal({
        'retry-after': '1',
        'ratelimit-limit': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
      })
    })

    it('refuses with backend_at_capacity if one backend is full and the other ejected', () => {
      const { pool, model } = setUp(modelOf([{ max_concurrency: 1 }, {}]))
      const full = pool.pick(model, false, new Set([pool.pick(model, false)]))
      const [a, b] =
        nameOf(full) === 'a'
          ? [full, pool.pick(model, false, new Set([full]))]
          : [pool.pick(model, false, new Set([full])), full]
      a.acquire()
      eject(b)
      expect(refused(() => pool.pick(model, false)).code).equal('backend_at_capacity')
    })

    it('limits all requests of a model', () => {
      const { pool, model } = setUp(modelOf([{}], { max_concurrency: 2 }))
      const first = pool.admit(model)
      pool.admit(model)
      const error = refused(() => pool.admit(model))
      expect(error).include({ code: 'backend_at_capacity', status: 429 })
      expect(error.details.headers).include({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
      first.release()
      first.release()
      pool.admit(model)
      expect(refused(() => pool.admit(model)).code).equal('backend_at_capacity')
    })
  })

  describe('models at one server', () => {
    const at = (url: string, max_concurrency?: number) => backendConfig({ url, max_concurrency })
    const modelAt = (id: string, ...backends: readonly BackendConfig[]) => modelConfig({}, { id, backends })

    it('share the largest of their limits, and each keeps its own', () => {
      const base = modelAt('base', at('http://a/v1', 3))
      const adapter = modelAt('adapter', at('http://a/v1/', 2))
      const free = modelAt('free', at('http://a/v1'))
      const pool = new BackendPool([base, adapter, free], new ManualClock(), { health: null })
      const take = (model: ModelConfig) => pool.pick(model, false).acquire()
      const leases = [take(adapter), take(adapter)]
      expect(refused(() => take(adapter)).code).equal('backend_at_capacity')
      leases.push(take(free))
      for (const model of [base, adapter, free]) expect(refused(() => take(model)).code).equal('backend_at_capacity')
      expect(pool.snapshot().map(({ backends }) => [backends[0]?.inFlight, backends[0]?.limit])).deep.equal([
        [0, 3],
        [2, 2],
        [1, 3],
      ])
      // A reload changes the limit of the server.
      pool.update([modelAt('base', at('http://a/v1', 4)), adapter, free])
      leases.push(take(base))
      for (const lease of leases) lease.release('ok')
      expect([...pool.backends()].map(({ server }) => server.inFlight)).deep.equal([0, 0, 0])
    })

    it('share their load', () => {
      const base = modelAt('base', at('http://a/v1'), at('http://b/v1'))
      const adapter = modelAt('adapter', at('http://a/v1'))
      const pool = new BackendPool([base, adapter], new ManualClock(), { health: null })
      for (let i = 0; i < 3; i++) pool.pick(adapter, false).acquire()
      expect(new Set(Array.from({ length: 20 }, () => nameOf(pool.pick(base, false))))).deep.equal(new Set(['b']))
    })

    it('report capacity to the queues of all of them', () => {
      const queued = (id: string) =>
        modelConfig({}, { id, backends: [at('http://a/v1', 1)], queue: { max: 9, max_wait_ms: 1000, fair: 'account' } })
      const reported: string[] = []
      const onCapacity = (model: string) => void reported.push(model)
      const [base, adapter] = [queued('base'), queued('adapter')]
      const pool = new BackendPool([base, adapter], new ManualClock(), { health: null, onCapacity })
      const lease = pool.pick(base, false).acquire()
      reported.length = 0
      lease.release('ok')
      expect(reported).deep.equal(['base', 'adapter'])
    })
  })

  it('takes capacity of the model and of a backend, or of neither', () => {
    const { pool, model } = setUp(modelOf([{ max_concurrency: 1 }], { max_concurrency: 2 }))
    const enter = () => pool.enter(model, false, () => undefined)
    const { backend, lease } = enter()
    const held = backend.acquire()
    expect(refused(enter).code).equal('backend_at_capacity')
    expect(pool.snapshot()[0]!.inFlight).equal(1)
    pool.admit(model)
    expect(refused(enter).code).equal('backend_at_capacity')
    held.release('ok')
    lease.release()
    enter()
  })

  it('does not call the policy if the model is full or has one backend', () => {
    for (const [backends, expected] of [
      [[{}], 0],
      [[{ url: 'http://a/v1' }, { url: 'http://b/v1' }], 1],
    ] as const) {
      const { pool, model } = setUp(modelOf(backends, { max_concurrency: 1 }))
      let asked = 0
      const enter = () =>
        pool.enter(model, false, () => {
          asked++
          return undefined
        })
      enter()
      expect(refused(enter).code).equal('backend_at_capacity')
      expect(asked).equal(expected)
    }
  })

  it('reports freed capacity of models with a queue', () => {
    const freed: string[] = []
    const queue = { max: 10, max_wait_ms: 1000, fair: 'account' as const }
    const { pool, model } = setUp({ ...modelOf([{}]), queue }, { onCapacity: id => void freed.push(id) })
    const reports = (act: () => void) => {
      freed.length = 0
      act()
      return freed.length
    }
    const backend = pool.pick(model, false)
    const held = backend.acquire()
    expect(reports(() => held.release('ok'))).equal(1)
    const lease = pool.admit(model)
    expect(reports(() => lease.release())).equal(1)
    expect(reports(() => lease.release())).equal(0)
    expect(reports(() => backend.health.checked(false))).equal(0)
    expect(reports(() => backend.health.checked(true))).equal(1)
    expect(reports(() => pool.update([model]))).equal(1)
    expect(reports(() => pool.update([{ ...model, queue: undefined }]))).equal(1)
    expect(
      reports(() => backend.acquire().release('ok')),
      'requests may still wait',
    ).equal(1)
    const other = setUp(modelOf([{}]), { onCapacity: id => void freed.push(id) })
    expect(
      reports(() => other.pool.admit(other.model).release()),
      'no queue',
    ).equal(0)
  })

  it('has a retry budget for each model', () => {
    const model = modelOf([{}])
    const other = { ...modelOf([{}]), id: 'other' }
    const pool = new BackendPool([model, other], new ManualClock(), { health: null })
    while (pool.takeRetry(model));
    expect(pool.takeRetry(other)).equal(true)
    for (let i = 0; i < 11; i++) pool.admit(model).release()
    expect(pool.takeRetry(model)).equal(true)
    expect(pool.takeRetry(model)).equal(false)
  })

  it('lists the state of its backends', () => {
    const { pool, model } = setUp(modelOf([{ zdr: true }, {}]))
    pool.admit(model)
    const [a] = [pool.pick(model, true)]
    a.acquire()
    eject(pool.pick(model, false, new Set([a])))
    expect(pool.snapshot()).deep.equal([
      {
        model: 'm',
        inFlight: 1,
        backends: [
          { ...IDLE, address: 'http://a/v1', zdr: true, inFlight: 1, recent: pool.snapshot()[0]!.backends[0]!.recent },
          { ...IDLE, address: 'http://b/v1', state: 'ejected', recent: pool.snapshot()[0]!.backends[1]!.recent },
        ],
      },
    ])
  })

  describe('a drain', () => {
    it('stops new requests: in the file, by a weight of 0 or by an operator', () => {
      for (const config of [{ drain: true }, { weight: 0 }]) {
        const { pool, model } = setUp(modelOf([config, {}]))
        for (let i = 0; i < 10; i++) expect(nameOf(pool.pick(model, false))).equal('b')
      }
      const { pool, model } = setUp(modelOf([{}, {}]))
      pool.cordon([{ url: 'http://a/v1/' }])
      for (let i = 0; i < 10; i++) expect(nameOf(pool.pick(model, false))).equal('b')
      pool.cordon([
        { url: 'http://b/v1', model: 'other' },
        { url: 'http://b/v1', model: 'm' },
      ])
      for (let i = 0; i < 10; i++) expect(nameOf(pool.pick(model, false))).equal('a')
      pool.cordon([{ url: 'http://a/v1' }, { url: 'http://b/v1' }])
      expect(refused(() => pool.pick(model, false)).code).equal('no_healthy_backends')
      pool.cordon([])
      pool.pick(model, false)
    })

    it('is visible in the state, and outlives a reload', () => {
      const states: string[] = []
      const { pool, model } = setUp(modelOf([{}, {}]), {
        onStateChange: (_, state) => states.push(state),
        random: () => 0,
      })
      const lease = pool.pick(model, false).acquire()
      pool.cordon([{ url: 'http://a/v1' }])
      pool.update([model])
      expect(pool.snapshot()[0]?.backends[0]).include({ state: 'draining', cordon: 'operator' })
      lease.release('ok')
      expect(pool.snapshot()[0]?.backends[0]).include({ state: 'drained' })
      pool.cordon([])
      expect(pool.snapshot()[0]?.backends[0]).include({ state: 'up', cordon: null })
      expect(states).deep.equal(['draining', 'up'])
    })
  })

  describe('a new configuration', () => {
    it('keeps the state of backends that stay', () => {
      const { pool, model } = setUp(modelOf([{}, {}], { max_concurrency: 5 }))
      const held = pool.admit(model)
      const bad = pool.pick(model, false)
      eject(bad)
      const good = pool.pick(model, false)
      const lease = good.acquire()

      const changed = modelOf([{ weight: 7 }, { weight: 7 }], { max_concurrency: 1 })
      pool.update([changed])
      expect(pool.pick(changed, false)).equal(good)
      expect(good.config.weight).equal(7)
      expect(refused(() => pool.admit(changed)).code).equal('backend_at_capacity')
      lease.release('ok')
      held.release()
      expect(good.inFlight).equal(0)
      pool.admit(changed)
    })

    it('lists removed backends until their last request ends, and reuses one that is added again', () => {
      const both = modelOf([{}, {}])
      const { pool } = setUp(both, { random: () => 0 })
      const seen = () =>
        pool.snapshot().flatMap(({ backends }) => backends.map(one => [one.address, one.state, one.cordon]))
      const a = pool.pick(both, false)
      const lease = a.acquire()
      const left = modelOf([{ url: 'http://b/v1' }])
      pool.update([left])
      expect(seen()).deep.equal([
        ['http://b/v1', 'up', null],
        ['http://a/v1', 'draining', 'removed'],
      ])
      expect(nameOf(pool.pick(left, false))).equal('b')
      // Another reload changes nothing.
      pool.update([left])
      pool.update([both])
      expect(pool.pick(both, false, new Set([pool.pick(left, false, new Set([a]))]))).equal(a)
      pool.update([left])
      lease.release('ok')
      expect(seen()).deep.equal([['http://b/v1', 'up', null]])
    })

    it('lists the backends of a removed model until their last request ends', () => {
      const { pool, model } = setUp(modelOf([{}]))
      const lease = pool.pick(model, false).acquire()
      pool.update([])
      expect(pool.snapshot()[0]).deep.include({ model: 'm' })
      expect(pool.snapshot()[0]?.backends[0]).include({ state: 'draining', cordon: 'removed', inFlight: 1 })
      lease.release('ok')
      expect(pool.snapshot()).deep.equal([])
    })

    it('reports a removed backend once, after its last request', () => {
      const gone: string[] = []
      const model = modelOf([{}, {}])
      const { pool } = setUp(model, { random: () => 0, onGone: backend => void gone.push(nameOf(backend)) })
      const [a] = pool.backends()
      const lease = a!.acquire()
      pool.update([{ ...model, backends: [] }])
      expect(gone).deep.equal(['b'])
      pool.snapshot()
      lease.release('ok')
      pool.snapshot()
      pool.snapshot()
      expect(gone).deep.equal(['b', 'a'])
    })

    it('sends Retry-After if discovery may find backends', () => {
      const { url: _, ...backend } = backendConfig()
      const parts = { scheme: 'http', basePath: '/v1', port: 80 } as const
      const source = { discover: 'file', path: '/targets.yaml', ...parts } as const
      const { pool, model } = setUp(modelOf([], { discover: [{ source, everySeconds: 2.5, backend }] }))
      expect(refused(() => pool.pick(model, false)).details.headers).include({ 'retry-after': '3' })
      const { pool: plain, model: other } = setUp(modelOf([]))
      expect(refused(() => plain.pick(other, false)).details.headers).equal(undefined)
    })

    it('forgets removed backends, but their leases can still be released', () => {
      const { pool, model } = setUp(modelOf([{}]))
      const held = pool.admit(model)
      const lease = pool.pick(model, false).acquire()
      const next = { ...modelOf([{}]), id: 'next' }
      pool.update([next])
      expect(refused(() => pool.pick(model, false)).code).equal('no_healthy_backends')
      expect(refused(() => pool.admit(model)).code).equal('no_healthy_backends')
      expect(pool.takeRetry(model)).equal(false)
      expect(Array.from(pool.models(), ({ config }) => config.id)).deep.equal(['next', 'm'])
      lease.release('ok')
      held.release()
      expect(pool.snapshot().map(({ model }) => model)).deep.equal(['next'])
    })

    it('distinguishes backends with the same configuration', () => {
      const twins = modelOf([{ url: 'http://a/v1' }, { url: 'http://a/v1' }])
      const { pool } = setUp(twins)
      const first = pool.pick(twins, false)
      pool.update([twins])
      expect(pool.pick(twins, false, new Set([first]))).not.equal(first)
    })

    it('serves the same address under two models with separate states', () => {
      const model = modelOf([{}])
      const other = { ...modelOf([{}]), id: 'other' }
      const pool = new BackendPool([model, other], new ManualClock(), { health: null })
      eject(pool.pick(model, false))
      expect(nameOf(pool.pick(other, false))).equal('a')
    })
  })

  // No sequence of events may leak a lease or eject a backend forever (docs/DESIGN.md#one-abort).
  it('releases every lease and recovers from every failure', () => {
    type Step = {
      readonly do: LeaseOutcome | 'open' | 'failed' | 'unreachable' | 'twice' | 'wait' | 'check'
      readonly at: number
    }
    const step = fc.record({
      do: fc.constantFrom(
        'open',
        'open',
        'open',
        'ok',
        'answered',
        'failed',
        'failed',
        'unreachable',
        'neutral',
        'twice',
        'wait',
        'check',
      ) as fc.Arbitrary<Step['do']>,
      at: fc.nat(1000),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const model = modelOf([{ max_concurrency: 3 }, {}, { zdr: true }], { max_concurrency: 8 })
        const { clock, pool } = setUp(model)
        const open: { readonly held: { release(): void }; readonly lease: BackendLease }[] = []
        const backends = new Set<Backend>()
        const end = (at: number, outcome: LeaseOutcome) => {
          const [one] = open.splice(at % Math.max(open.length, 1), 1)
          one?.lease.release(outcome)
          one?.held.release()
          return one
        }
        for (const { do: what, at } of steps) {
          if (what === 'open') {
            let held: { release(): void } | undefined
            try {
              held = pool.admit(model)
              const lease = pool.pick(model, at % 3 === 0).acquire()
              backends.add(lease.backend)
              open.push({ held, lease })
            } catch (thrown) {
              held?.release()
              expect(['backend_at_capacity', 'no_healthy_backends']).include((thrown as GatewayError).code)
            }
          } else if (what === 'failed' || what === 'unreachable') {
            const failing = end(at, 'neutral')?.lease.backend
            if (failing !== undefined && what === 'failed') fail(failing, 'ab'.charAt(at % 2))
            else failing?.health.unreachable()
          } else if (what === 'twice') end(at, 'answered')?.lease.release('ok')
          else if (what === 'wait') clock.advance(at * 10)
          else if (what === 'check') [...backends][at % Math.max(backends.size, 1)]?.health.checked(at % 2 === 0)
          else end(at, what)
          const [seen] = pool.snapshot()
          expect(seen?.inFlight).equal(open.length)
          expect(seen?.backends[0]?.inFlight).within(0, 3)
          for (const { inFlight } of seen?.backends ?? []) expect(inFlight).least(0)
        }
        while (open.length > 0) end(0, 'neutral')
        const [seen] = pool.snapshot()
        expect([seen?.inFlight, ...(seen?.backends.map(({ inFlight }) => inFlight) ?? [])]).deep.equal([0, 0, 0, 0])

        for (const backend of backends) {
          backend.health.checked(true)
          clock.advance(60_000)
          if (backend.health.probeDue()) backend.health.probed('ok')
          expect(backend.state).equal('up')
        }
      }),
      { numRuns: 300 },
    )
  })
})
