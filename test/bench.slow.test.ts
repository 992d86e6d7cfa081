import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Row } from '../bench/bench.ts'
import { settledCpuMs } from '../bench/cpu.ts'
import { table, verdict } from '../bench/report.ts'
import { Histogram, median, quantile } from '../bench/stats.ts'
import { requestBody } from '../bench/workload.ts'

describe('the benchmark', () => {
  it('takes the middle', () => {
    expect(median([3, 1, 2])).equal(2)
    expect(median([4, 1, 2, 3])).equal(2.5)
    expect(median([])).NaN
  })

  it('takes quartiles between the values that there are', () => {
    expect(quantile([5, 1, 3, 2, 4], 0.25)).equal(2)
    expect(quantile([4, 1, 2, 3], 0.75)).equal(3.25)
    expect(quantile([7], 0.25)).equal(7)
  })

  it('counts CPU time until a process rests, without that rest', async () => {
    const busy = [0, 40, 60, 60, 110]
    const rest = [110, 120, 120, 120, 120]
    let reads = 0
    expect(await settledCpuMs(() => [...busy, ...rest][reads++]!, 1)).equal(110)
    expect(reads).equal(busy.length + 4)
  })

  it('counts times', () => {
    const times = new Histogram()
    for (let i = 1; i <= 100; i++) times.add(i)
    times.add(9000)
    expect(times.percentile(0.5)).within(50, 52)
    expect(times.percentile(0.99)).within(99, 101)
    expect(times.max).equal(9000)
    expect(new Histogram().percentile(0.5)).NaN
  })

  it('makes bodies of the size that is asked for', () => {
    expect(requestBody('chat', 'json', 2000)).length.within(1800, 2200)
    expect(requestBody('responses', 'json', 1_000_000)).length.within(900_000, 1_100_000)
    expect(requestBody('embeddings', 'vector', 2000)).length.within(1800, 2200)
  })

  it('makes large bodies of many messages, or of one text', () => {
    const messages = (shape: 'messages' | 'text') =>
      (JSON.parse(requestBody('chat', 'json', 1_000_000, shape)) as { messages: unknown[] }).messages
    expect(messages('messages')).length.above(100)
    expect(messages('text')).length(1)
  })

  it('judges figures by their bound', () => {
    const ratio = { against: 'bare', limit: 1.5 } as const
    expect(verdict({ gateway: [130], bare: [100] }, ratio)).equal('within')
    expect(verdict({ gateway: [160], bare: [100] }, ratio)).equal('outside')
    expect(verdict({ gateway: [160] }, ratio)).equal('')
    expect(verdict({ gateway: [2] }, { against: null, limit: 3, atLeast: true })).equal('outside')
  })

  it('compares round by round, because all targets of a round had the same machine', () => {
    // The median of the rounds is 2; of the medians, 20 ÷ 20, it would be 1.
    expect(verdict({ gateway: [4, 20, 200], bare: [2, 20, 100] }, { against: 'bare', limit: 1.5 })).equal('outside')
  })

  it('of several processes prints its usage for arguments that it does not have', () => {
    const script = fileURLToPath(new URL('../bench/scaling/main.ts', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [script, '--rows', '5'], { encoding: 'utf8' })
    expect(status).equal(2)
    expect(stderr).match(/^There is no argument '--rows'\.\n\nUsage: node bench\/scaling\/main\.ts\n/)
  })

  it('prints a table', () => {
    const row = {
      what: 'x',
      unit: 'ms',
      measured: { gateway: [3], bare: [2] },
      budget: { against: 'bare', limit: 2 },
    } as const
    expect(table([row])).equal(
      [
        '| What | Unit | Sluiceway | http-proxy-3 | ÷ | Bound |  |',
        '| - | - | -: | -: | -: | - | - |',
        '| x | ms | 3.00 | 2.00 | 1.50 | 2 × | within |',
      ].join('\n'),
    )
  })

  it('prints quartiles where there are enough measurements, and marks what others disturbed', () => {
    const row = { what: 'x', unit: 'ms', measured: { gateway: [1, 2, 3, 4, 5] }, disturbed: true }
    expect(table([row])).contain('| x ~ | ms | 3.00 (2.00–4.00) |')
  })

  it('runs', function () {
    if (process.platform !== 'linux') this.skip()
    const main = fileURLToPath(new URL('../bench/main.ts', import.meta.url))
    const out = execFileSync(process.execPath, [main, '--quick', '--only', 'start', '--json'], { encoding: 'utf8' })
    const { rows } = JSON.parse(out) as { rows: Row[] }
    expect(rows.map(({ what }) => what)).deep.equal(['start to the first 200', 'idle'])
    for (const { measured } of rows) expect(median(measured.gateway!)).greaterThan(0)
  })
})
