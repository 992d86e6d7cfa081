import { getHeapStatistics } from 'node:v8'
import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { createBodies, memoryLimits, unlimitedBodies } from '../../../lib/body/bodies.ts'
import { configOf, MODEL } from '../../support/config.ts'

describe('body/bodies', () => {
  it('defaults to a quarter of the heap limit', () => {
    const limits = memoryLimits(configOf(MODEL).memory)
    expect(limits).deep.equal({
      bodiesBytes: Math.floor(getHeapStatistics().heap_size_limit / 4),
      accountShare: 0.5,
      waitMs: 5000,
    })
    const own = configOf(`${MODEL}\nmemory: { bodies_bytes: 2000000, account_share: 0.1, wait_ms: 7 }`)
    expect(memoryLimits(own.memory)).deep.equal({ bodiesBytes: 2_000_000, accountShare: 0.1, waitMs: 7 })
  })

  it('exports used memory, limit, waiting and refused bodies', async () => {
    const metrics = new Metrics()
    const config = configOf(`${MODEL}\nmemory: { bodies_bytes: 2000000, account_share: 1, wait_ms: 1 }`)
    const { memory, slowUploads } = createBodies(config.memory, metrics)
    void memory.open('a').reserve(1_500_000)
    const waiting = memory.open('b').reserve(1_000_000)!
    slowUploads.watch({ received: 0, onStalled() {} })
    const values = async () =>
      (await metrics.registry.metrics()).split('\n').filter(line => line.startsWith('sluiceway_bodies'))
    expect(await values()).deep.equal([
      'sluiceway_bodies_used_bytes 1500000',
      'sluiceway_bodies_limit_bytes 2000000',
      'sluiceway_bodies_waiting 1',
      'sluiceway_bodies_reading 1',
      'sluiceway_bodies_refused_total{limit="account"} 0',
      'sluiceway_bodies_refused_total{limit="process"} 0',
    ])
    await waiting.catch(() => {})
    expect((await values()).at(-1)).equal('sluiceway_bodies_refused_total{limit="process"} 1')
    slowUploads.close()
  })

  it('has no limit outside a gateway', () => {
    const { memory } = unlimitedBodies()
    expect(memory.open('a').reserve(1e12)).equal(undefined)
  })
})
