import { expect } from 'chai'
import { Registry } from 'prom-client'
import { HotMetric } from '../../../lib/base/hot-metric.ts'
import type { Labels } from '../../../lib/base/series-map.ts'

interface Level {
  isRemoved: boolean
  readonly labels: Labels
  value: number
}

describe('HotMetric', () => {
  it('is shown by a registry, with the values of its kind', async () => {
    const metric = new HotMetric<Level>(
      { name: 'level', help: 'A level.', labelNames: ['a'] },
      {
        type: 'gauge',
        make: labels => ({ isRemoved: false, labels, value: 0 }),
        valuesOf: ({ labels, value }) => (value === 0 ? [] : [{ value, labels }]),
      },
    )
    const registry = new Registry()
    metric.register(registry)
    metric.labels('x').value = 3
    metric.labels('none')
    expect(await registry.metrics()).equal('# HELP level A level.\n# TYPE level gauge\nlevel{a="x"} 3\n')
    metric.remove({ a: 'x' })
    metric.labels('y').value = 1
    expect((await metric.get()).values).deep.equal([{ value: 1, labels: { a: 'y' } }])
    metric.reset()
    expect((await metric.get()).values).deep.equal([])
  })
})
