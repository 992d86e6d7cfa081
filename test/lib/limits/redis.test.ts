import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { Limits } from '../../../lib/limits/limits.ts'
import { redisLimits } from '../../../lib/limits/redis.ts'
import { Metrics } from '../../../lib/metrics.ts'
import { systemClock } from '../../../lib/services.ts'
import { type Instances, limitsSuite, TestLedger } from '../../support/limits.ts'
import { useRedis } from '../../support/services.ts'

const log = pino({ level: 'silent' })
const LEASE_MS = 300

describe('limits in Redis', () => {
  const url = useRedis()
  const ledger = new TestLedger()
  const pair = [] as unknown as [Limits, Limits]
  const open = () =>
    redisLimits({
      ...{ url: url(), clock: systemClock, log, metrics: new Metrics(), ledger: ledger.view() },
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
  after(() => Promise.all(pair.map(limits => limits.close())))
  limitsSuite(() => instances)
})
