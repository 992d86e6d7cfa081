import { expect } from 'chai'
import { type UsageGroup, usageByGroups } from '../../../../lib/store/queries/usage-groups.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const OTHER = '00000000-0000-4000-8000-000000000002'
const tokens = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 4 }

describe('usage by groups', () => {
  onEveryStore(store => {
    beforeEach(() =>
      insertRecords(store(), [
        makeRecord({ created_at: NOON, model_resolved: 'm', request_tags: ['a', 'b'], user_id: null, ...tokens }),
        makeRecord({ created_at: NOON + DAY, model_resolved: 'n', request_tags: ['a'], ...tokens }),
        makeRecord({
          created_at: NOON + DAY,
          model_resolved: 'm',
          request_tags: null,
          key_id: 'k9',
          account_id: OTHER,
          backend: 'http://b/v1',
          ...tokens,
        }),
        makeRecord({ created_at: NOON + 9 * DAY, model_resolved: 'm', ...tokens }),
      ]),
    )
    const by = async (groups: readonly UsageGroup[], account?: string) => {
      const filter = { from: NOON - HOUR, to: NOON + 2 * DAY, account }
      const rows = await usageByGroups(store(), filter, groups, 100)
      return rows.map(row => [...groups.map(group => row[group]), row.requests, row.input_tokens])
    }

    it('sums the requests of the period', async () => {
      expect(await by([])).deep.equal([[3, 30]])
      expect(await by(['day'])).deep.equal([
        ['2026-11-21', 1, 10],
        ['2026-11-22', 2, 20],
      ])
      expect(await by(['model'])).deep.equal([
        ['m', 2, 20],
        ['n', 1, 10],
      ])
      expect(await by(['account', 'key'], OTHER)).deep.equal([[OTHER, 'k9', 1, 10]])
    })

    it('reads totals of accounts without keys in SQLite', async () => {
      if (store().dialect === 'postgres') return
      const days = (groups: readonly UsageGroup[], account?: string) =>
        usageByGroups(store(), { from: NOON - (NOON % DAY), to: NOON - (NOON % DAY) + 2 * DAY, account }, groups, 100)
      await store().db.deleteFrom('usage_days').execute()
      expect((await days(['day', 'model', 'account'], OTHER)).map(({ requests }) => requests)).deep.equal([1])
      expect(await days(['day', 'key'], OTHER)).deep.equal([])
      expect(await days(['day'])).deep.equal([])
    })

    it('sums the requests that name an end user, with the label', async () => {
      const named = (end_user: string | null, more: object = {}) =>
        makeRecord({ created_at: NOON, model_resolved: 'm', end_user, ...tokens, ...more })
      await insertRecords(store(), [
        named('ab12', { end_user_label: 'alice' }),
        named('ab12', { model_resolved: 'n', zdr: true }),
        named('none'),
        named('ab12', { status_code: 429, input_tokens: null, output_tokens: null, cache_read_tokens: null }),
      ])
      expect(await by(['end_user'])).deep.equal([
        ['ab12', 2, 20],
        ['none', 1, 10],
      ])
      expect(await by(['day', 'end_user', 'tag'], OTHER)).deep.equal([])
      const [row] = await usageByGroups(store(), { from: NOON - HOUR, to: NOON + HOUR }, ['end_user'], 10)
      expect(row).include({ end_user: 'ab12', end_user_label: 'alice' })
    })

    it('groups by user and hour from totals, by backend from records', async () => {
      expect(await by(['user'])).deep.equal([
        [null, 1, 10],
        ['alice@acme.test', 2, 20],
      ])
      expect(await by(['hour', 'account'], OTHER)).deep.equal([['2026-11-22T12:00:00Z', OTHER, 1, 10]])
      expect(await by(['day', 'backend'])).deep.equal([
        ['2026-11-21', 'http://10.0.0.1:8000/v1', 1, 10],
        ['2026-11-22', 'http://10.0.0.1:8000/v1', 1, 10],
        ['2026-11-22', 'http://b/v1', 1, 10],
      ])
      expect(await by(['backend', 'model'], OTHER)).deep.equal([['http://b/v1', 'm', 1, 10]])
      expect(await by(['hour', 'user', 'key', 'backend', 'tag'])).lengthOf(3)
    })

    it('groups by the family of the client, or counts one alone', async () => {
      await insertRecords(store(), [makeRecord({ created_at: NOON, client: 'codex', model_resolved: 'm', ...tokens })])
      expect(await by(['client'])).deep.equal([
        ['codex', 1, 10],
        ['other', 3, 30],
      ])
      const filter = { from: NOON - HOUR, to: NOON + 2 * DAY, where: { client: 'codex' } }
      const rows = await usageByGroups(store(), filter, ['model'], 10)
      expect(rows.map(({ model, requests }) => [model, requests])).deep.equal([['m', 1]])
    })

    it('counts the same requests in totals and in records', async () => {
      const failed = { created_at: NOON, status_code: 502, backend: 'http://c/v1' }
      await insertRecords(store(), [
        makeRecord({ ...failed, input_tokens: null, output_tokens: null, cache_read_tokens: null }),
        makeRecord({ ...failed, input_tokens: 0, output_tokens: 0, cache_read_tokens: 1 }),
        makeRecord({ ...failed, status_code: 200, dispatched: false, error_code: null }),
      ])
      const sum = (rows: unknown[][]) => rows.reduce((total, row) => total + Number(row.at(-2)), 0)
      expect(sum(await by(['backend']))).equal(4)
      expect(sum(await by(['model']))).equal(4)
    })

    it('counts a request once per tag', async () => {
      expect(await by(['tag'])).deep.equal([
        ['a', 2, 20],
        ['b', 1, 10],
      ])
      expect(await by(['day', 'tag'], OTHER)).deep.equal([])
    })
  })
})
