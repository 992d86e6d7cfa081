import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { Limits, OnStoreFailure } from '../../../../lib/limits/limits.ts'
import type { RedisClient } from '../../../../lib/limits/redis/client.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import { RedisLink, script } from '../../../../lib/limits/redis/link.ts'
import { ManualClock } from '../../../support/clock.ts'
import { eventually } from '../../../support/gateway.ts'
import { answerOf, creditOf, leaseOf, newAccount, quotaOf, rateOf, TestLedger } from '../../../support/limits.ts'
import { type FaultyProxy, faultyProxy } from '../../../support/proxy.ts'
import { useRedis } from '../../../support/services.ts'
import { silent } from '../../../support/stores.ts'

const DAY = 86_400_000
/** A busy machine may suspend this process for a second. */
const LEASE_MS = 2500
/** Reply timeout of a scripted Redis. */
const ANSWER_MS = 50

describe('RedisLink', () => {
  const ONE = script('one', 'return { 1 }')
  const setUp = (cluster: boolean, answer: (key: string) => unknown) => {
    const calls: string[] = []
    const defined: string[] = []
    const client = {
      async zrem(key: string) {
        calls.push(key)
        return answer(key)
      },
      defineCommand(name: string) {
        defined.push(name)
        Object.assign(client, {
          async [name](_count: number, key: string) {
            calls.push(key)
            return answer(key)
          },
        })
      },
    }
    const clock = new ManualClock()
    const parts = {
      client: client as unknown as RedisClient,
      clock,
      isCluster: cluster,
      log: silent,
      metrics: new Metrics(),
      replyTimeoutMs: ANSWER_MS,
      onRecovered: () => {
        returns++
      },
    }
    let returns = 0
    const link = new RedisLink(parts)
    const run = (account: string) => link.run(ONE, account, [account], [])
    return { again: () => returns, calls, clock, defined, link, run }
  }

  it('defines a script once, and sends other commands as they are', async () => {
    const { calls, defined, link, run } = setUp(false, () => [7])
    expect(await run('a')).deep.equal([7])
    expect(await run('b')).deep.equal([7])
    expect(await link.call('c', client => client.zrem('c', 'x'))).deep.equal([7])
    expect(defined).deep.equal(['one'])
    expect(calls).deep.equal(['a', 'b', 'c'])
  })

  it('lets one call try after a pause, while no other waits', async () => {
    let answer: () => unknown = () => Promise.reject(new Error('gone'))
    const { calls, clock, run } = setUp(false, () => answer())
    expect(await run('a')).equal(undefined)
    for (let i = 0; i < 5; i++) expect(await run('b')).equal(undefined)
    expect(calls).lengthOf(1)
    clock.advance(500)
    expect(await Promise.all([run('a'), run('b'), run('c')])).deep.equal([undefined, undefined, undefined])
    expect(calls).lengthOf(2)
    clock.advance(500)
    answer = () => [1]
    expect(await run('a')).deep.equal([1])
    expect(await Promise.all([run('a'), run('b')])).deep.equal([[1], [1]])
  })

  it('knows whether Redis has answered, and reports when it answers again', async () => {
    let answer: () => unknown = () => Promise.reject(new Error('gone'))
    const { again, clock, link, run } = setUp(false, () => answer())
    await run('a')
    expect([link.hasAnswered, again()]).deep.equal([false, 0])
    clock.advance(500)
    answer = () => [1]
    await run('a')
    await run('a')
    expect([link.hasAnswered, again()]).deep.equal([true, 1])
  })

  it('tries again at once over a new connection', async () => {
    let answer: () => unknown = () => Promise.reject(new Error('gone'))
    const { link, run } = setUp(false, () => answer())
    await run('a')
    answer = () => [1]
    expect(await run('a')).equal(undefined)
    link.retryNow()
    expect(await run('a')).deep.equal([1])
  })

  it("gives commands a deadline on Redis's clock, once that is known, and none in a cluster", () => {
    for (const cluster of [false, true]) {
      const { clock, link } = setUp(cluster, () => [1])
      expect(link.deadline).equal(0)
      link.setTime(5_000_000)
      clock.advance(1000)
      if (cluster) expect(link.deadline).equal(0)
      else expect(link.deadline).within(5_001_000 + ANSWER_MS, 5_002_000)
    }
  })

  it('reports which calls may have been run', async () => {
    const { clock, link } = setUp(false, () => Promise.reject(new Error('gone')))
    let sent = 0
    const onSent = () => {
      sent++
    }
    for (let i = 0; i < 3; i++) await link.run(ONE, 'a', ['a'], [], onSent)
    expect(sent).equal(1)
    clock.advance(500)
    await link.run(ONE, 'a', ['a'], [], onSent)
    expect(sent).equal(2)
  })

  it('stays available after the error of a script', async () => {
    const { run } = setUp(false, key => {
      if (key === 'a') throw new Error('WRONGTYPE Operation against a key holding the wrong kind of value')
      return [1]
    })
    for (let i = 0; i < 3; i++) {
      expect(await run('a')).equal(undefined)
      expect(await run('b')).deep.equal([1])
    }
  })

  it('treats a missing reply as a failure', async () => {
    const { run } = setUp(false, () => new Promise(() => {}))
    expect(await run('a')).equal(undefined)
  })

  it('continues with the nodes of a cluster that answer', async () => {
    const { run } = setUp(true, key => {
      if (key === 'a') throw new Error('CLUSTERDOWN')
      return [1]
    })
    for (let i = 0; i < 3; i++) {
      expect(await run('a')).equal(undefined)
      expect(await run('b')).deep.equal([1])
    }
  })
})

describe('a Redis that is unavailable', () => {
  const url = useRedis()
  const lines: { level: number; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string }) })
  const ledger = new TestLedger()
  let proxy: FaultyProxy
  let metrics: Metrics
  /** Connected through the proxy. */
  let limits: Limits
  /** Another process, connected directly to Redis. */
  let other: Limits

  const open = (at: string, replyTimeoutMs?: number) =>
    redisLimits({
      ...{ url: at, clock: systemClock, log, metrics, ledger: ledger.view(), processes: 2 },
      ...{ leaseMs: LEASE_MS, reservationMs: LEASE_MS, ...(replyTimeoutMs && { replyTimeoutMs }) },
    })

  beforeEach(async () => {
    // Processes of earlier tests that could not deregister.
    await withRedis(raw => raw.del('sluiceway:{processes}'))
    lines.length = 0
    metrics = new Metrics()
    proxy = await faultyProxy(Number(new URL(url()).port))
    limits = await open(`redis://127.0.0.1:${proxy.port}`)
    other = await open(url(), 10_000)
  })
  afterEach(async () => {
    proxy.mend()
    await Promise.all([limits.close(), other.close()])
    await proxy.close()
  })

  const withRedis = async (work: (raw: Redis) => Promise<unknown>) => {
    const raw = new Redis(url())
    await work(raw)
    raw.disconnect()
  }
  const upMetric = async () =>
    (await metrics.gauge({ name: 'sluiceway_limits_store_up', help: '' }).get()).values[0]?.value
  const failures = async () =>
    (await metrics.counter({ name: 'sluiceway_limits_store_failures_total', help: '' }).get()).values[0]?.value
  const refusal = async (work: Promise<unknown> | unknown): Promise<unknown> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { status: error.status, code: error.code, retryAfter: error.details.headers?.['retry-after'] }
    }
  }
  const AWAY = { status: 503, code: 'internal_error', retryAfter: '2' }
  const isBack = async () => {
    await eventually(async () => {
      // Any request detects it.
      await limits.rates.take(rateOf(newAccount(), 1))
      return (await upMetric()) === 1
    }, 'Redis')
  }

  for (const fault of ['cut', 'freeze'] as const) {
    describe(`(${fault === 'cut' ? 'connection broken' : 'silent'})`, () => {
      it('leaves each process its local share, and refuses credits', async () => {
        const account = newAccount()
        proxy[fault]()
        for (const allowed of [true, true, false]) {
          expect(await limits.leases.take(leaseOf(account, 4))).equal(allowed)
          expect(await limits.quotas.take(quotaOf(account, 4, DAY))).include({ allowed })
          expect(await limits.rates.take(rateOf(account, 4))).include({ allowed })
          expect(await refusal(limits.credits.reserve(creditOf(account, 1)))).deep.equal(AWAY)
        }
        // Most of the twelve requests did not wait for an answer.
        expect(await failures()).below(12)
        expect(await upMetric()).equal(0)
        expect(lines.map(({ msg }) => msg)).deep.equal(['Redis does not answer: limits follow their on_store_failure'])
      })

      it('follows the setting of each limit', async () => {
        const account = newAccount()
        proxy[fault]()
        const all = (onStoreFailure: OnStoreFailure) =>
          Promise.all([
            refusal(limits.leases.take({ ...leaseOf(account, 1), onStoreFailure })),
            refusal(limits.quotas.take({ ...quotaOf(account, 1, DAY), onStoreFailure })),
            refusal(limits.rates.take({ ...rateOf(account, 1), onStoreFailure })),
            refusal(limits.credits.reserve({ ...creditOf(account, 2000), onStoreFailure })),
          ])
        expect(await all('fail_closed')).deep.equal([AWAY, AWAY, AWAY, AWAY])
        for (let i = 0; i < 3; i++) {
          const [lease, ...others] = await all('fail_open')
          expect(lease).equal(true)
          for (const state of others) expect(state).include({ allowed: true })
        }
      })

      it('is used again when it answers, and updated', async () => {
        const account = newAccount()
        expect(await limits.leases.take(leaseOf(account, 4, 'before'))).equal(true)
        expect(await limits.credits.reserve(creditOf(account, 100, 'settled'))).include({ allowed: true })
        expect(await limits.credits.reserve(creditOf(account, 10, 'open'))).include({ allowed: true })
        proxy[fault]()
        // With the lease above, the local share is used up.
        expect(await limits.leases.take(leaseOf(account, 4, 'during'))).equal(true)
        expect(await limits.leases.take(leaseOf(account, 4, 'refused'))).equal(false)
        limits.credits.settle(account, 'settled', 70)
        await sleep(2 * LEASE_MS)
        // All leases in Redis have expired.
        expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 1000 })
        proxy.mend()
        await isBack()
        await sleep(LEASE_MS)
        expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 920 })
        for (const allowed of [true, true, false]) expect(await other.leases.take(leaseOf(account, 4))).equal(allowed)
        expect(lines.map(({ msg }) => msg)).deep.equal([
          'Redis does not answer: limits follow their on_store_failure',
          'Redis answers again: limits are shared',
        ])
      })
    })
  }

  it('gives back to the counter that has counted', async () => {
    const account = newAccount()
    proxy.cut()
    const here = await answerOf(limits.quotas.take(quotaOf(account, 2, DAY)))
    expect(await limits.quotas.take(quotaOf(account, 2, DAY))).include({ allowed: false })
    expect(await other.quotas.take(quotaOf(account, 2, DAY))).include({ allowed: true, remaining: 1 })
    limits.quotas.giveBack(account, 'x', DAY, here)
    expect(await limits.quotas.take(quotaOf(account, 2, DAY))).include({ allowed: true })
    expect(await other.quotas.take(quotaOf(account, 2, DAY))).include({ allowed: true, remaining: 0 })
  })

  it('settles once if a settlement is repeated after a lost answer', async () => {
    const account = newAccount()
    expect(await limits.credits.reserve(creditOf(account, 100, 'a'))).include({ allowed: true })
    proxy.mute()
    limits.credits.settle(account, 'a', 70)
    await sleep(600)
    expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 930 })
    proxy.mend()
    await isBack()
    await sleep(LEASE_MS)
    expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 930 })
    expect(await failures()).equal(1)
    expect(await metrics.registry.metrics()).match(/^sluiceway_limits_call_seconds_count \d+$/m)
  })

  // The ledger may already contain a late settlement, and Redis may have lost its data.
  for (const [known, lost] of [
    [false, false],
    [true, false],
    [true, true],
  ] as const) {
    it(`counts a settlement during a failure once, ${known ? '' : 'not yet '}in the ledger${lost ? ', with data lost' : ''}`, async () => {
      const account = newAccount()
      ledger.entries.set(account, { granted: 0, charged: 20 })
      for (const id of ['a', 'b'])
        expect(await limits.credits.reserve(creditOf(account, 100, id))).include({ allowed: true })
      limits.credits.settle(account, 'b', 30)
      await limits.credits.reserve(creditOf(account, 0))
      proxy.cut()
      limits.credits.settle(account, 'a', 70)
      await sleep(50)
      if (lost) await withRedis(async raw => raw.del(await raw.keys(`*${account}*`)))
      if (known) ledger.entries.set(account, { granted: 0, charged: 120 })
      // The reservation expires before the record is in the ledger.
      await sleep(LEASE_MS + 100)
      // Another process corrects the values in Redis by the ledger.
      expect(await other.credits.reserve(creditOf(account, 0))).include({ availableMicrocents: known ? 880 : 950 })
      proxy.mend()
      await withRedis(raw =>
        eventually(async () => (await raw.exists(`sluiceway:{${account}}:settled:a`)) === 1, 'the settlement'),
      )
      expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 880 })
      ledger.entries.set(account, { granted: 0, charged: 120 })
      const { reads } = ledger
      // Each of the two processes reads twice.
      await eventually(() => ledger.reads > reads + 4, 'other readings')
      expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 880 })
    })
  }

  it('admits requests while the ledger is unavailable if the configuration says so', async () => {
    const account = newAccount()
    ledger.problem = new Error('away')
    expect(await refusal(limits.credits.reserve(creditOf(account, 5000)))).deep.equal(AWAY)
    const open = { ...creditOf(account, 5000, 'a'), onStoreFailure: 'fail_open' } as const
    expect(await limits.credits.reserve(open)).include({ allowed: true })
    ledger.problem = null
    limits.credits.settle(account, 'a', 50)
    await limits.credits.reserve(creditOf(account, 1))
    expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 949 })
  })

  it('has a key of another type, which affects one account', async () => {
    const account = newAccount()
    await withRedis(raw => raw.set(`sluiceway:{${account}}:leases`, 'x', 'EX', 60))
    // The local share is two of four.
    for (const allowed of [true, true, false]) expect(await limits.leases.take(leaseOf(account, 4))).equal(allowed)
    expect(await limits.leases.take(leaseOf(newAccount(), 1))).equal(true)
    expect(await upMetric()).equal(1)
    expect(lines.map(({ msg }) => msg)).deep.equal(['Redis rejects a limits script'])
  })

  it('does not prevent a start', async () => {
    proxy.cut()
    const late = await open(`redis://127.0.0.1:${proxy.port}`)
    // /readyz shows the notes.
    expect(late.notes()).deep.equal(['Redis has not answered since the start: limits follow their on_store_failure'])
    const account = newAccount()
    expect(await late.leases.take(leaseOf(account, 2, randomUUID()))).equal(true)
    expect(await refusal(late.credits.reserve(creditOf(account, 1)))).deep.equal(AWAY)
    proxy.mend()
    await eventually(() => late.notes().length === 0, 'an answer')
    await late.close()
  })

  it('receives the requests in flight again after it has lost its data', async () => {
    const account = newAccount()
    expect(await limits.leases.take(leaseOf(account, 1, 'a'))).equal(true)
    expect(await limits.credits.reserve(creditOf(account, 400, 'b'))).include({ allowed: true })
    await withRedis(async raw => {
      const keys = await raw.keys(`*${account}*`)
      expect(keys).lengthOf(4)
      await raw.del(keys)
    })
    await sleep(LEASE_MS)
    expect(await other.leases.take(leaseOf(account, 1))).equal(false)
    expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 600 })
  })
})
