import { expect } from 'chai'
import { endpointMetrics } from '../../../../lib/store/queries/metrics.ts'
import type { RequestRecord } from '../../../../lib/store/record.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const MINUTE = 60_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const endpoint = 'acme.example.com'

describe('metrics of an endpoint', () => {
  onEveryStore(store => {
    const insert = (...fields: Partial<RequestRecord>[]) =>
      insertRecords(
        store(),
        fields.map(own => makeRecord({ created_at: NOON, ...own })),
      )
    const metrics = (minutes = 60, to = NOON + MINUTE) => endpointMetrics(store(), endpoint, to - minutes * MINUTE, to)

    it('count requests, errors and tokens of the window', async () => {
      await insert(
        {},
        { created_at: NOON - 30 * MINUTE, stall_count: 2 },
        { status_code: 429, dispatched: false, input_tokens: null, output_tokens: null, cache_read_tokens: null },
        { stream_error_status_code: 502, input_tokens: 1000, cache_read_tokens: 0 },
        { created_at: NOON - 90 * MINUTE },
        { created_at: NOON + MINUTE },
        { endpoint: 'other.example.com' },
      )
      expect(await metrics()).include({
        endpoint,
        range_minutes: 60,
        from: '2026-11-21T11:01:00.000000Z',
        to: '2026-11-21T12:01:00.000000Z',
        request_count: 4,
        error_count: 2,
        error_rate: 0.5,
        input_tokens: 3000,
        output_tokens: 600,
        cache_read_tokens: 800,
        cache_hit_pct: (800 / 3000) * 100,
        stall_count: 2,
      })
      expect((await metrics()).by_status).deep.equal({ 200: 3, 429: 1 })
    })

    it('have percentiles of successful requests by nearest rank', async () => {
      await insert(
        ...Array.from({ length: 100 }, (_, i) => ({
          created_at: NOON + i,
          ttft_ms: i + 1,
          total_latency_ms: 10 * (i + 1),
          output_tps: (i + 1) / 2,
        })),
        { ttft_ms: 9999, total_latency_ms: 9999, status_code: 504 },
        { ttft_ms: null, total_latency_ms: 5, is_streaming: false, output_tps: null },
      )
      expect(await metrics()).include({
        ttft_p50_ms: 50,
        ttft_p95_ms: 95,
        ttft_p99_ms: 99,
        total_latency_p50_ms: 500,
        total_latency_p95_ms: 950,
        total_latency_p99_ms: 990,
        output_tps_p50: 25,
      })
    })

    it('have a series over the whole window, including gaps', async () => {
      await insert(
        { ttft_ms: 10 },
        { ttft_ms: 30 },
        { created_at: NOON - 2 * MINUTE, status_code: 500, output_tokens: 1 },
      )
      const { series } = await metrics(3)
      expect(series).deep.equal([
        { at: '2026-11-21T11:58:00.000000Z', request_count: 1, error_count: 1, ttft_p95_ms: null, output_tokens: 1 },
        { at: '2026-11-21T11:59:00.000000Z', request_count: 0, error_count: 0, ttft_p95_ms: null, output_tokens: 0 },
        { at: '2026-11-21T12:00:00.000000Z', request_count: 2, error_count: 0, ttft_p95_ms: 30, output_tokens: 400 },
      ])
      const week = await metrics(10_080)
      expect(week.series).length(60)
      expect(week.request_count).equal(3)
      expect((week.series as { request_count: number }[]).at(-1)).include({ request_count: 3, ttft_p95_ms: 30 })
    })

    it('include the whole first minute', async () => {
      await insert({ created_at: NOON + 1 })
      const found = await endpointMetrics(store(), endpoint, NOON + 30_000_000, NOON + 2 * MINUTE)
      expect(found).include({ from: '2026-11-21T12:00:00.000000Z', request_count: 1, ttft_p50_ms: 120 })
    })

    it('are zero and null without requests', async () => {
      expect(await metrics()).include({
        request_count: 0,
        error_rate: 0,
        cache_hit_pct: null,
        ttft_p95_ms: null,
        ttft_p99_ms: null,
        output_tps_p50: null,
      })
    })
  })
})
