import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { systemClock } from '../../../../lib/base/clock.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'
import { parseRedisUrl } from '../../../../lib/config/redis-address.ts'
import type { Limits } from '../../../../lib/limits/limits.ts'
import { createClient } from '../../../../lib/limits/redis/client.ts'
import { redisLimits } from '../../../../lib/limits/redis/limits.ts'
import { eventually } from '../../../support/gateway.ts'
import { type Instances, limitsSuite, TestLedger } from '../../../support/limits.ts'
import { requestLimitsSuite } from '../../../support/request-limits.ts'
import { useRedis } from '../../../support/services.ts'

const log = pino({ level: 'silent' })
const LEASE_MS = 1500

describe('limits in Redis', () => {
  const url = useRedis()
  const ledger = new TestLedger()
  const metrics = new Metrics()
  const pair = [] as unknown as [Limits, Limits]
  const open = () =>
    redisLimits({
      ...{ url: url(), clock: systemClock, log, metrics, ledger: ledger.view() },
      ...{ leaseMs: LEASE_MS, reservationMs: LEASE_MS, replyTimeoutMs: 10_000 },
    })
  const instances: Instances = {
    pair,
    ledger,
    async crash(index) {
      // close() releases no lease.
      await pair[index].close()
      pair[index] = await open()
      await sleep(LEASE_MS)
    },
  }
  before(async () => {
    pair.push(await open(), await open())
  })
  after(async () => {
    await Promise.all(pair.map(limits => limits.close()))
    const failures = await metrics.counter({ name: 'sluiceway_limits_store_failures_total', help: '' }).get()
    expect(failures.values[0]?.value, 'calls without an answer').equal(0)
  })
  limitsSuite(() => instances)
  requestLimitsSuite(() => instances)

  it('logs nothing if this process is too busy to read replies during its start', async () => {
    const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const started = async (ms: number, ticks: number) => {
      const lines: string[] = []
      const noted = pino({ base: null }, { write: line => void lines.push(line) })
      const parts = { url: url(), clock: systemClock, log: noted, metrics: new Metrics(), ledger: ledger.view() }
      const starting = redisLimits({ ...parts, readyMs: 1000 })
      for (let i = 0; i < ticks; i++) await new Promise(setImmediate)
      block(ms)
      const limits = await starting
      const notes = limits.notes()
      await limits.close()
      return { ms, ticks, lines, notes }
    }
    // Blocks for longer than each time limit of the start, in several of its phases.
    for (const ms of [700, 1300]) {
      for (const ticks of [0, 1, 2, 3, 4, 6]) {
        expect(await started(ms, ticks)).deep.equal({ ms, ticks, lines: [], notes: [] })
      }
    }
  })

  describe('logs why there is no connection', () => {
    const problemOf = async (url: string) => {
      const lines: { msg: string; problem?: string }[] = []
      const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line)) })
      const limits = await redisLimits({ url, clock: systemClock, log, metrics: new Metrics(), ledger: ledger.view() })
      await eventually(() => lines.length > 0)
      await limits.close()
      return lines[0]
    }

    it('if no server listens', async () => {
      expect(await problemOf('redis://127.0.0.1:1')).include({
        msg: 'Redis does not answer: limits follow their on_store_failure',
        problem: 'connect ECONNREFUSED 127.0.0.1:1',
      })
    })

    it('if the password is changed while it runs', async () => {
      const { port } = new URL(url())
      const admin = createClient(parseRedisUrl(url()))
      await admin.connect()
      await admin.call('acl', 'setuser', 'changing', 'on', '>before', '~*', '&*', '+@all')
      const lines: { msg: string; problem?: string }[] = []
      const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line)) })
      const own = `redis://changing:before@127.0.0.1:${port}`
      const limits = await redisLimits({
        ...{ url: own, log },
        clock: systemClock,
        metrics: new Metrics(),
        ledger: ledger.view(),
      })
      await admin.call('acl', 'setuser', 'changing', 'resetpass', '>after')
      await admin.call('client', 'kill', 'user', 'changing')
      await eventually(() => lines.some(({ problem }) => problem?.startsWith('WRONGPASS ') === true))
      expect(lines.length).below(3)
      await limits.close()
      await admin.call('acl', 'deluser', 'changing')
      await admin.quit()
    })

    it('if the password is wrong, without the password', async () => {
      const wrong = new URL(url())
      wrong.username = 'nobody'
      wrong.password = 'not-the-password'
      const { problem = '' } = (await problemOf(wrong.href)) ?? {}
      expect(problem).match(/^WRONGPASS /)
      expect(problem).not.contain('not-the-password')
    })
  })
})
