import { expect } from 'chai'
import { type UsageFilter, usageByDay } from '../../../../lib/store/queries/usage.ts'
import type { RequestRecord } from '../../../../lib/store/record.ts'
import { insertRecords } from '../../../../lib/store/records.ts'
import { makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

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
    const usage = (filter: Partial<UsageFilter> = {}) =>
      usageByDay(store(), { account_id, from: NOON - 72 * HOUR, to: NOON + HOUR, ...filter })

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
      const one = { requests: 1, input_tokens: 1000, output_tokens: 200, cache_read_tokens: 400 }
      expect(await usage()).deep.equal([
        { ...alice, date: '2026-11-20', ...one },
        { ...alice, date: '2026-11-21', model: 'other', ...one },
        { ...alice, date: '2026-11-21', requests: 2, input_tokens: 1010, output_tokens: 205, cache_read_tokens: 400 },
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
        },
      ])
      expect(await requests({ endpoint: 'acme.example.com' })).equal(1)
      expect(await requests({ surface: 'gateway' })).equal(3)
      expect(await requests({ from: NOON - 5 * HOUR, to: NOON })).equal(1)
      expect(await requests({ from: NOON + 60_000_000 })).equal(3)
      expect(await requests({ to: NOON - 6 * HOUR })).equal(0)
      expect(await usage({ user_id: 'carol@acme.test' })).deep.equal([])
    })
  })
})
