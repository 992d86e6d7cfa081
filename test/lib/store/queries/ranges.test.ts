import { expect } from 'chai'
import { boundsOf } from '../../../../lib/store/queries/bounds.ts'
import { type Range, rangesToScan } from '../../../../lib/store/queries/ranges.ts'
import { ZONE } from '../../../../lib/store/zones.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const endpoint = 'acme.example.com'

describe('ranges to scan', () => {
  onEveryStore(store => {
    const scan = async (filter: { min_ttft_ms: number }, before?: number) => {
      const ranges: Range[] = []
      for await (const range of rangesToScan(store(), endpoint, boundsOf(filter), before)) ranges.push(range)
      return ranges
    }
    const rangesOf = async (zones: readonly { readonly zone: number; readonly requests: number }[]) => {
      const extremes = {
        ...{ min_ttft_ms: 1, max_ttft_ms: 1, min_total_latency_ms: 1, max_total_latency_ms: 1 },
        ...{ max_input_tokens: 1, min_cache_hit_pct: 0 },
      }
      const rows = zones.map(zone => ({ endpoint, ...zone, ...extremes }))
      await store().db.deleteFrom('request_zones').execute()
      await store().db.insertInto('request_zones').values(rows).execute()
      return (await scan({ min_ttft_ms: 1 })).map(({ from, to }) => [from / ZONE, to / ZONE])
    }

    it('join zones up to some ten thousand requests', async () => {
      expect(await rangesOf([9, 8, 7, 6].map(zone => ({ zone, requests: 20_000 })))).deep.equal([
        [8, 10],
        [6, 8],
      ])
    })

    it('include only gaps that are faster to scan than to skip', async () => {
      expect(await rangesOf([9, 6].map(zone => ({ zone, requests: 1500 })))).deep.equal([
        [9, 10],
        [6, 7],
      ])
      expect(await rangesOf([9, 6].map(zone => ({ zone, requests: 900 })))).deep.equal([[6, 10]])
    })

    it('divide a zone that is too large for one statement', async () => {
      expect(await rangesOf([{ zone: 2, requests: 170_000 }])).deep.equal([
        [2.75, 3],
        [2.5, 2.75],
        [2.25, 2.5],
        [2, 2.25],
      ])
    })

    it('are none without zones', async () => {
      expect(await scan({ min_ttft_ms: 1 })).deep.equal([])
    })

    /** One request in every second zone. One in 100 is slow. */
    const insert = () =>
      insertRecords(
        store(),
        Array.from({ length: 1000 }, (_, i) =>
          makeRecord({ created_at: NOON - 2 * i * ZONE, ttft_ms: i % 100 === 50 ? 5000 : 10 }),
        ),
      )

    it('omit the zones without possible matches', async () => {
      await insert()
      expect(await scan({ min_ttft_ms: 5001 })).deep.equal([])
      const covered = (await scan({ min_ttft_ms: 11 })).reduce((sum, { from, to }) => sum + to - from, 0)
      expect(covered / ZONE).at.most(2000)
    })

    it('cover each zone that may match once, newest first, from the cursor on', async () => {
      await insert()
      const ranges = await scan({ min_ttft_ms: 1 }, NOON - 600 * ZONE)
      expect(ranges[0]!.to).equal(NOON - 600 * ZONE + ZONE)
      expect(ranges.at(-1)!.from).equal(NOON - 1998 * ZONE)
      for (const [i, { from, to }] of ranges.entries()) {
        expect(from).lessThan(to)
        if (i > 0) expect(to).at.most(ranges[i - 1]!.from)
      }
    })
  })
})
