import { expect } from 'chai'
import type { LiveModel, LivePoint } from '../../../../lib/admin/live/rates.ts'
import { modelTable, modelUpdates } from '../../../../lib/admin/pages/now-models.ts'
import { textIn } from '../../../support/operators.ts'

const row: LiveModel = {
  ...{
    model: 'm',
    backends: 3,
    up: 2,
    in_flight: 16,
    limit: 64,
    queued: null,
    requests_per_second: 1.5,
    tokens_per_second: 120,
  },
  ...{ ttft_p50_ms: 100, ttft_p95_ms: 250, errors: 2, cache_hit_pct: 61.4, wait_ms: 0 },
}
const point: LivePoint = {
  ...{ at: 1_800_000_000, requests_per_second: 2, errors_per_second: 0, ttft_p50_ms: 100, ttft_p95_ms: 200 },
  ...{ tokens_per_second: 50, in_flight: 3, queued: null },
}
const tableOf = (rows: readonly LiveModel[], points: readonly LivePoint[] = []) =>
  modelTable(rows, { pointsOf: () => points }).toString()

describe('the models of the page Overview', () => {
  it('have their load as a bar, rates, times, errors and cache hits, each with a link', () => {
    const text = tableOf([row])
    expect(textIn(text)).match(/m 2 of 3 16 \/ 64 – 1\.50? ≤ 250 ms 120(\.0)? 2 61 %/)
    expect(text).contain('href="/models/m/history"').and.contain('status=errors')
    expect(text).contain('data-live="model m meter"').and.contain('width="25.0"')
  })

  it('have no bar without a limit, and a colour if no backend is up', () => {
    const text = tableOf([{ ...row, limit: null, up: 0 }])
    expect(textIn(text)).contain('16 / ∞')
    expect(text).not.contain('class="meter"')
    expect(text).contain('class="error">0 of 3')
  })

  it('have a line of the last hour in minutes, from the second minute on', () => {
    expect(tableOf([row], Array(12).fill(point))).not.contain('class="sparkline"')
    const slow = { ...point, ttft_p95_ms: 900 }
    const text = tableOf([row], [...Array(12).fill({ ...point, ttft_p95_ms: null }), ...Array(11).fill(point), slow])
    expect(text.match(/class="sparkline"/g)).lengthOf(3)
    expect(text).contain('Requests per second of 2 minutes, at most 2')
    expect(text).contain('TTFT p95 of 2 minutes, at most 900')
  })

  it('have the queue and its mean wait, with a line, only with a queue', () => {
    const points = Array(24).fill({ ...point, queued: 5 })
    const waiting = { ...row, queued: 3, wait_ms: 1234.5 }
    const text = tableOf([waiting], points)
    expect(textIn(text)).contain('16 / 64 3 / 1235 ms')
    expect(text).contain('Queue of 2 minutes, at most 5')
    expect(textIn(tableOf([{ ...waiting, wait_ms: null }]))).contain('16 / 64 3 1.5')
    const { cells } = modelUpdates([waiting])
    expect(cells).deep.include(['model m queue', '3 / 1235 ms'])
    expect(tableOf([row], Array(24).fill(point))).not.contain('Queue of')
  })

  it('change by the names of their elements', () => {
    const { cells, states, meters } = modelUpdates([row])
    const names = Array.from(tableOf([row]).matchAll(/data-live="([^"]*)"/g), ([, name]) => name)
    expect([...cells, ...meters].map(([name]) => name)).members(names)
    expect(meters).deep.equal([['model m meter', '25.0']])
    expect(states).deep.equal([['model m backends', '']])
    expect(modelUpdates([{ ...row, limit: null }]).meters).deep.equal([])
  })
})
