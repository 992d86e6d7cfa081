import { expect } from 'chai'
import { poolMetrics } from '../../../lib/backends/pool-metrics.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { CounterReader } from '../../../lib/history/counters.ts'
import { BackendSeries } from '../../../plugins/telemetry/metrics/backend-series.ts'
import { usageOf } from '../../support/reply-usage.ts'

const URL = 'http://a/v1'

describe('CounterReader', () => {
  const facts = (outcome: 'ok' | 'timeout') => {
    const times = { startedMs: 0, firstTokenMs: 5, endedMs: 9 }
    return {
      model: 'm',
      backend: URL,
      engine: 'vllm',
      ...times,
      status: 200,
      outcome,
      reason: null,
      usage: null,
      choice: null,
    }
  }

  it('reads what metrics have counted since the last reading', async () => {
    const metrics = new Metrics()
    const reader = new CounterReader(metrics)
    expect(await reader.read()).deep.equal({ counted: [], ejections: [] })
    const series = new BackendSeries(metrics)
    const usage = usageOf({ inputTokens: 10, outputTokens: 4, cacheReadTokens: 0 })
    series.observe([facts('timeout'), facts('ok')], usage, true)
    const read = async () => (await reader.read()).counted.map(({ column, more }) => [column, more])
    expect(await read()).deep.equal([
      ['requests', 1],
      ['timeout', 1],
      ['requests', 1],
      ['input_tokens', 10],
      ['output_tokens', 4],
      ['cached_tokens', 0],
    ])
    expect(await read()).deep.equal([['cached_tokens', 0]])
    series.observe([facts('ok')], undefined, true)
    expect(await read()).deep.equal([
      ['requests', 1],
      ['cached_tokens', 0],
    ])
  })

  it('begins again for a backend that was removed', async () => {
    const metrics = new Metrics()
    const reader = new CounterReader(metrics)
    const series = new BackendSeries(metrics)
    const requests = async () =>
      (await reader.read()).counted.filter(({ column }) => column === 'requests').map(({ more }) => more)
    for (let i = 0; i < 3; i++) series.observe([facts('ok')], undefined, true)
    expect(await requests()).deep.equal([3])
    await metrics.forget({ model: 'm', backend: URL })
    expect(await requests()).deep.equal([])
    series.observe([facts('ok')], undefined, true)
    expect(await requests()).deep.equal([1])
  })

  it('reads ejections with their reasons', async () => {
    const metrics = new Metrics()
    const reader = new CounterReader(metrics)
    const { onEjected } = poolMetrics(metrics)
    onEjected?.({ model: 'm', address: URL } as never, 'connection')
    onEjected?.({ model: 'm', address: URL } as never, 'connection')
    expect((await reader.read()).ejections).deep.equal([{ model: 'm', backend: URL, reason: 'connection' }])
    expect((await reader.read()).ejections).deep.equal([])
  })
})
