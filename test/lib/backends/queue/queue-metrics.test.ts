import { expect } from 'chai'
import { queueMetrics } from '../../../../lib/backends/queue/queue-metrics.ts'
import { Metrics } from '../../../../lib/base/metrics.ts'

describe('queueMetrics', () => {
  it('counts waits by how they ended, and how long they were', async () => {
    const metrics = new Metrics()
    const ended = queueMetrics(metrics, () => new Map())
    ended('m', 'served', 300)
    ended('m', 'timeout', 10_000)
    const lines = (await metrics.registry.metrics()).split('\n')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="served"} 1')
    expect(lines).include('sluiceway_queue_requests_total{model="m",outcome="timeout"} 1')
    expect(lines).include('sluiceway_queue_wait_seconds_sum{model="m"} 10.3')
    expect(lines).include('sluiceway_queue_wait_seconds_bucket{le="0.5",model="m"} 1')
  })
})
