import { expect } from 'chai'
import { pino } from 'pino'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { LoopWriteQueue } from '../../../lib/base/write-queue.ts'
import { createLimits } from '../../../lib/limits/create.ts'
import { configOf, MODEL, problemsOf } from '../../support/config.ts'
import { leaseOf, newAccount, TestLedger } from '../../support/limits.ts'
import { useRedis } from '../../support/services.ts'

describe('createLimits', () => {
  const url = useRedis()
  const create = (store: string) => {
    const config = configOf(`limits_store: ${store}\n${MODEL}`)
    const parts = {
      clock: systemClock,
      log: pino({ level: 'silent' }),
      metrics: new Metrics(),
      ledger: new TestLedger(),
      readSpent: async () => 0,
      readRequests: async () => 0,
      writes: new LoopWriteQueue(),
    }
    return createLimits(config, parts)
  }

  it('counts in this process', async () => {
    const limits = await create('memory')
    expect(limits.leases.take(leaseOf(newAccount(), 1))).equal(true)
    await limits.close()
  })

  it('counts in Redis', async () => {
    const [one, other] = [await create(url()), await create(url())]
    const account = newAccount()
    expect(await one.leases.take(leaseOf(account, 1))).equal(true)
    expect(await other.leases.take(leaseOf(account, 1))).equal(false)
    await Promise.all([one.close(), other.close()])
  })

  it('receives only addresses that the configuration check accepts', () => {
    expect(problemsOf(`limits_store: redis://a,b\n${MODEL}`)).deep.equal([
      'limits_store: names several hosts: add ?cluster=true, or ?sentinel= and the name of the master',
    ])
    expect(problemsOf(`limits_store: redis://a,b?cluster=true\n${MODEL}`)).deep.equal([])
  })
})
