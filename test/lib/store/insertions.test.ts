import { expect } from 'chai'
import { bulkInsert, insertRows } from '../../../lib/store/bulk.ts'
import { runInsertions } from '../../../lib/store/insertions.ts'
import { onEveryStore } from '../../support/stores.ts'

const columns = [
  { name: 'account_id', type: 'text' },
  { name: 'balance_microcents', type: 'bigint' },
  { name: 'charged_microcents', type: 'bigint' },
] as const

describe('insertions', () => {
  onEveryStore(store => {
    const add = bulkInsert(
      'credit_balances',
      columns,
      '(account_id) do update set balance_microcents = credit_balances.balance_microcents + excluded.balance_microcents',
    )
    const keep = bulkInsert('credit_balances', columns, 'do nothing')
    const run = (...insertion: Parameters<typeof insertRows>) => runInsertions(store(), insertRows(...insertion))

    it('answers the keys of rows that are new or changed', async () => {
      expect(
        await run(keep, [
          ['a', 1, 0],
          ['b', 2, 0],
        ]),
      ).deep.equal(['a', 'b'])
      expect(
        await run(keep, [
          ['c', 3, 0],
          ['a', 9, 0],
        ]),
      ).deep.equal(['c'])
      expect(await run(add, [['a', 10, 0]])).deep.equal(['a'])
      const rows = await store().db.selectFrom('credit_balances').selectAll().orderBy('account_id').execute()
      expect(rows.map(row => row.balance_microcents)).deep.equal([11, 2, 3])
    })

    it('does nothing for no rows', async () => {
      expect(await run(keep, [])).deep.equal([])
    })

    it('takes quotes, line feeds and null as they are', async () => {
      const odd = `'"; drop table x; --\n\\`
      expect(await run(keep, [[odd, 1, 0]])).deep.equal([odd])
    })
  })
})
