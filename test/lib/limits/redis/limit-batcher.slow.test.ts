import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { LoopWriteQueue } from '../../../../lib/base/write-queue.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { Limits, OnStoreFailure } from '../../../../lib/limits/limits.ts'
import { LimitBatcher } from '../../../../lib/limits/redis/limit-batcher.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import type { RedisLink } from '../../../../lib/limits/redis/link.ts'
import { eventually } from '../../../support/gateway.ts'
import { creditOf, leaseOf, newAccount, quotaOf, rateOf, TestLedger } from '../../../support/limits.ts'
import { type FaultyProxy, faultyProxy } from '../../../support/proxy.ts'
import { useRedis } from '../../../support/services.ts'

const DAY = 86_400_000
const PLENTY = 1000

interface Request {
  readonly lease?: number
  readonly quota?: number
  readonly rate?: number
  readonly microcents?: number
  /** Names of limits in shadow mode. */
  readonly shadow?: readonly string[]
  readonly onStoreFailure?: OnStoreFailure
}

describe('what is asked in one turn of the event loop', () => {
  const parts = { kind: 'credit', keys: ['k'], args: [7] }
  const check = { ...parts, enforced: true, onReply: () => {}, decideLocally() {}, refuses: () => false }

  /** A batcher in front of a Redis that admits everything. `calls`: account, keys and arguments of each call. */
  function batcher({ isCluster = false } = {}) {
    const steps: string[] = []
    const calls: { account: string; keys: readonly string[]; args: readonly unknown[] }[] = []
    const link = {
      isCluster,
      deadline: 99,
      run: async (_script: unknown, account: string, keys: readonly string[], args: readonly unknown[]) => {
        steps.push('call')
        calls.push({ account, keys, args })
        return [
          0,
          ...args.flatMap(arg => (arg === 'decide' || arg === 'same' ? [1, 1, 0, 0, 0] : arg === 'release' ? [0] : [])),
        ]
      },
      setTime() {},
    } as unknown as RedisLink
    const writes = new LoopWriteQueue()
    return { batcher: new LimitBatcher(link, [], writes), writes, steps, calls }
  }

  it('is sent in one call after the records, before responses end; releases precede checks', async () => {
    const { batcher: all, writes, steps, calls } = batcher()
    const job = (step: string) => ({ onFlush: () => void steps.push(step) })
    writes.add(job('last byte'))
    void all.check('a', 'one', check)
    void all.check('a', 'one', check)
    void all.check('b', 'two', { ...check, enforced: false })
    all.release('c', 'ended', parts)
    writes.addFirst(job('records'))
    await new Promise(setImmediate)
    expect(steps).deep.equal(['records', 'call', 'last byte'])
    expect(calls).deep.equal([
      {
        account: 'c',
        keys: ['k', 'k', 'k', 'k'],
        args: [
          ...[99, 0],
          ...['release', 'ended', 1, 2, 'credit', 7],
          ...['decide', 'one', 2, 6, 'credit', 1, 7, 'credit', 1, 7],
          ...['decide', 'two', 1, 3, 'credit', 0, 7],
        ],
      },
    ])
  })

  it('names keys and arguments once for requests that differ only in their ids', async () => {
    const { batcher: all, calls } = batcher()
    for (const [account, id, args] of [
      ['a', '1', [7]],
      ['b', '2', [7]],
      ['a', '3', [7]],
      ['a', '4', [8]],
      ['a', '5', [8]],
    ] as const)
      void all.check(account, id, { ...check, args })
    await new Promise(setImmediate)
    expect(calls[0]!.args.slice(2)).deep.equal([
      ...['decide', '1', 1, 3, 'credit', 1, 7, 'same', '3'],
      ...['decide', '4', 1, 3, 'credit', 1, 8, 'same', '5'],
      ...['decide', '2', 1, 3, 'credit', 1, 7],
    ])
    expect(calls[0]!.keys).deep.equal(['k', 'k', 'k'])
  })

  it('is one call per account in a cluster', async () => {
    const { batcher: all, calls } = batcher({ isCluster: true })
    for (const [account, id] of [
      ['a', 'one'],
      ['b', 'two'],
      ['a', 'three'],
    ])
      void all.check(account!, id!, check)
    all.release('b', 'ended', parts)
    await new Promise(setImmediate)
    expect(
      calls.map(({ account, args }) => [
        account,
        args.filter(arg => arg === 'decide' || arg === 'same' || arg === 'release'),
      ]),
    ).deep.equal([
      ['b', ['release', 'decide']],
      ['a', ['decide', 'same']],
    ])
  })

  it('is several calls for many requests, so that none blocks Redis for long', async () => {
    const { batcher: all, calls } = batcher()
    const results = Array.from({ length: 150 }, (_, i) =>
      all.check('a', `${i}`, { ...check, onReply: () => i, decideLocally: () => i }),
    )
    expect(await Promise.all(results)).deep.equal(Array.from({ length: 150 }, (_, i) => i))
    expect(calls.map(({ args }) => args.filter(arg => arg === 'decide' || arg === 'same').length)).deep.equal([
      64, 64, 22,
    ])
  })
})

describe('the limits of one request', () => {
  const url = useRedis()
  let limits: Limits
  let proxy: FaultyProxy
  let raw: Redis
  before(async () => {
    raw = new Redis(url())
    proxy = await faultyProxy(Number(new URL(url()).port))
    limits = await redisLimits({
      ...{ url: `redis://127.0.0.1:${proxy.port}`, clock: systemClock, log: pino({ level: 'silent' }) },
      ...{ metrics: new Metrics(), ledger: new TestLedger().view(), replyTimeoutMs: 3000 },
    })
  })
  after(async () => {
    await limits.close()
    await proxy.close()
    raw.disconnect()
  })

  /** Checks the limits of one request in the order of the default chain. */
  const ask = async (account: string, request: Request = {}, id: string = randomUUID()) => {
    const more = (name: string) => ({
      enforced: request.shadow?.includes(name) !== true,
      ...(request.onStoreFailure && { onStoreFailure: request.onStoreFailure }),
    })
    const problem = (error: unknown) => {
      if (error instanceof GatewayError) return error.status
      throw error
    }
    const allowedBy = (state: { readonly allowed: boolean } | undefined) => state?.allowed
    const [rate, lease, quota, credit] = await Promise.all([
      Promise.resolve(limits.rates.take({ ...rateOf(account, request.rate ?? PLENTY), id, ...more('rate') })),
      Promise.resolve(limits.leases.take({ ...leaseOf(account, request.lease ?? PLENTY, id), ...more('lease') })).catch(
        problem,
      ),
      Promise.resolve(limits.quotas.take({ ...quotaOf(account, request.quota ?? PLENTY, DAY, id), ...more('quota') })),
      Promise.resolve(
        limits.credits.reserve({ ...creditOf(account, request.microcents ?? 1, id), ...more('credit') }),
      ).catch(problem),
    ])
    return {
      id,
      states: { rate, quota },
      answers: [allowedBy(rate), lease, allowedBy(quota), typeof credit === 'number' ? credit : allowedBy(credit)],
    }
  }
  /** Counts in Redis. */
  const counted = async (account: string) => {
    const key = (name: string) => `sluiceway:{${account}}:${name}`
    const [rate, leases, used, reserved] = await Promise.all([
      raw.hget(key('rate:endpoints'), 'sum'),
      raw.zcard(key('leases')),
      raw.hget(key(`quota:${DAY}`), 'used'),
      raw.hget(key('balance'), 'reserved'),
    ])
    return [Number(rate), leases, Number(used), Number(reserved)]
  }
  const known = async () => {
    const account = newAccount()
    // Caches the account's ledger.
    const { id } = await ask(account)
    end(account, id)
    await limits.rates.take(rateOf(newAccount(), 1))
    return account
  }
  const end = (account: string, id: string) => {
    limits.leases.release(account, id)
    limits.credits.settle(account, id, 1)
  }
  const scripts = async () => {
    const info = await raw.info('commandstats')
    const calls = [...info.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)]
    return calls.reduce((sum, [, count]) => sum + Number(count), 0)
  }

  it('are decided by one script run, and released by one', async () => {
    const account = await known()
    const before = await scripts()
    const { id, answers, states } = await ask(account)
    expect(answers).deep.equal([true, true, true, true])
    expect(await scripts()).within(before + 1, before + 2)
    expect(await counted(account)).deep.equal([2, 1, 2, 1])
    const between = await scripts()
    end(account, id)
    limits.quotas.giveBack(account, id, DAY, states.quota!)
    limits.rates.giveBack(account, id, 'endpoints', states.rate!)
    await eventually(async () => String(await counted(account)) === '1,0,1,0', 'the release')
    // There may be a heartbeat of this process as well.
    expect(await scripts()).within(between + 1, between + 2)
  })

  it('are exact for many requests in a tick', async () => {
    const account = await known()
    const all = await Promise.all(Array.from({ length: 50 }, () => ask(account, { quota: 31 })))
    expect(all.filter(({ answers }) => answers[1] === true)).lengthOf(30)
    expect(await counted(account)).deep.equal([31, 30, 31, 30])
  })

  it('are decided by one script run for all requests of a turn', async () => {
    const accounts = [await known(), await known(), await known()]
    const before = await scripts()
    const all = await Promise.all(accounts.map(account => ask(account)))
    for (const { answers } of all) expect(answers).deep.equal([true, true, true, true])
    expect(await scripts()).within(before + 1, before + 2)
    for (const account of accounts) expect(await counted(account)).deep.equal([2, 1, 2, 1])
  })

  it('are decided locally if Redis rejects the keys of their account, while others of the turn are counted', async () => {
    const [broken, whole] = [await known(), await known()]
    await raw.set(`sluiceway:{${broken}}:quota:${DAY}`, 'not a hash')
    const [first, second, third] = await Promise.all([ask(whole), ask(broken), ask(whole)])
    for (const { answers } of [first, third]) expect(answers).deep.equal([true, true, true, true])
    expect(second.answers).deep.equal([true, true, true, 503])
    expect(await counted(whole)).deep.equal([3, 2, 3, 2])
    // A release of the broken account does not prevent those of others.
    end(broken, second.id)
    limits.quotas.giveBack(broken, second.id, DAY, { ...second.states.quota!, end: 1 })
    end(whole, first.id)
    await eventually(async () => (await counted(whole))[1] === 1, 'the release')
  })

  it('count nothing if one of them refuses', async () => {
    const refusals: readonly (readonly [request: Request, answers: readonly unknown[]])[] = [
      [{ rate: 1 }, [false, undefined, undefined, undefined]],
      [{ quota: 1 }, [undefined, undefined, false, undefined]],
      [{ microcents: 5000 }, [undefined, undefined, undefined, false]],
      [{ quota: 1, microcents: 5000 }, [undefined, undefined, false, undefined]],
    ]
    const account = await known()
    const before = await counted(account)
    expect(before).deep.equal([1, 0, 1, 0])
    for (const [request, answers] of refusals) {
      expect((await ask(account, request)).answers).deep.equal(answers)
      expect(await counted(account)).deep.equal(before)
    }
  })

  it('ignore a refusal in shadow mode', async () => {
    const account = await known()
    const { answers } = await ask(account, { rate: 1, quota: 1, shadow: ['rate', 'quota'] })
    expect(answers).deep.equal([false, true, false, true])
    expect(await counted(account)).deep.equal([1, 1, 1, 1])
    const refused = await ask(account, { rate: 1, lease: 1, shadow: ['rate'] })
    expect(refused.answers).deep.equal([false, false, undefined, undefined])
  })

  it('are decided as configured while Redis is unavailable', async () => {
    const account = await known()
    proxy.cut()
    try {
      expect((await ask(account)).answers).deep.equal([true, true, true, 503])
      expect((await ask(account, { onStoreFailure: 'fail_open' })).answers).deep.equal([true, true, true, true])
      expect((await ask(account, { lease: 1 })).answers).deep.equal([true, false, undefined, undefined])
      expect((await ask(account, { lease: 1, shadow: ['lease'] })).answers).deep.equal([true, false, true, 503])
    } finally {
      proxy.mend()
    }
  })
})
