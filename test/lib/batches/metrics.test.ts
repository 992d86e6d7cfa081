import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { batchMetrics } from '../../../lib/batches/metrics.ts'
import { ManualClock } from '../../support/clock.ts'

describe('metrics of batches', () => {
  it('show what runs, waits and has ended', async () => {
    const metrics = new Metrics()
    const clock = new ManualClock()
    const shown = {
      inFlight: () => new Map([['m', 2]]),
      queued: () => new Map([['m', 7]]),
      paused: () => 'disk_full',
    }
    const own = batchMetrics(metrics, clock, shown)
    own.count('m', 'completed')
    own.count('m', 'expired', 3)
    own.oldest([clock.now() - 5000, clock.now()])
    const text = await metrics.registry.metrics()
    for (const line of [
      'sluiceway_batch_in_flight{model="m"} 2',
      'sluiceway_batch_queued_requests{model="m"} 7',
      'sluiceway_batch_requests_total{model="m",outcome="expired"} 3',
      'sluiceway_batch_oldest_seconds 5',
      'sluiceway_batch_paused{reason="disk_full"} 1',
      'sluiceway_batch_paused{reason="disk_error"} 0',
    ])
      expect(text).include(line)
  })
})
