import { expect } from 'chai'
import { endUserTokens } from '../../../../lib/store/queries/end-users.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const HOUR = 3_600_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000

describe('tokens of an end user', () => {
  onEveryStore(store => {
    it('are sums by model of the served requests of the period', async () => {
      const used = (model_resolved: string, more: object = {}) =>
        makeRecord({
          ...{ created_at: NOON, model_resolved, end_user: 'ab12', key_id: 'k1' },
          ...{ input_tokens: 10, output_tokens: 2, cache_read_tokens: 4, units: 3, ...more },
        })
      const unserved = {
        status_code: 429,
        input_tokens: null,
        output_tokens: null,
        cache_read_tokens: null,
        units: null,
      }
      await insertRecords(store(), [
        used('m'),
        used('m', { created_at: NOON + HOUR - 1, key_id: 'k2' }),
        used('n', { status_code: 499 }),
        used('m', { end_user: 'none' }),
        used('m', { end_user: null }),
        used('m', { created_at: NOON + HOUR }),
        used('m', unserved),
        used('m', { surface: 'batch', batch_id: 'batch_1' }),
        used('o', { ...unserved, status_code: 499, cache_read_tokens: 4 }),
      ])
      const of = async (key?: string) => {
        const filter = { account: makeRecord().account_id!, key, endUser: 'ab12', from: NOON, to: NOON + HOUR }
        const rows = await endUserTokens(store(), filter)
        return rows
          .map(({ model, batch: _, ...sums }) => [model, ...Object.values(sums)])
          .sort((a, b) => String(a).localeCompare(String(b)))
      }
      expect(await of()).deep.equal([
        ['m', 20, 4, 8, 6],
        ['n', 10, 2, 4, 3],
        ['o', 0, 0, 4, 0],
      ])
      expect(await of('k2')).deep.equal([['m', 10, 2, 4, 3]])
    })
  })
})
