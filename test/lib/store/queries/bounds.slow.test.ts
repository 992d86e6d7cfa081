import { expect } from 'chai'
import { boundsOf } from '../../../../lib/store/queries/bounds.ts'
import { listRequests, type RequestFilter } from '../../../../lib/store/queries/requests.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const endpoint = 'acme.example.com'
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const HOUR = 3_600_000_000

describe('bounds of a list', () => {
  it('are only those that restrict', () => {
    expect(boundsOf({})).deep.equal([])
    expect(boundsOf({ min_input_tokens: 0 })).deep.equal([])
    expect(boundsOf({ min_ttft_ms: 0, max_ttft_ms: 7, max_cache_hit_pct: 0 })).deep.equal([
      { column: 'ttft_ms', operator: '>=', value: 0 },
      { column: 'ttft_ms', operator: '<=', value: 7 },
      { column: 'cache_hit_pct', operator: '<=', value: 0 },
    ])
  })

  onEveryStore(store => {
    /** Reproducible numbers. */
    const seed = (length: number) => {
      let state = 12_345
      const draw = (below: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % below
      }
      return Array.from({ length }, () => {
        const streams = draw(5) > 0
        return makeRecord({
          // Days with many requests, hours with none, and many requests with the same time.
          created_at: NOON - draw(40) * 7 * HOUR - draw(30) * 20_000_000,
          ttft_ms: streams ? draw(400) ** 2 : null,
          total_latency_ms: draw(300) ** 2,
          input_tokens: draw(10) === 0 ? null : draw(200) ** 2,
          cache_read_tokens: draw(100),
          request_tags: draw(3) === 0 ? ['a'] : draw(5) === 0 ? ['b', 'a'] : null,
        })
      })
    }

    it('select exactly the requests within them, for every page size', async () => {
      const records = seed(1500)
      await insertRecords(store(), records)
      const share = ({ input_tokens: input, cache_read_tokens: cached }: (typeof records)[number]) =>
        input && cached !== null ? (cached / input) * 100 : null
      const test: Readonly<Record<string, (record: (typeof records)[number], value: number) => boolean>> = {
        min_ttft_ms: ({ ttft_ms }, value) => ttft_ms !== null && ttft_ms >= value,
        max_ttft_ms: ({ ttft_ms }, value) => ttft_ms !== null && ttft_ms <= value,
        min_total_latency_ms: ({ total_latency_ms }, value) => total_latency_ms >= value,
        max_total_latency_ms: ({ total_latency_ms }, value) => total_latency_ms <= value,
        max_cache_hit_pct: (record, value) => (share(record) ?? 101) <= value,
        min_input_tokens: ({ input_tokens }, value) => value <= 0 || (input_tokens !== null && input_tokens >= value),
      }
      const filters: Partial<RequestFilter>[] = [
        ...[0, 1, 10_000, 158_000, 1e9].flatMap(value => [{ min_ttft_ms: value }, { max_ttft_ms: value }]),
        ...[0, 1, 40_000, 89_000, 1e9].flatMap(value => [
          { min_total_latency_ms: value },
          { max_total_latency_ms: value },
        ]),
        ...[0, 0.01, 0.5, 50, 100].map(value => ({ max_cache_hit_pct: value })),
        ...[0, 1, 39_000, 1e9].map(value => ({ min_input_tokens: value })),
        { min_ttft_ms: 150_000, max_total_latency_ms: 100 },
        { min_ttft_ms: 90_000, max_ttft_ms: 91_000, min_input_tokens: 30_000 },
        { max_cache_hit_pct: 1, min_input_tokens: 20_000, tags: ['a'] },
        { min_total_latency_ms: 80_000, tags: ['b', 'c'] },
      ]
      for (const filter of filters) {
        const wanted = records
          .filter(record => {
            const { tags, ...bounds } = filter
            const tagged = tags === undefined || tags.some(tag => record.request_tags?.includes(tag))
            return tagged && Object.entries(bounds).every(([name, value]) => test[name]!(record, Number(value)))
          })
          .map(({ id, created_at }) => ({ place: Number.parseInt(id.slice(-12), 16), created_at, id: id.slice(-12) }))
          .sort((a, b) => b.created_at - a.created_at || b.place - a.place)
          .map(({ id }) => id)
        for (const limit of [50, 200]) {
          const found: unknown[] = []
          let cursor: { created_at: number; public_id: number } | undefined
          for (let pages = 0; pages < 40; pages++) {
            const page = await listRequests(store(), { endpoint, ...filter }, cursor, limit)
            found.push(...page.requests.map(row => row.request_id))
            if (!page.has_more) break
            const last = records.find(({ id }) => id.slice(-12) === found.at(-1))!
            cursor = { created_at: last.created_at, public_id: Number.parseInt(last.id.slice(-12), 16) }
          }
          expect(found, JSON.stringify(filter)).deep.equal(wanted)
        }
      }
    })
  })
})
