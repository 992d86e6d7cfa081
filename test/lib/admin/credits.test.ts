import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits, creditDaysOf, creditsOf } from '../../../lib/admin/credits.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('credits, for operators', () => {
  const { context, audit } = useAdminContext()
  const prepaid = async (name = 'globex') => (await createAccount(context(), { name, credits_cents: 500 })).id

  it('add to the balance and subtract from it, with a note', async () => {
    const id = await prepaid()
    expect(await addCredits(context(), id, { amount_cents: 250, note: 'invoice 7' })).include({ balance_cents: 750 })
    expect(await addCredits(context(), id, { amount_cents: -1000 })).include({ balance_cents: -250 })
    const { ledger, ...rest } = await creditsOf(context(), id, { limit: 10 })
    const shown = { account_id: id, account_name: 'globex', balance_cents: -250, has_more: false, cursor: null }
    expect(rest).deep.equal(shown)
    expect(
      (ledger as { amount_cents: number; note: string }[]).map(entry => [entry.amount_cents, entry.note]),
    ).deep.equal([
      [-1000, null],
      [250, 'invoice 7'],
    ])
    expect(await audit()).deep.equal(['credits.add', 'credits.add', 'account.create'])
  })

  it('have at most six decimals in every member and in the audit log', async () => {
    const id = await prepaid()
    await bookCredits(context().store, [
      { request_id: 'r1', account_id: id, amount_microcents: -495_140_056, kind: 'charge', created_at: 1 },
    ])
    expect((await creditsOf(context(), id, { limit: 10 })).balance_cents).equal(4.859944)
    expect((await addCredits(context(), id, { amount_cents: 7 })).balance_cents).equal(11.859944)
    const { entries } = await listAudit(context().store, { action: 'credits.add' }, undefined, 1)
    expect(entries[0]).deep.include({
      before: { balance_cents: 4.859944 },
      after: { balance_cents: 11.859944, amount_cents: 7, note: null },
    })
  })

  it('are booked once for each Idempotency-Key of an account', async () => {
    const id = await prepaid()
    const first = await addCredits(context(), id, { amount_cents: 10, note: 'a' }, 'once')
    const [again, more] = await Promise.all([
      addCredits(context(), id, { amount_cents: 10, note: 'a' }, 'once'),
      addCredits(context(), id, { amount_cents: 10, note: 'a' }, 'once'),
    ])
    expect([again, more]).deep.equal([first, first])
    expect(await refusal(addCredits(context(), id, { amount_cents: 11, note: 'a' }, 'once'))).match(/^400 http_400/)
    expect(await addCredits(context(), await prepaid('initech'), { amount_cents: 10 }, 'once')).include({
      balance_cents: 510,
    })
    expect((await audit()).filter(action => action === 'credits.add')).lengthOf(2)
  })

  it('are listed in pages that neither repeat nor skip an entry', async () => {
    const id = await prepaid()
    const at = context()
    for (let i = 1; i <= 7; i++) await addCredits(i % 3 === 0 ? context() : at, id, { amount_cents: i })
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await creditsOf(context(), id, { limit: 2, cursor })
      seen.push(...(page.ledger as { amount_cents: number }[]).map(entry => entry.amount_cents))
      cursor = (page.cursor as string | null) ?? undefined
    } while (cursor !== undefined)
    expect(seen.toSorted()).deep.equal([1, 2, 3, 4, 5, 6, 7])
  })

  it('are folded by day, with the number of charges and their sum', async () => {
    const id = await prepaid()
    const charge = (request_id: string, created_at: number) => {
      return { request_id, account_id: id, amount_microcents: -1_000_000, kind: 'charge', created_at }
    }
    await bookCredits(context().store, [charge('r1', 86_400_000_001), charge('r2', 86_400_000_002)])
    const { days, ...rest } = await creditDaysOf(context(), id, {})
    expect(rest).deep.include({ account_id: id, balance_cents: 498, has_more: false, cursor: null })
    expect(days).deep.equal([
      {
        ...{ day: '1970-01-02', kind: 'charge', entries: 2, amount_cents: -2, note: null },
        ...{ from: '1970-01-02T00:00:00.000001Z', to: '1970-01-02T00:00:00.000002Z' },
      },
    ])
    expect(await refusal(creditDaysOf(context(), id, { cursor: 'x' }))).match(/^422 .*cursor/)
  })

  it('are refused for accounts that are not prepaid', async () => {
    expect(await refusal(addCredits(context(), ACCOUNT_ID, { amount_cents: 1 }))).match(/^400 .*not prepaid/)
    expect(await refusal(addCredits(context(), await prepaid(), { amount_cents: 0 }))).match(/^422/)
    expect(await creditsOf(context(), ACCOUNT_ID, { limit: 1 })).include({ balance_cents: null })
  })
})
