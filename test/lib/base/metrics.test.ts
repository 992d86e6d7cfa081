import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'

describe('metrics', () => {
  it('continue to count when a reloaded configuration registers them again', async () => {
    const metrics = new Metrics()
    metrics.counter({ name: 'seen_total', help: 'Seen.', labelNames: ['route'] }).inc({ route: 'chat' }, 2)
    metrics.counter({ name: 'seen_total', help: 'Seen.', labelNames: ['route'] }).inc({ route: 'chat' })
    metrics.gauge({ name: 'open', help: 'Open.' }).set(3)
    metrics.gauge({ name: 'open', help: 'Open.' }).dec()
    metrics.histogram({ name: 'took_seconds', help: 'Took.', buckets: [1] }).observe(0.5)
    metrics.histogram({ name: 'took_seconds', help: 'Took.', buckets: [1] }).observe(2)
    const text = await metrics.registry.metrics()
    expect(text).contain('seen_total{route="chat"} 3')
    expect(text).contain('open 2')
    expect(text).contain('took_seconds_bucket{le="1"} 1').and.contain('took_seconds_count 2')
  })

  it('forget series by some of their labels, whatever their other labels', async () => {
    const metrics = new Metrics()
    const labelNames = ['model', 'backend', 'outcome'] as const
    const seen = metrics.counter({ name: 'seen_total', help: 'Seen.', labelNames })
    const took = metrics.histogram({
      name: 'took_seconds',
      help: 'Took.',
      labelNames: ['model', 'backend'],
      buckets: [1],
    })
    for (const backend of ['a', 'b']) {
      for (const outcome of ['ok', 'failed']) seen.inc({ model: 'm', backend, outcome })
      took.observe({ model: 'm', backend }, 0.5)
    }
    const bound = took.labels('m', 'a')
    metrics.counter({ name: 'plain_total', help: 'Plain.' }).inc()
    await metrics.forget({ model: 'm', backend: 'a' })
    const text = await metrics.registry.metrics()
    expect(text).not.contain('backend="a"')
    expect(text).contain('backend="b",outcome="failed"} 1').and.contain('took_seconds_count{model="m",backend="b"} 1')
    expect(text).contain('plain_total 1')
    // A series that returns starts at zero, also for callers with a bound series.
    bound.observe(2)
    expect(await metrics.registry.metrics()).contain('took_seconds_count{model="m",backend="a"} 1')
  })

  it('of two gateways in one process are separate', async () => {
    const one = new Metrics()
    const two = new Metrics()
    one.counter({ name: 'seen_total', help: 'Seen.' }).inc()
    expect(await two.registry.metrics()).not.contain('seen_total')
  })

  it('include memory, CPU and event-loop delay of the process on request', async () => {
    const metrics = new Metrics()
    metrics.collectProcess()
    const text = await metrics.registry.metrics()
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).contain(name)
  })

  it('call no gauge a total', async () => {
    const metrics = new Metrics()
    metrics.collectProcess()
    expect(await metrics.registry.metrics()).not.match(/^# TYPE \S+_total gauge$/m)
  })
})
