import { expect } from 'chai'
import { noCounts } from '../../../../lib/admin/live/counts.ts'
import { modelOf, pointOf, ratesOf } from '../../../../lib/admin/live/rates.ts'
import type { ListedBackend } from '../../../../lib/backends/backend-list.ts'

describe('the numbers of the page Overview', () => {
  const counts = { ...noCounts(), requests: 10, errors: 5, outputTokens: 100 }

  it('are rates of a period', () => {
    expect(pointOf(1.4, [counts, counts], [], [], 5)).deep.equal({
      ...{ at: 1, requests_per_second: 4, errors_per_second: 2, tokens_per_second: 40, in_flight: 0, queued: null },
      ...{ ttft_p50_ms: null, ttft_p95_ms: null },
    })
    expect(ratesOf(undefined, 60)).deep.equal({
      ...{ requests_per_second: 0, ttft_p50_ms: null, ttft_p95_ms: null, tokens_per_second: 0, errors: 0 },
      ...{ cache_hit_pct: null, wait_ms: null },
    })
  })

  it('have the mean wait of the requests that were sent', () => {
    const sent = { ...counts, sent: 4, waitMs: 600 }
    expect(ratesOf([sent, counts], 60)).deep.include({ wait_ms: 150, errors: 10 })
  })

  it('have the limit of the model, or the sum of those of its backends', () => {
    const backends = (...limits: (number | null)[]) =>
      limits.map(limit => ({ limit, state: 'up', in_flight: 1 }) as ListedBackend)
    const limitOf = (limit: number | undefined, ...own: (number | null)[]) =>
      modelOf('m', limit, backends(...own), []).limit
    expect([limitOf(20, 8, 8, 8), limitOf(20, null), limitOf(undefined, 8, 8)]).deep.equal([20, 20, 16])
    expect(limitOf(undefined, 8, null)).equal(null)
  })

  it('have the queue, if there is one, of all processes', () => {
    const queues = [
      { model: 'm', waiting: 2 },
      { model: 'n', waiting: 3 },
    ]
    expect(pointOf(1, [], [], queues, 5).queued).equal(5)
    expect(modelOf('m', undefined, [], queues.slice(0, 1))).deep.equal({
      ...{ model: 'm', backends: 0, up: 0, in_flight: 0, limit: 0, queued: 2 },
    })
    expect(modelOf('m', undefined, [], []).queued).equal(null)
  })
})
