import { expect } from 'chai'
import { modelUsage, type UsageFilter, type UsageRow, usageByDay } from '../../../../lib/store/queries/usage.ts'
import type { RequestRecord } from '../../../../lib/store/record.ts'
import { keepRetention } from '../../../../lib/store/retention.ts'
import { seededRandom } from '../../../../simulator/random.ts'
import { clockAt } from '../../../support/clock.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore, silent } from '../../../support/stores.ts'

const HOUR = 3_600_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const account_id = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'

describe('usage', () => {
  onEveryStore(store => {
    const insert = (...fields: Partial<RequestRecord>[]) =>
      insertRecords(
        store(),
        fields.map(own => makeRecord({ created_at: NOON, surface: 'gateway', endpoint: null, ...own })),
      )
    const periodOf = (filter: Partial<UsageFilter> = {}) =>
      usageByDay(store(), { account_id, from: NOON - 72 * HOUR, to: NOON + HOUR, ...filter })
    const usage = async (filter: Partial<UsageFilter> = {}) => (await periodOf(filter)).rows

    it('is summed by user, day and model', async () => {
      await insert(
        {},
        { key_id: 'k2', input_tokens: 10, output_tokens: 5, cache_read_tokens: 0 },
        { created_at: NOON - 13 * HOUR },
        { model_resolved: 'other' },
        { user_id: 'bob@acme.test' },
        { account_id: '00000000-0000-4000-8000-000000000000' },
      )
      const alice = { user_id: 'alice@acme.test', model: 'qwen3-32b' }
      const one = { requests: 1, input_tokens: 1000, output_tokens: 200, cache_read_tokens: 400, units: 0, batch: 0 }
      expect(await usage()).deep.equal([
        { ...alice, date: '2026-11-20', ...one },
        { ...alice, date: '2026-11-21', model: 'other', ...one },
        {
          ...alice,
          date: '2026-11-21',
          requests: 2,
          input_tokens: 1010,
          output_tokens: 205,
          cache_read_tokens: 400,
          units: 0,
          batch: 0,
        },
        { user_id: 'bob@acme.test', date: '2026-11-21', model: 'qwen3-32b', ...one },
      ])
    })

    it('is restricted to a user, a key, an endpoint, a surface and a period', async () => {
      await insert(
        {},
        { user_id: null, key_id: 'legacy' },
        { surface: 'dedicated', endpoint: 'acme.example.com' },
        { created_at: NOON - 5 * HOUR },
      )
      const requests = async (filter: Partial<UsageFilter>) =>
        (await usage(filter)).reduce((sum, row) => sum + row.requests, 0)
      expect(await requests({ user_id: 'alice@acme.test' })).equal(3)
      expect(await usage({ key_id: 'legacy' })).deep.equal([
        {
          user_id: null,
          date: '2026-11-21',
          model: 'qwen3-32b',
          requests: 1,
          input_tokens: 1000,
          output_tokens: 200,
          cache_read_tokens: 400,
          units: 0,
          batch: 0,
        },
      ])
      expect(await requests({ endpoint: 'acme.example.com' })).equal(1)
      expect(await requests({ surface: 'gateway' })).equal(3)
      expect(await requests({ from: NOON - 5 * HOUR, to: NOON })).equal(1)
      expect(await requests({ from: NOON })).equal(3)
      expect(await requests({ from: NOON + 60_000_000 })).equal(0)
      expect(await requests({ to: NOON - 6 * HOUR })).equal(0)
      expect(await usage({ user_id: 'carol@acme.test' })).deep.equal([])
    })

    /** Requests of a day at random times, also in the last microsecond of an hour. */
    const oddDay = async () => {
      const random = seededRandom(3)
      const odd = Array.from({ length: 300 }, () => Math.floor(random() * 24 * HOUR))
      const times = [...odd, 0, HOUR - 1, HOUR, 5 * HOUR - 1, 5 * HOUR].map(at => NOON - 24 * HOUR + at)
      await insert(
        ...times.map((created_at, i) => ({
          created_at,
          input_tokens: 1 + i,
          status_code: i % 9 === 0 ? 499 : 200,
          output_tokens: i % 9 === 0 ? null : 3,
          cache_read_tokens: i % 3 === 0 ? null : 1,
          user_id: i % 5 === 0 ? null : 'alice@acme.test',
          dispatched: i % 17 !== 0,
        })),
        { created_at: NOON - HOUR + 7, status_code: 502, input_tokens: null, output_tokens: null },
      )
    }
    type Row = { readonly requests: number; readonly input_tokens: number; readonly output_tokens: number }
    const totals = (rows: readonly Row[]) => [
      rows.reduce((sum, row) => sum + row.requests, 0),
      rows.reduce((sum, row) => sum + row.input_tokens, 0),
      rows.reduce((sum, row) => sum + row.output_tokens, 0),
    ]

    it('of whole days of an account is read from totals without keys in SQLite, with the same sums', async () => {
      await insert({}, { key_id: 'k2' }, { endpoint: 'acme.example.com' }, { user_id: 'bob@acme.test' })
      const days = { from: NOON - 12 * HOUR, to: NOON + 12 * HOUR }
      const whole = await usage(days)
      expect(whole.map(({ requests }) => requests)).deep.equal([3, 1])
      expect(await usage({ ...days, surface: 'gateway' })).deep.equal(whole)
      if (store().dialect === 'postgres') return
      await store().db.deleteFrom('usage_days').execute()
      expect(await usage(days)).deep.equal(whole)
      expect(await usage({ ...days, surface: 'gateway' })).deep.equal([])
    })

    it('keeps lines of batches apart, in totals and in records, as a part of the gateway', async () => {
      const line = { surface: 'batch', batch_id: 'batch_1' } as const
      await insert({}, line, { ...line, created_at: NOON - 13 * HOUR }, { ...line, unit: 'images', units: 3 })
      const parts = (rows: readonly UsageRow[]) =>
        rows.map(({ date, batch, requests, units }) => [date, batch, requests, units])
      const whole = [
        ['2026-11-20', 1, 1, 0],
        ['2026-11-21', 0, 1, 0],
        ['2026-11-21', 1, 2, 3],
      ]
      expect(parts(await usage())).deep.equal(whole)
      expect(parts(await usage({ from: NOON - 13 * HOUR, to: NOON + 1 }))).deep.equal(whole)
      expect(parts(await usage({ surface: 'gateway' }))).deep.equal(whole)
      expect(parts(await usage({ surface: 'batch' }))).deep.equal([whole[0], whole[2]])
    })

    it('of adjacent periods adds up, for every boundary', async () => {
      await oddDay()
      const whole = totals(await usage({ from: NOON - 24 * HOUR, to: NOON }))
      expect(whole[0]).above(200)
      const random = seededRandom(4)
      const cuts = Array.from({ length: 12 }, () => NOON - Math.floor(random() * 24 * HOUR))
      const ends = [NOON - 24 * HOUR, NOON - 24 * HOUR + HOUR - 1, NOON - 19 * HOUR, ...cuts, NOON].sort(
        (a, b) => a - b,
      )
      const parts = []
      for (const [i, from] of ends.slice(0, -1).entries()) {
        const to = ends[i + 1]!
        const part = await periodOf({ from, to })
        expect(part).include({ from, to })
        parts.push(...part.rows)
      }
      expect(totals(parts)).deep.equal(whole)
    })

    it('within an hour is that of its records', async () => {
      await oddDay()
      const from = NOON - 20 * HOUR + 1_000_000
      const to = from + HOUR / 2
      const rows = await store()
        .db.selectFrom('requests')
        .select(['input_tokens', 'dispatched'])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .execute()
      const counted = rows.filter(({ dispatched }) => dispatched)
      const [requests, input] = totals(await usage({ from, to }))
      expect(requests).equal(counted.length).above(1)
      expect(input).equal(counted.reduce((sum, row) => sum + row.input_tokens!, 0))
    })

    it('is widened to whole hours if records are no longer kept, and returns the period', async () => {
      await oddDay()
      const from = NOON - 20 * HOUR + HOUR / 2
      const before = await periodOf({ from, to: NOON - 1 })
      expect(before).include({ from, to: NOON - 1 })
      await keepRetention({ store: store(), days: 1, log: silent, clock: clockAt(NOON + 14 * HOUR) })()
      const after = await periodOf({ from, to: NOON - 1 })
      expect(after).include({ from: NOON - 20 * HOUR, to: NOON - 1 })
      expect(totals(after.rows)[0]).above(totals(before.rows)[0]!)
      const old = await periodOf({ from, to: from + 60_000_000 })
      expect(old).include({ from: NOON - 20 * HOUR, to: NOON - 19 * HOUR })
      const hours = await periodOf({ from: NOON - 20 * HOUR, to: NOON - 19 * HOUR })
      expect(old).deep.equal(hours)
    })
  })
})

describe('usage by model', () => {
  onEveryStore(store => {
    it('is that of an account or of a key, in whole hours', async () => {
      const base = makeRecord({ created_at: NOON })
      const account = base.account_id!
      await insertRecords(store(), [
        base,
        makeRecord({ created_at: NOON + 1, key_id: 'k2' }),
        makeRecord({ created_at: NOON + HOUR, model_resolved: 'n' }),
        makeRecord({ created_at: NOON, account_id: '00000000-0000-4000-8000-000000000002' }),
      ])
      const from = NOON / HOUR
      const sums = { input_tokens: 1000, output_tokens: 200, cache_read_tokens: 400, units: 0, batch: 0 }
      expect(await modelUsage(store(), { account, key: 'k2', from, to: from + 1 })).deep.equal([
        { model: 'qwen3-32b', ...sums },
      ])
      const rows = await modelUsage(store(), { account, key: undefined, from, to: from + 2 })
      expect(rows).deep.include.members([
        { model: 'qwen3-32b', input_tokens: 2000, output_tokens: 400, cache_read_tokens: 800, units: 0, batch: 0 },
        { model: 'n', ...sums },
      ])
      expect(await modelUsage(store(), { account, key: undefined, from: from + 2, to: from + 9 })).deep.equal([])
    })
  })
})
