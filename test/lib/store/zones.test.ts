import { expect } from 'chai'
import { ZONE } from '../../../lib/store/zones.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const endpoint = 'acme.example.com'

describe('zones', () => {
  onEveryStore(store => {
    const zones = () => store().db.selectFrom('request_zones').selectAll().orderBy('zone').orderBy('endpoint').execute()

    it('contain the extremes of their stored requests', async () => {
      await insertRecords(store(), [
        makeRecord({ created_at: NOON, ttft_ms: 99.6, total_latency_ms: 500, input_tokens: 10, cache_read_tokens: 9 }),
        makeRecord({
          created_at: NOON + ZONE - 1,
          ...{ ttft_ms: 300, total_latency_ms: 2 ** 40, input_tokens: 1000, cache_read_tokens: 50 },
        }),
        makeRecord({ created_at: NOON + 1, ttft_ms: null, total_latency_ms: 7, input_tokens: null }),
      ])
      expect(await zones()).deep.equal([
        {
          endpoint,
          zone: NOON / ZONE,
          requests: 3,
          ...{ min_ttft_ms: 100, max_ttft_ms: 300, min_total_latency_ms: 7, max_total_latency_ms: 2 ** 31 - 1 },
          ...{ max_input_tokens: 1000, min_cache_hit_pct: 5 },
        },
      ])
    })

    it('include late requests, and count each request once', async () => {
      const bare = { created_at: NOON, ttft_ms: null, input_tokens: null, cache_read_tokens: null }
      const first = makeRecord({ ...bare, total_latency_ms: 10 })
      const late = makeRecord({ created_at: NOON, ttft_ms: 5, total_latency_ms: 4 })
      await insertRecords(store(), [first])
      expect((await zones())[0]).include({ requests: 1, min_ttft_ms: null, max_ttft_ms: null, min_cache_hit_pct: null })
      for (const records of [[late], [first, late], [makeRecord({ ...bare, total_latency_ms: 6 })]]) {
        await insertRecords(store(), records)
      }
      const [zone] = await zones()
      expect(zone).include({ requests: 3, min_ttft_ms: 5, max_ttft_ms: 5, min_total_latency_ms: 4 })
      expect(zone).include({ max_total_latency_ms: 10, min_cache_hit_pct: 40 })
    })

    it('are per endpoint and ten minutes, only for the request table', async () => {
      await insertRecords(store(), [
        makeRecord({ created_at: NOON - 1 }),
        makeRecord({ created_at: NOON }),
        makeRecord({ created_at: NOON, endpoint: 'other.example.com' }),
        makeRecord({ created_at: NOON, endpoint: null, surface: 'gateway' }),
        makeRecord({ created_at: NOON, status_code: 400, dispatched: false, ttft_ms: 9999 }),
      ])
      expect((await zones()).map(row => [row.zone, row.endpoint, row.requests, row.max_ttft_ms])).deep.equal([
        [NOON / ZONE - 1, endpoint, 1, 120],
        [NOON / ZONE, endpoint, 1, 120],
        [NOON / ZONE, 'other.example.com', 1, 120],
      ])
    })
  })
})
