import { expect } from 'chai'
import { boundsOf } from '../../../../lib/store/queries/bounds.ts'
import { type Range, rangesToScan, toRanges } from '../../../../lib/store/queries/ranges.ts'
import { ZONE } from '../../../../lib/store/zones.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const endpoint = 'acme.example.com'

const inZones = (ranges: readonly Range[]) => ranges.map(({ from, to }) => [from / ZONE, to / ZONE])

describe('ranges to walk', () => {
  it('join zones up to some ten thousand requests', () => {
    const zones = [9, 8, 7, 6].map(zone => ({ zone, requests: 20_000 }))
    expect(inZones([...toRanges(zones)])).deep.equal([
      [8, 10],
      [6, 8],
    ])
  })

  it('include gaps that are quicker to scan than to skip, and no others', () => {
    const busy = [9, 6].map(zone => ({ zone, requests: 1500 }))
    const quiet = [9, 6].map(zone => ({ zone, requests: 900 }))
    expect(inZones([...toRanges(busy)])).deep.equal([
      [9, 10],
      [6, 7],
    ])
    expect(inZones([...toRanges(quiet)])).deep.equal([[6, 10]])
  })

  it('divide a zone in which one statement would scan too much', () => {
    const ranges = [...toRanges([{ zone: 2, requests: 170_000 }])]
    expect(inZones(ranges)).deep.equal([
      [2.75, 3],
      [2.5, 2.75],
      [2.25, 2.5],
      [2, 2.25],
    ])
  })

  it('are none where there is nothing', () => {
    expect([...toRanges([])]).deep.equal([])
  })

  onEveryStore(store => {
    const walk = async (filter: { min_ttft_ms: number }, before?: number) => {
      const ranges: Range[] = []
      for await (const range of rangesToScan(store(), endpoint, boundsOf(filter), before)) ranges.push(range)
      return ranges
    }
    /** One request in every second zone; one in 100 takes long. */
    const insert = () =>
      insertRecords(
        store(),
        Array.from({ length: 1000 }, (_, i) =>
          makeRecord({ created_at: NOON - 2 * i * ZONE, ttft_ms: i % 100 === 50 ? 5000 : 10 }),
        ),
      )

    it('leave out the zones in which nothing can match', async () => {
      await insert()
      expect(await walk({ min_ttft_ms: 5001 })).deep.equal([])
      const covered = (await walk({ min_ttft_ms: 11 })).reduce((sum, { from, to }) => sum + to - from, 0)
      expect(covered / ZONE).at.most(2000)
    })

    it('cover each zone that may match once, newest first, starting at the cursor', async () => {
      await insert()
      const ranges = await walk({ min_ttft_ms: 1 }, NOON - 600 * ZONE)
      expect(ranges[0]!.to).equal(NOON - 600 * ZONE + ZONE)
      expect(ranges.at(-1)!.from).equal(NOON - 1998 * ZONE)
      for (const [i, { from, to }] of ranges.entries()) {
        expect(from).lessThan(to)
        if (i > 0) expect(to).at.most(ranges[i - 1]!.from)
      }
    })
  })
})
