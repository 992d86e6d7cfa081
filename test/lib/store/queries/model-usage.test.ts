import { expect } from 'chai'
import { modelUsage } from '../../../../lib/store/queries/model-usage.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const HOUR = 3_600_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000

describe('usage by model', () => {
  onEveryStore(store => {
    it('is that of an account or of one of its keys, in whole hours', async () => {
      const base = makeRecord({ created_at: NOON })
      const account = base.account_id!
      await insertRecords(store(), [
        base,
        makeRecord({ created_at: NOON + 1, key_id: 'k2' }),
        makeRecord({ created_at: NOON + HOUR, model_resolved: 'n' }),
        makeRecord({ created_at: NOON, account_id: '00000000-0000-4000-8000-000000000002' }),
      ])
      const from = NOON / HOUR
      const sums = { input_tokens: 1000, output_tokens: 200, cache_read_tokens: 400 }
      expect(await modelUsage(store(), { account, key: 'k2', from, to: from + 1 })).deep.equal([
        { model: 'qwen3-32b', ...sums },
      ])
      const rows = await modelUsage(store(), { account, key: undefined, from, to: from + 2 })
      expect(rows).deep.include.members([
        { model: 'qwen3-32b', input_tokens: 2000, output_tokens: 400, cache_read_tokens: 800 },
        { model: 'n', ...sums },
      ])
      expect(await modelUsage(store(), { account, key: undefined, from: from + 2, to: from + 9 })).deep.equal([])
    })
  })
})
