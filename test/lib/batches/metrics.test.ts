import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { batchMetrics } from '../../../lib/batches/metrics.ts'
import { ManualClock } from '../../support/clock.ts'

describe('metrics of batches', () => {
  /** A batch of 100 lines with a window of 100 seconds. */
  const batch = (more: object = {}) => {
    const now = new ManualClock().now()
    const times = { created_at: now, in_progress_at: now, expires_at: now + 100_000 }
    return { ...times, total: 100, completed: 0, failed: 0, status: 'in_progress', ...more }
  }

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
    own.unfinished([batch({ created_at: clock.now() - 5000 }), batch()])
    const text = await metrics.registry.metrics()
    for (const line of [
      'sluiceway_batch_in_flight{model="m"} 2',
      'sluiceway_batch_queued_requests{model="m"} 7',
      'sluiceway_batch_requests_total{model="m",outcome="expired"} 3',
      'sluiceway_batch_oldest_seconds 5',
      'sluiceway_batch_late 0',
      'sluiceway_batch_paused{reason="disk_full"} 1',
      'sluiceway_batch_paused{reason="disk_error"} 0',
    ])
      expect(text).include(line)
  })

  it('count batches that will miss their window, from its half on', async () => {
    const metrics = new Metrics()
    const clock = new ManualClock()
    const none = { inFlight: () => new Map(), queued: () => new Map(), paused: () => null }
    const own = batchMetrics(metrics, clock, none)
    const late = async () => /^sluiceway_batch_late (\d+)$/m.exec(await metrics.registry.metrics())![1]
    own.unfinished([
      batch({ completed: 59 }),
      batch({ completed: 40, failed: 20 }),
      batch(),
      batch({ status: 'cancelling' }),
      batch({ status: 'validating', in_progress_at: null, total: 0 }),
    ])
    clock.advance(49_999)
    expect(await late()).equal('0')
    clock.advance(10_001)
    expect(await late()).equal('2')
  })
})
