import { expect } from 'chai'
import { bookCredits, creditBalance, creditTotals } from '../../../lib/store/credits.ts'
import { transact } from '../../../lib/store/database.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('credits', () => {
  onEveryStore(store => {
    const book = (request_id: string, amount_microcents: number, account_id = 'a') =>
      transact(store(), session =>
        bookCredits(session, [{ request_id, account_id, amount_microcents, kind: 'top-up', created_at: 1 }]),
      )

    it('are zero at first', async () => {
      expect(await creditBalance(store(), 'a')).equal(0)
    })

    it('add up exactly, in micro-cents', async () => {
      await book('1', 5_000_000_000_001)
      await book('2', -1)
      await book('3', 7, 'b')
      expect(await creditBalance(store(), 'a')).equal(5_000_000_000_000)
      expect(await creditBalance(store(), 'b')).equal(7)
    })

    it('distinguish grants from charges', async () => {
      const charge = (request_id: string, amount_microcents: number) => {
        return { request_id, amount_microcents, account_id: 'a', kind: 'charge', created_at: 1 }
      }
      await book('1', 100)
      await transact(store(), session => bookCredits(session, [charge('2', -30), charge('3', -4)]))
      await transact(store(), session => bookCredits(session, [charge('3', -4), charge('4', -5)]))
      await book('5', -10)
      await book('6', 1, 'b')
      expect([...(await creditTotals(store(), ['a', 'b', 'c']))].sort()).deep.equal([
        ['a', { granted: 90, charged: 39 }],
        ['b', { granted: 1, charged: 0 }],
      ])
    })

    it('are booked once per request', async () => {
      await book('1', -10)
      await book('1', -10)
      expect(await creditBalance(store(), 'a')).equal(-10)
    })
  })
})
