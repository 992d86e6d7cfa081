import { expect } from 'chai'
import fc from 'fast-check'
import { AggregatorRegistry, Counter, Registry } from 'prom-client'
import { type HotCounter, newHotCounter } from '../../../lib/base/counter.ts'

const options = { name: 'seen_total', help: 'Seen.', labelNames: ['route', 'model'] }

describe('base/counter', () => {
  it('prints what a counter of prom-client prints, whatever was removed meanwhile', async () => {
    const labels = fc.tuple(fc.constantFrom('chat', 'messages'), fc.constantFrom('m', 'a"b'))
    const steps = fc.array(fc.tuple(labels, fc.constantFrom('inc', 'remove', 'reset'), fc.nat(9)), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const [theirs, ours] = [new Registry(), new Registry()]
        const counter = new Counter({ ...options, registers: [theirs] })
        const hot = newHotCounter(options)
        hot.register(ours)
        // Series that were taken before everything, as their users keep them.
        const kept = new Map<string, ReturnType<HotCounter['labels']>>()
        for (const [[route, model], what, by] of taken) {
          const key = `${route} ${model}`
          const series = kept.get(key) ?? hot.labels(route, model)
          kept.set(key, series)
          if (what === 'inc') {
            counter.labels(route, model).inc(by)
            series.inc(by)
          } else if (what === 'remove') {
            counter.remove({ route, model })
            hot.remove({ route, model })
          } else {
            counter.reset()
            hot.reset()
          }
        }
        const lines = async (registry: Registry) => (await registry.metrics()).split('\n').toSorted()
        expect(await lines(ours)).deep.equal(await lines(theirs))
      }),
      { numRuns: 100 },
    )
  })

  it('is added up over processes', async () => {
    const parts = await Promise.all(
      [2, 3].map(async by => {
        const registry = new Registry()
        const hot = newHotCounter(options)
        hot.register(registry)
        hot.labels('chat', 'm').inc(by)
        return registry.getMetricsAsJSON()
      }),
    )
    expect(await AggregatorRegistry.aggregate(parts).metrics()).contain('seen_total{route="chat",model="m"} 5')
  })
})
