import { expect } from 'chai'
import { bulkInsert, insertRows } from '../../../lib/store/bulk.ts'

describe('bulk insert', () => {
  const insert = bulkInsert('credit_balances', { account_id: 'text' }, 'do nothing')

  it('yields one insertion and returns the result', () => {
    const work = insertRows(insert, [['a'], ['b']])
    expect(work.next()).deep.equal({ done: false, value: { insert, rows: [['a'], ['b']] } })
    expect(work.next(['b'])).deep.equal({ done: true, value: ['b'] })
  })

  it('yields nothing without rows', () => {
    expect(insertRows(insert, []).next()).deep.equal({ done: true, value: [] })
  })
})
