import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { connectionProblem } from '../../../../lib/limits/redis/client.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import { eventually } from '../../../support/gateway.ts'
import { creditOf, leaseOf, newAccount, quotaOf, rateOf, TestLedger } from '../../../support/limits.ts'
import { redisServer, useRedis } from '../../../support/services.ts'

/** Servers need some time to discover each other and to fail over. */
const PATIENCE_MS = 15_000

const open = (url: string, metrics = new Metrics()) =>
  redisLimits({
    ...{ url, clock: systemClock, log: pino({ level: 'silent' }), metrics },
    ledger: new TestLedger().view(),
    replyTimeoutMs: 3000,
  })

async function ask(port: number, ...words: string[]): Promise<unknown> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: null })
  // The pending command fails with the same error.
  client.on('error', () => {})
  try {
    return await client.call(words[0]!, ...words.slice(1))
  } finally {
    client.disconnect()
  }
}

/** ask() for a server that a sentinel may promote or demote, which closes all connections. */
async function askThrough(port: number, ...words: string[]): Promise<unknown> {
  try {
    return await ask(port, ...words)
  } catch (error) {
    if ((error as Error).message !== 'Connection is closed.') throw error
  }
}

/** Checks every limit with two processes. */
async function worksAt(url: string): Promise<void> {
  const [one, other] = await Promise.all([open(url), open(url)])
  try {
    // If Redis becomes ready after the start, each process counts alone until then.
    await eventually(async () => {
      const account = newAccount()
      await one.leases.take(leaseOf(account, 1))
      return (await other.leases.take(leaseOf(account, 1))) === false
    }, 'one count')
    // A process that found Redis unavailable has asked again by now.
    await sleep(600)
    for (let i = 0; i < 10; i++) {
      const account = newAccount()
      expect(await one.leases.take(leaseOf(account, 1))).equal(true)
      expect(await other.leases.take(leaseOf(account, 1))).equal(false)
      expect(await one.quotas.take(quotaOf(account, 1, 3_600_000))).include({ allowed: true })
      expect(await other.quotas.take(quotaOf(account, 1, 3_600_000))).include({ allowed: false })
      expect(await one.rates.take(rateOf(account, 1))).include({ allowed: true })
      expect(await other.rates.take(rateOf(account, 1))).include({ allowed: false })
      expect(await one.credits.reserve(creditOf(account, 900, 'a'))).include({ allowed: true })
      expect(await other.credits.reserve(creditOf(account, 900))).include({ availableMicrocents: 100 })
      one.credits.settle(account, 'a', 300)
      await one.credits.reserve(creditOf(account, 0))
      expect(await other.credits.reserve(creditOf(account, 900))).include({ availableMicrocents: 700 })
    }
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

describe('kinds of Redis servers', () => {
  // Skips or fails if Redis is not installed.
  useRedis()
  const stops: (() => Promise<void>)[] = []
  const server = async (...args: Parameters<typeof redisServer>) => {
    const started = await redisServer(...args)
    if (started === undefined) throw new Error('redis-server must be installed, besides REDIS_URL')
    stops.push(started.stop)
    return started
  }
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  it('with a password and a database', async () => {
    const { port } = await server(['--requirepass', 'p@ss:/word'])
    await worksAt(`redis://:p%40ss%3A%2Fword@127.0.0.1:${port}/3`)
  })

  it('with a password that is missing: the problem says so', () => {
    const problem = connectionProblem(new Error('NOAUTH HELLO must be called with the client already authenticated'))
    expect(problem).equal('NOAUTH a password is needed: redis://:password@host:port')
  })

  it('without scripts after a flush', async () => {
    const { url, port } = await server()
    const metrics = new Metrics()
    const limits = await open(url, metrics)
    const account = newAccount()
    expect(await limits.leases.take(leaseOf(account, 2))).equal(true)
    await ask(port, 'script', 'flush')
    expect(await limits.leases.take(leaseOf(account, 2))).equal(true)
    expect(await limits.leases.take(leaseOf(account, 2))).equal(false)
    await limits.close()
    const failures = await metrics.counter({ name: 'sluiceway_limits_store_failures_total', help: '' }).get()
    expect(failures.values[0]?.value).equal(0)
  })

  it('sends the text of a script once per connection, and its hash afterwards', async () => {
    const { url, port } = await server()
    const limits = await open(url)
    const account = newAccount()
    for (let i = 0; i < 5; i++) expect(await limits.leases.take(leaseOf(account, 5))).equal(true)
    const stats = String(await ask(port, 'info', 'commandstats'))
    // One for the limits of requests, one for the heartbeat.
    expect(Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1])).equal(2)
    expect(Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1])).least(4)
    await limits.close()
  })

  it('as a cluster', async () => {
    const nodes = [await server(['--cluster-enabled', 'yes']), await server(['--cluster-enabled', 'yes'])]
    const [first, second] = nodes.map(({ port }) => port) as [number, number]
    await ask(first, 'cluster', 'addslotsrange', '0', '8000')
    await ask(second, 'cluster', 'addslotsrange', '8001', '16383')
    await ask(second, 'cluster', 'set-config-epoch', '2')
    await ask(first, 'cluster', 'meet', '127.0.0.1', String(second))
    for (const port of [first, second]) {
      await eventually(
        async () => String(await ask(port, 'cluster', 'info')).includes('cluster_state:ok'),
        'a cluster',
        PATIENCE_MS,
      )
    }
    const url = `redis://127.0.0.1:${first},127.0.0.1:${second}?cluster=true`
    await worksAt(url)
    for (const port of [first, second]) expect(await ask(port, 'dbsize')).above(0)
  })

  it('behind sentinels, through a failover', async () => {
    const master = await server()
    const replica = await server(['--replicaof', '127.0.0.1', String(master.port)])
    const sentinel = await server(['--sentinel'], () =>
      [
        `sentinel monitor main 127.0.0.1 ${master.port} 1`,
        'sentinel down-after-milliseconds main 1000',
        'sentinel failover-timeout main 3000',
      ].join('\n'),
    )
    await eventually(
      async () => String(await ask(master.port, 'info', 'replication')).includes('state=online'),
      'a replica',
      PATIENCE_MS,
    )
    await eventually(
      async () => ((await ask(sentinel.port, 'sentinel', 'replicas', 'main')) as unknown[]).length === 1,
      'a replica that the sentinel knows',
      PATIENCE_MS,
    )
    const url = `redis://127.0.0.1:${sentinel.port}?sentinel=main`
    await worksAt(url)
    const limits = await open(url)
    const account = newAccount()
    expect(await limits.leases.take(leaseOf(account, 1))).equal(true)
    await eventually(
      async () => (await ask(sentinel.port, 'sentinel', 'failover', 'main').catch(() => '')) === 'OK',
      'a failover',
      PATIENCE_MS,
    )
    await eventually(
      async () => String(await askThrough(replica.port, 'role')).startsWith('master'),
      'a new master',
      PATIENCE_MS,
    )
    // The process counts alone until a command shows that the master has changed.
    await eventually(
      async () => {
        await limits.rates.take(rateOf(newAccount(), 1))
        return (await askThrough(replica.port, 'exists', `sluiceway:{${account}}:leases`)) === 1
      },
      'the lease at the new master',
      PATIENCE_MS,
    )
    expect(await limits.leases.take(leaseOf(account, 1))).equal(false)
    await limits.close()
  })
})
