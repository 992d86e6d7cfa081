import { expect } from 'chai'
import fc from 'fast-check'
import type { ProbeOutcome } from '../../../lib/backends/health/prober.ts'
import {
  type Backend,
  type BackendLease,
  BackendPool,
  type LeaseOutcome,
  type ModelLease,
  type PoolOptions,
} from '../../../lib/backends/pool.ts'
import type { BackendConfig, ModelConfig } from '../../../lib/config/config.ts'
import { failure, type GatewayError } from '../../../lib/errors/errors.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model as modelConfig } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

/** A model with backends named a, b, c … */
function modelOf(backends: readonly Partial<BackendConfig>[], members: Partial<ModelConfig> = {}): ModelConfig {
  const configs = backends.map((config, i) => backendConfig({ url: `http://${'abcdef'[i]}/v1`, ...config }))
  return modelConfig({}, { ...members, backends: configs })
}

function setUp(model: ModelConfig, options: Partial<PoolOptions> = {}) {
  const clock = new ManualClock()
  const pool = new BackendPool([model], clock, { health: null, ...options })
  return { clock, pool, model }
}

/** Of a backend without requests. */
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

/** So that it is in reduced use where a model has no other. */
const eject = (backend: Backend) => fail(backend, 'ababa')

/** So that it is not. */
const disconnect = (backend: Backend) => {
  for (let i = 0; i < 5; i++) backend.health.unreachable()
}

/** How often each backend is drawn in a thousand picks. */
function shares(pool: BackendPool, model: ModelConfig): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let i = 0; i < 1000; i++) {
    const backend = pool.pick(model, false)
    counts[nameOf(backend)] = (counts[nameOf(backend)] ?? 0) + 1
  }
  return counts
}

describe('BackendPool', () => {
  describe('picking', () => {
    it('takes those of the lowest priority that can be reached, and no others', () => {
      const { pool, model } = setUp(
        modelOf([{ priority: 1 }, {}, { priority: 0, max_concurrency: 1 }, { priority: 2 }]),
      )
      const names = () => new Set(Array.from({ length: 40 }, () => nameOf(pool.pick(model, false))))
      const [a, b, c] = [...pool.backends()] as [Backend, Backend, Backend]
      expect([...names()].sort()).deep.equal(['b', 'c'])
      // One that is full can be reached.
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

    it('reaches every backend', () => {
      const { pool, model } = setUp(modelOf([{}, {}, {}, {}]))
      expect(Object.keys(shares(pool, model)).sort()).deep.equal(['a', 'b', 'c', 'd'])
    })

    it('leaves out those that were tried, and those with weight 0', () => {
      const { pool, model } = setUp(modelOf([{}, {}, { weight: 0 }]))
      const first = pool.pick(model, false)
      const second = pool.pick(model, false, new Set([first]))
      expect(second).not.equal(first)
      expect(refused(() => pool.pick(model, false, new Set([first, second]))).code).equal('no_healthy_backends')
    })

    it('stays on the zero-data-retention partition', () => {
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

    it('is no_healthy_backends with the model when none can be reached', () => {
      for (const out of [disconnect, (backend: Backend) => backend.health.checked(false)]) {
        const { pool, model } = setUp(modelOf([{}]))
        out(pool.pick(model, false))
        const error = refused(() => pool.pick(model, false))
        expect(error).include({ code: 'no_healthy_backends', status: 503 })
        expect(error.details.extra).deep.equal({ model: 'm' })
      }
    })

    it('keeps an ejected backend in reduced use where there is no other, and says its own error in between', () => {
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
      // After a failure elsewhere it is no second choice.
      expect(refused(() => pool.pick(model, false, new Set([a]))).code).equal('no_healthy_backends')
    })

    it('sends a probe request for a backend that fails for one account, and readmits by one', async () => {
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

    it('ends probe requests of backends that have left, and with the pool', async () => {
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
    it('passes over a full backend', () => {
      const { pool, model } = setUp(modelOf([{ max_concurrency: 1, weight: 1000 }, {}]))
      const full = [pool.pick(model, false), pool.pick(model, false)].find(backend => nameOf(backend) === 'a')
      full?.acquire()
      for (let i = 0; i < 20; i++) expect(nameOf(pool.pick(model, false))).equal('b')
    })

    it('is backend_at_capacity with all headers when every healthy backend is full', () => {
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

    it('is distinguished from ill health: one is full, the other ejected', () => {
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

    it('of a model is counted over all its requests', () => {
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

  it('takes a place of the model and a backend together, or neither', () => {
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

  it('asks no policy if the model is full or has one backend', () => {
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

  it('tells when there may be room', () => {
    const room: string[] = []
    const { pool, model } = setUp(modelOf([{}]), { onCapacity: id => void room.push(id) })
    const told = (act: () => void) => {
      room.length = 0
      act()
      return room.length
    }
    const backend = pool.pick(model, false)
    const held = backend.acquire()
    expect(told(() => held.release('ok'))).equal(1)
    const lease = pool.admit(model)
    expect(told(() => lease.release())).equal(1)
    expect(told(() => lease.release())).equal(0)
    expect(told(() => backend.health.checked(false))).equal(0)
    expect(told(() => backend.health.checked(true))).equal(1)
    expect(told(() => pool.update([model]))).equal(1)
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
    it('keeps new requests away, by the file, by a weight of 0 or by an operator', () => {
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

    it('is told by the state, and outlives a reload', () => {
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
    it('keeps the state of what stays', () => {
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

    it('keeps removed backends in sight until they are empty, and uses one again that comes back', () => {
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
      // However often the file is read again.
      pool.update([left])
      pool.update([both])
      expect(pool.pick(both, false, new Set([pool.pick(left, false, new Set([a]))]))).equal(a)
      pool.update([left])
      lease.release('ok')
      expect(seen()).deep.equal([['http://b/v1', 'up', null]])
    })

    it('keeps the backends of a removed model in sight until they are empty', () => {
      const { pool, model } = setUp(modelOf([{}]))
      const lease = pool.pick(model, false).acquire()
      pool.update([])
      expect(pool.snapshot()[0]).deep.include({ model: 'm' })
      expect(pool.snapshot()[0]?.backends[0]).include({ state: 'draining', cordon: 'removed', inFlight: 1 })
      lease.release('ok')
      expect(pool.snapshot()).deep.equal([])
    })

    it('tells of a backend that has gone once its last request has ended, and once', () => {
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

    it('says when to come back where backends may be found any time', () => {
      const { url: _, ...backend } = backendConfig()
      const parts = { scheme: 'http', basePath: '/v1', port: 80 } as const
      const source = { discover: 'file', path: '/targets.yaml', ...parts } as const
      const { pool, model } = setUp(modelOf([], { discover: [{ source, everySeconds: 2.5, backend }] }))
      expect(refused(() => pool.pick(model, false)).details.headers).include({ 'retry-after': '3' })
      const { pool: plain, model: other } = setUp(modelOf([]))
      expect(refused(() => plain.pick(other, false)).details.headers).equal(undefined)
    })

    it('forgets removed backends, whose leases can still be released', () => {
      const { pool, model } = setUp(modelOf([{}]))
      const held = pool.admit(model)
      const lease = pool.pick(model, false).acquire()
      const next = { ...modelOf([{}]), id: 'next' }
      pool.update([next])
      expect(refused(() => pool.pick(model, false)).code).equal('no_healthy_backends')
      expect(refused(() => pool.admit(model)).code).equal('no_healthy_backends')
      expect(pool.takeRetry(model)).equal(false)
      lease.release('ok')
      held.release()
      expect(pool.snapshot().map(({ model }) => model)).deep.equal(['next'])
    })

    it('distinguishes backends with equal settings', () => {
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

  // No sequence of events may leak a lease or keep a backend out for good (docs/DESIGN.md#one-abort).
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
        const open: { readonly held: ModelLease; readonly lease: BackendLease }[] = []
        const backends = new Set<Backend>()
        const end = (at: number, outcome: LeaseOutcome) => {
          const [one] = open.splice(at % Math.max(open.length, 1), 1)
          one?.lease.release(outcome)
          one?.held.release()
          return one
        }
        for (const { do: what, at } of steps) {
          if (what === 'open') {
            let held: ModelLease | undefined
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
