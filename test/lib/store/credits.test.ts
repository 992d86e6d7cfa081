import { expect } from 'chai'
import {
  bookCredits,
  creditBalance,
  creditTotals,
  listLedger,
  listLedgerDays,
  prepaidBalances,
} from '../../../lib/store/credits.ts'
import { transact } from '../../../lib/store/database.ts'
import { onEveryStore } from '../../support/stores.ts'

const NOT_PREPAID = { id: 'c', creditsCents: undefined }

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

    it('are balances of prepaid accounts alone, with what they began with', async () => {
      await book('1', -30)
      const accounts = [{ id: 'a', creditsCents: 1 }, { id: 'b', creditsCents: 2 }, NOT_PREPAID]
      expect([...(await prepaidBalances(store(), accounts))].sort()).deep.equal([
        ['a', 999_970],
        ['b', 2_000_000],
      ])
      expect((await prepaidBalances(store(), [NOT_PREPAID])).size).equal(0)
    })

    it('are booked once per request', async () => {
      await book('1', -10)
      await book('1', -10)
      expect(await creditBalance(store(), 'a')).equal(-10)
    })

    const DAY = 86_400_000_000
    const at = (request_id: string, kind: 'charge' | 'top-up', created_at: number, amount_microcents: number) =>
      transact(store(), session =>
        bookCredits(session, [{ request_id, account_id: 'a', amount_microcents, kind, created_at }]),
      )

    it('are listed between two times', async () => {
      for (const day of [1, 2, 3]) await at(`r${day}`, 'charge', day * DAY, -1)
      const filter = { accountId: 'a', from: 2 * DAY, to: 3 * DAY }
      const { entries } = await listLedger(store(), filter, 10)
      expect(entries.map(({ request_id }) => request_id)).deep.equal(['r2'])
    })

    it('are listed by day, with the charges of a day as one row', async () => {
      await at('a', 'charge', DAY, -1)
      await at('b', 'charge', DAY + 5, -2)
      await at('c', 'top-up', DAY + 3, 100)
      await at('d', 'top-up', DAY + 4, 50)
      await at('e', 'charge', 2 * DAY - 1, -4)
      await at('f', 'charge', 2 * DAY, -8)
      await book('g', 1, 'b')
      const page = await listLedgerDays(store(), { accountId: 'a' })
      expect(page).include({ has_more: false, cursor: null })
      expect(
        page.entries.map(row => [row.day, row.kind, row.entries, row.amount_microcents, row.first_at, row.last_at]),
      ).deep.equal([
        [2, 'charge', 1, -8, 2 * DAY, 2 * DAY],
        [1, 'charge', 3, -7, DAY, 2 * DAY - 1],
        [1, 'top-up', 1, 50, DAY + 4, DAY + 4],
        [1, 'top-up', 1, 100, DAY + 3, DAY + 3],
      ])
    })

    it('are listed in pages of 31 days that neither repeat nor skip a day', async () => {
      for (let day = 1; day <= 40; day++) await at(`r${day}`, 'charge', day * DAY, -day)
      const first = await listLedgerDays(store(), { accountId: 'a' })
      expect([first.entries.length, first.entries[0]!.day, first.has_more]).deep.equal([31, 40, true])
      const second = await listLedgerDays(store(), { accountId: 'a', cursor: first.cursor! })
      expect([second.entries.length, second.entries[0]!.day, second.has_more]).deep.equal([9, 9, false])
    })

    it('are summed up to 20,000 entries a page, and a long day continues on the next one', async () => {
      const entry = (_: unknown, i: number) => {
        return { request_id: `r${i}`, account_id: 'a', amount_microcents: -1, kind: 'charge', created_at: DAY + i }
      }
      await transact(store(), session => bookCredits(session, Array.from({ length: 20_500 }, entry)))
      const first = await listLedgerDays(store(), { accountId: 'a' })
      const second = await listLedgerDays(store(), { accountId: 'a', cursor: first.cursor! })
      const sums = [first, second].map(page => page.entries.map(row => [row.entries, row.amount_microcents]))
      expect(sums).deep.equal([[[20_000, -20_000]], [[500, -500]]])
      expect([first.has_more, second.has_more]).deep.equal([true, false])
    })
  })
})
