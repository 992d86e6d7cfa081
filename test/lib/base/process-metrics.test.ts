import { expect } from 'chai'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { collectProcessMetrics } from '../../../lib/base/process-metrics.ts'

/** Names, help and types, without values. */
async function described(collect: (registry: Registry) => void): Promise<string[]> {
  const registry = new Registry()
  collect(registry)
  const text = await registry.metrics()
  return text
    .split('\n')
    .filter(line => line.startsWith('#'))
    .sort()
}

describe('process-metrics', () => {
  it('are those of prom-client', async () => {
    const own = await described(collectProcessMetrics)
    expect(own).deep.equal(await described(register => collectDefaultMetrics({ register })))
    expect(own).contain('# TYPE process_cpu_seconds_total counter')
  })

  it('count the CPU time since they were registered, and the kernel’s part of it', async () => {
    const registry = new Registry()
    const before = process.cpuUsage()
    collectProcessMetrics(registry)
    const sampleOf = async (name: string) => {
      const [value] = (await registry.getSingleMetric(name)!.get()).values
      return value!.value
    }
    const until = performance.now() + 60
    while (performance.now() < until) Math.sqrt(until)
    for (let scrape = 0; scrape < 2; scrape++) await registry.metrics()
    const [ofUser, ofSystem, both] = await Promise.all(
      ['user_seconds', 'system_seconds', 'seconds'].map(name => sampleOf(`process_cpu_${name}_total`)),
    )
    const { user, system } = process.cpuUsage(before)
    expect(ofUser! + ofSystem!).closeTo(both!, 1e-6)
    expect(both).greaterThan(0)
    expect(both).lessThanOrEqual((user + system) / 1e6 + 1e-6)
  })
})
