import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Limits } from '../../../lib/limits/limits.ts'
import { redisLimits } from '../../../lib/limits/redis.ts'
import { Metrics } from '../../../lib/metrics.ts'
import { systemClock } from '../../../lib/services.ts'
import { type Instances, limitsSuite, TestLedger } from '../../support/limits.ts'
import { useRedis } from '../../support/services.ts'

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
      ...{ leaseMs: LEASE_MS, reservationMs: LEASE_MS, answerMs: 10_000 },
    })
  const instances: Instances = {
    pair,
    ledger,
    async crash(index) {
      // Closing gives nothing back.
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
})
