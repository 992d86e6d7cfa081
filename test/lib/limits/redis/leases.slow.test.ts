import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { type Clock, systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import type { Limits } from '../../../../lib/limits/limits.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import { eventually } from '../../../support/gateway.ts'
import { answerOf, creditOf, leaseOf, newAccount, quotaOf, rateOf, TestLedger } from '../../../support/limits.ts'
import { type RedisServer, redisServer, useRedis } from '../../../support/services.ts'

/** A busy machine may suspend this process for a second. */
const LEASE_MS = 2500
const HOUR = 3_600_000

/** A process whose clock is wrong. */
const skewed = (byMs: number): Clock => ({
  now: () => Date.now() + byMs,
  micros: () => (Date.now() + byMs) * 1000,
  monotonic: () => performance.now() + Math.abs(byMs),
})

describe('processes that share a Redis', () => {
  const url = useRedis()
  const open: Limits[] = []
  let raw: Redis
  const start = async (skewMs = 0): Promise<Limits> => {
    const limits = await redisLimits({
      ...{ url: url(), clock: skewed(skewMs), log: pino({ level: 'silent' }), metrics: new Metrics() },
      ...{ ledger: new TestLedger().view(), leaseMs: LEASE_MS, reservationMs: LEASE_MS, replyTimeoutMs: 10_000 },
    })
    open.push(limits)
    return limits
  }
  before(() => {
    raw = new Redis(url())
  })
  after(() => raw.disconnect())
  afterEach(() => Promise.all(open.splice(0).map(limits => limits.close())))

  it('keep their leases and reservations while they live', async () => {
    const [one, other] = [await start(), await start()]
    const account = newAccount()
    expect(await one.leases.take(leaseOf(account, 1, 'a'))).equal(true)
    expect(await one.credits.reserve(creditOf(account, 400, 'a'))).include({ allowed: true })
    for (let i = 0; i < 8; i++) {
      await sleep(LEASE_MS / 3)
      expect(await other.leases.take(leaseOf(account, 1))).equal(false)
      expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 600 })
    }
  })

  it('keep renewing after a renewal has failed', async () => {
    const lines: { msg: string }[] = []
    let broken = false
    const clock: Clock = {
      ...systemClock,
      monotonic() {
        if (broken) throw new Error('the clock is broken')
        return systemClock.monotonic()
      },
    }
    const other = await start()
    const one = await redisLimits({
      ...{ url: url(), clock, log: pino({}, { write: line => void lines.push(JSON.parse(line)) }) },
      ...{ metrics: new Metrics(), ledger: new TestLedger().view(), leaseMs: LEASE_MS, reservationMs: LEASE_MS },
    })
    open.push(one)
    const account = newAccount()
    expect(await one.leases.take(leaseOf(account, 1, 'a'))).equal(true)
    broken = true
    await eventually(() => lines.length > 0)
    broken = false
    expect(lines[0]!.msg).equal('leases in Redis could not be renewed')
    await sleep(3 * LEASE_MS)
    expect(await other.leases.take(leaseOf(account, 1))).equal(false)
  })

  it('lose them when they die, and their keys expire', async () => {
    const [one, other] = [await start(), await start()]
    const account = newAccount()
    for (const id of ['a', 'b']) expect(await one.leases.take(leaseOf(account, 2, id))).equal(true)
    expect(await one.credits.reserve(creditOf(account, 400))).include({ allowed: true })
    await one.close()
    expect(await other.leases.take(leaseOf(account, 2))).equal(false)
    await sleep(LEASE_MS)
    expect(await other.leases.take(leaseOf(account, 2, 'c'))).equal(true)
    expect(await other.credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 1000 })
    other.leases.release(account, 'c')
    const keys = () => raw.keys(`*${account}*`)
    await eventually(async () => (await keys()).length === 1, 'the release')
    expect(await keys()).deep.equal([`sluiceway:{${account}}:balance`])
    for (const key of await keys()) expect(await raw.pttl(key)).within(1, HOUR)
  })

  it('use the clock of Redis', async () => {
    const clocks = [await start(-3 * HOUR), await start(0), await start(25 * HOUR)] as const
    const account = newAccount()
    expect(await clocks[0].leases.take(leaseOf(account, 1))).equal(true)
    expect(await clocks[0].credits.reserve(creditOf(account, 400))).include({ allowed: true })
    for (const { leases, credits } of clocks) {
      expect(await leases.take(leaseOf(account, 1))).equal(false)
      expect(await credits.reserve(creditOf(account, 2000))).include({ availableMicrocents: 600 })
    }
    const states = []
    for (const { quotas } of clocks) states.push(await answerOf(quotas.take(quotaOf(account, 2, HOUR))))
    expect(states.map(({ allowed }) => allowed)).deep.equal([true, true, false])
    expect(new Set(states.map(({ end }) => end)).size).equal(1)
    expect(states[0]!.end - Date.now()).within(-1000, HOUR)
    const rates = []
    for (const { rates: of } of clocks) rates.push((await answerOf(of.take(rateOf(account, 2)))).allowed)
    expect(rates).deep.equal([true, true, false])
  })

  it('count a sliding minute', async () => {
    const limits = await start()
    const account = newAccount()
    const key = `sluiceway:{${account}}:rate:endpoints`
    const now = Math.floor(Date.now() / 1000)
    const at = (second: number, latest = second * 1000 + 500) => ({ [`at${second}`]: latest })
    // Two are more than a minute ago, three within the last minute.
    await raw.hset(key, {
      ...{ last: now - 5, sum: 5, [now - 63]: 1, [now - 62]: 1, [now - 55]: 1, [now - 5]: 2 },
      ...{ ...at(now - 63), ...at(now - 62), ...at(now - 55), ...at(now - 5) },
    })
    expect(await limits.rates.take(rateOf(account, 4))).include({ allowed: true, remaining: 0 })
    const asked = Date.now()
    const { allowed, resetMs } = await answerOf(limits.rates.take(rateOf(account, 4)))
    expect(allowed).equal(false)
    // Until the third is a minute old, measured at a time between request and reply.
    const resetAt = (now - 55) * 1000 + 500 + 60_000
    expect(resetMs).within(resetAt - Date.now() - 2, resetAt - asked + 2)
    expect(await raw.hlen(key)).within(8, 9)
  })

  it('count a second for a minute after the last of its requests', async () => {
    const limits = await start()
    const account = newAccount()
    const key = `sluiceway:{${account}}:rate:endpoints`
    for (const ago of [60_010, 59_000]) {
      const latest = Date.now() - ago
      const second = Math.floor(latest / 1000)
      await raw.del(key)
      await raw.hset(key, { last: second, sum: 1, [second]: 1, [`at${second}`]: latest })
      const state = await answerOf(limits.rates.take(rateOf(account, 1)))
      const old = ago > 60_000 || Date.now() - latest >= 60_000
      if (!old) expect(state.resetMs).within(1, 1000)
      if (!old || ago > 60_000) expect(state.allowed).equal(old)
    }
  })

  it('drop a minute without requests', async () => {
    const limits = await start()
    const account = newAccount()
    const key = `sluiceway:{${account}}:rate:endpoints`
    const now = Math.floor(Date.now() / 1000)
    await raw.hset(key, { last: now - 3600, sum: 2, [now - 3600]: 2 })
    expect(await limits.rates.take(rateOf(account, 2))).include({ allowed: true, remaining: 1 })
    expect(await raw.ttl(key)).within(1, 62)
  })
})

describe('a Redis that hangs', () => {
  /** Nothing expires while a test runs. */
  const LONG_MS = 600_000
  const open: Limits[] = []
  let redis: RedisServer
  let raw: Redis
  before(async () => {
    const own = await redisServer(['--save', '', '--appendonly', 'no'])
    if (own === undefined) throw new Error('redis-server is needed: apt-get install redis-server')
    redis = own
    raw = new Redis(redis.url)
  })
  after(async () => {
    raw?.disconnect()
    await redis?.stop()
  })
  afterEach(async () => {
    redis.resume()
    await Promise.all(open.splice(0).map(limits => limits.close()))
  })
  const start = async (workers = 2) => {
    const limits = await redisLimits({
      ...{ url: redis.url, clock: systemClock, log: pino({ level: 'silent' }), metrics: new Metrics(), workers },
      ...{ ledger: new TestLedger().view(), leaseMs: LONG_MS, reservationMs: LONG_MS, readyMs: 200 },
    })
    open.push(limits)
    return limits
  }

  it('ignores late decisions when it resumes, and receives the releases of the meantime', async () => {
    const [one, other] = [await start(), await start()]
    const account = newAccount()
    for (const id of ['a', 'b', 'c']) expect(await one.leases.take(leaseOf(account, 6, id))).equal(true)
    expect(await one.credits.reserve(creditOf(account, 100, 'a'))).include({ allowed: true })
    redis.hang()
    // The share is three. The first process has used it up, the other one has used none of it.
    const refused = ['d', 'e', 'f'].map(async id => one.leases.take(leaseOf(account, 6, id)))
    const taken = ['g', 'h', 'i', 'j'].map(async id => other.leases.take(leaseOf(account, 6, id)))
    const reserved = Promise.allSettled(['x', 'y'].map(async id => one.credits.reserve(creditOf(account, 7, id))))
    expect(await Promise.all(refused)).deep.equal([false, false, false])
    expect(await Promise.all(taken)).deep.equal([true, true, true, false])
    expect((await reserved).map(({ status }) => status)).deep.equal(['rejected', 'rejected'])
    for (const id of ['a', 'b']) one.leases.release(account, id)
    for (const id of ['g', 'h']) other.leases.release(account, id)
    one.credits.settle(account, 'a', 40)
    redis.resume()
    const held = () => raw.zrange(`sluiceway:{${account}}:leases`, '0', '-1')
    await eventually(async () => (await held()).sort().join() === 'c,i', 'the leases that are left')
    await eventually(async () => (await raw.hget(`sluiceway:{${account}}:balance`, 'reserved')) === '0', 'reservations')
    await eventually(async () => (await raw.hget(`sluiceway:{${account}}:balance`, 'spent')) === '40', 'the settlement')
    // Four leases are free when every process has reported.
    const free = async () => {
      const ids = ['1', '2', '3', '4', '5']
      const got = await Promise.all(ids.map(async id => one.leases.take(leaseOf(account, 6, id))))
      for (const [i, id] of ids.entries()) if (got[i]) one.leases.release(account, id)
      return got.filter(Boolean).length === 4
    }
    await eventually(free, 'four leases')
  })

  it('leaves a process that starts during the failure its local share', async () => {
    redis.hang()
    const [one, other] = [await start(4), await start(4)]
    expect(one.notes()).lengthOf(1)
    const account = newAccount()
    const admitted = async (limits: Limits) => {
      const taken = await Promise.all(Array.from({ length: 40 }, async () => limits.leases.take(leaseOf(account, 20))))
      return taken.filter(Boolean).length
    }
    expect([await admitted(one), await admitted(other)]).deep.equal([5, 5])
    redis.resume()
    await eventually(() => one.notes().length === 0, 'its answer')
    // Together they have ten of the twenty. After the report, there are at most twenty.
    await eventually(async () => (await raw.zcard(`sluiceway:{${account}}:leases`)) === 10, 'all that runs')
    await eventually(async () => (await admitted(other)) === 10, 'the rest')
    expect(await raw.zcard(`sluiceway:{${account}}:leases`)).equal(20)
  })
})
