import { expect } from 'chai'
import type { LookupFilter } from '../../../../lib/store/queries/lookup.ts'
import { searchRequests } from '../../../../lib/store/queries/search.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const MINUTE = 60_000_000
const OTHER = '00000000-0000-4000-8000-000000000002'

/** One per minute, newest first. Every tenth is refused before a model is known, every seventh has another model. */
const ALL = Array.from({ length: 100 }, (_, i) =>
  makeRecord({
    created_at: NOON - i * MINUTE,
    surface: 'gateway',
    endpoint: null,
    account_id: i % 2 === 0 ? OTHER : '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
    ...(i % 10 === 3 && { status_code: 400, dispatched: false, error_code: 'http_400' }),
    ...(i % 7 === 5 && { model_resolved: 'rare', user_id: 'bob@acme.test' }),
  }),
)
const idsOf = (matches: (record: (typeof ALL)[number]) => boolean) => ALL.filter(matches).map(({ id }) => id)

describe('search of requests', () => {
  onEveryStore(store => {
    beforeEach(() => insertRecords(store(), ALL))

    const page = (filter: Partial<LookupFilter>, limit: number, portion: number, maxMs: number) =>
      searchRequests(store(), { since: NOON - 200 * MINUTE, ...filter }, limit, { first: portion, portion, maxMs })
    /** All pages. */
    const pages = async (filter: Partial<LookupFilter>, limit: number, portion: number, maxMs: number) => {
      const found: string[][] = []
      for (let before: string | undefined; ; ) {
        const { rows, next } = await page({ ...filter, before }, limit, portion, maxMs)
        found.push(rows.map(({ id }) => id))
        if (next === null) return found
        before = next
      }
    }

    it('finds each match once and in order, for every size of portions', async () => {
      const filters = [
        [{ model: 'rare' }, idsOf(one => one.model_resolved === 'rare')],
        [{ user: 'bob@acme.test' }, idsOf(one => one.user_id === 'bob@acme.test')],
        [{ status: 400 }, idsOf(one => one.status_code === 400)],
        [{ errors: true, account: OTHER }, idsOf(one => one.status_code === 400 && one.account_id === OTHER)],
        [{ path: '/v1/chat/completions' }, idsOf(() => true)],
        [{ model: 'none' }, []],
      ] as const
      for (const [filter, expected] of filters) {
        for (const [limit, portion, maxMs] of [
          [3, 10, 0],
          [3, 10, 60_000],
          [50, 1, 0],
          [200, 1000, 0],
        ] as const) {
          const found = await pages(filter, limit, portion, maxMs)
          expect(found.flat(), JSON.stringify([filter, limit, portion])).deep.equal(expected)
          for (const ids of found) expect(ids.length).most(limit)
        }
      }
    })

    it('stops at the time limit, and continues from there', async () => {
      const found = await pages({ model: 'none' }, 5, 10, 0)
      expect(found.length).within(9, 11)
      expect(await pages({ model: 'none' }, 5, 10, 60_000)).deep.equal([[]])
      for (const filter of [{ key: 'none' }, { user: 'none' }])
        expect((await pages(filter, 5, 10, 0)).length, JSON.stringify(filter)).within(9, 11)
    })

    it('reads no portions if an index contains the matches in order', async () => {
      const { rows, next } = await page({ account: OTHER }, 20, 1, 0)
      expect(rows).length(20)
      expect(next).equal(rows.at(-1)!.id)
      expect(await pages({ account: OTHER }, 50, 1, 0)).length(1)
      expect(await pages({ account: OTHER, user: 'bob@acme.test' }, 50, 1, 0)).length(1)
    })

    it('reads nothing before `from`', async () => {
      const [newest, second] = idsOf(() => true)
      expect((await page({ from: second! }, 5, 10, 0)).rows.map(({ id }) => id)).deep.equal([newest, second])
    })
  })
})
