import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Row } from '../bench/bench.ts'
import { table, verdict } from '../bench/report.ts'
import { Histogram, median } from '../bench/stats.ts'
import { requestBody } from '../bench/workload.ts'

describe('the benchmark', () => {
  it('takes the middle', () => {
    expect(median([3, 1, 2])).equal(2)
    expect(median([4, 1, 2, 3])).equal(2.5)
    expect(median([])).NaN
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
  })

  it('judges figures by their budget', () => {
    const ratio = { against: 'bare', limit: 1.5, aim: 1.2 } as const
    expect(verdict({ gateway: 110, bare: 100 }, ratio)).equal('aim met')
    expect(verdict({ gateway: 130, bare: 100 }, ratio)).equal('in budget')
    expect(verdict({ gateway: 160, bare: 100 }, ratio)).equal('over budget')
    expect(verdict({ gateway: 160 }, ratio)).equal('')
    expect(verdict({ gateway: 2 }, { against: null, limit: 3, atLeast: true })).equal('over budget')
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
      values: { gateway: 3, bare: 2 },
      budget: { against: 'bare', limit: 2 },
    } as const
    expect(table([row])).contain('| x | ms | 3.00 | 2.00 | 1.50 |  |  | 2 × |  | in budget |')
  })

  it('runs', function () {
    if (process.platform !== 'linux') this.skip()
    const main = fileURLToPath(new URL('../bench/main.ts', import.meta.url))
    const out = execFileSync(process.execPath, [main, '--quick', '--only', 'start', '--json'], { encoding: 'utf8' })
    const { rows } = JSON.parse(out) as { rows: Row[] }
    expect(rows.map(({ what }) => what)).deep.equal(['start to the first 200', 'idle'])
    for (const { values } of rows) expect(values.gateway).greaterThan(0)
  })
})
