import { expect } from 'chai'
import { bookEntries, type CreditEntry } from '../../../lib/store/ledger.ts'

describe('ledger', () => {
  const entry = (request_id: string, account_id: string, amount_microcents: number, kind = 'charge'): CreditEntry => {
    return { request_id, account_id, amount_microcents, kind, created_at: 1 }
  }

  it('adds new entries to balances, once per account', () => {
    const work = bookEntries([
      entry('1', 'b', -5),
      entry('2', 'a', 9, 'top-up'),
      entry('3', 'b', -2),
      entry('4', 'b', -1),
    ])
    const asked = work.next()
    expect(asked.done === false && asked.value.rows.map(([id]) => id)).deep.equal(['1', '2', '3', '4'])
    const balances = work.next(['1', '2', '4'])
    expect(balances.done === false && balances.value.rows).deep.equal([
      ['a', 9, 0],
      ['b', -6, 6],
    ])
    expect(work.next([])).deep.equal({ done: true, value: true })
  })

  it('does not change balances for known entries', () => {
    const work = bookEntries([entry('1', 'a', -5)])
    work.next()
    expect(work.next([])).deep.equal({ done: true, value: false })
  })
})
