import { expect } from 'chai'
import fc from 'fast-check'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { newHotHistogram } from '../../../lib/base/histogram.ts'

const options = { name: 'pace_seconds', help: 'Pace.', labelNames: ['route', 'model'], buckets: [0.01, 0.1, 1] }

describe('base/histogram', () => {
  it('prints what a histogram of prom-client prints', async () => {
    const observed = fc.array(
      fc.tuple(
        fc.constantFrom('chat', 'messages'),
        fc.constantFrom('m', 'a"b'),
        fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.constantFrom(0.01, 0.1, 1)),
      ),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(observed, async observations => {
        const theirs = new Registry()
        const ours = new Registry()
        const histogram = new Histogram({ ...options, registers: [theirs] })
        const hot = newHotHistogram(options)
        hot.register(ours)
        for (const [route, model, value] of observations) {
          histogram.labels(route, model).observe(value)
          hot.labels(route, model).observe(value)
        }
        expect(await ours.metrics()).equal(await theirs.metrics())
      }),
      { numRuns: 50 },
    )
  })

  it('is added up over processes', async () => {
    const parts = await Promise.all(
      [0.05, 0.5].map(async value => {
        const registry = new Registry()
        const hot = newHotHistogram(options)
        hot.register(registry)
        hot.labels('chat', 'm').observe(value)
        return registry.getMetricsAsJSON()
      }),
    )
    const text = await AggregatorRegistry.aggregate(parts).metrics()
    expect(text).contain('pace_seconds_bucket{le="0.1",route="chat",model="m"} 1')
    expect(text).contain('pace_seconds_bucket{le="1",route="chat",model="m"} 2')
    expect(text).contain('pace_seconds_count{route="chat",model="m"} 2')
  })

  it('starts from zero after reset()', async () => {
    const registry = new Registry()
    const hot = newHotHistogram(options)
    hot.register(registry)
    hot.labels('chat', 'm').observe(1)
    registry.resetMetrics()
    expect(await registry.metrics()).not.contain('pace_seconds_count')
  })
})
