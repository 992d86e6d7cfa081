import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits, creditsOf } from '../../../lib/admin/credits.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { refusal, useDesk } from '../../support/desk.ts'

describe('credits, for operators', () => {
  const { desk, audit } = useDesk()
  const prepaid = async (name = 'globex') => (await createAccount(desk(), { name, credits_cents: 500 })).id

  it('add to the balance and take from it, with a reason', async () => {
    const id = await prepaid()
    expect(await addCredits(desk(), id, { amount_cents: 250, note: 'invoice 7' })).include({ balance_cents: 750 })
    expect(await addCredits(desk(), id, { amount_cents: -1000 })).include({ balance_cents: -250 })
    const { ledger, ...rest } = await creditsOf(desk(), id, { limit: 10 })
    expect(rest).deep.equal({ account_id: id, balance_cents: -250, has_more: false, cursor: null })
    expect(
      (ledger as { amount_cents: number; note: string }[]).map(entry => [entry.amount_cents, entry.note]),
    ).deep.equal([
      [-1000, null],
      [250, 'invoice 7'],
    ])
    expect(await audit()).deep.equal(['credits.add', 'credits.add', 'account.create'])
  })

  it('are booked once for each Idempotency-Key of an account', async () => {
    const id = await prepaid()
    const first = await addCredits(desk(), id, { amount_cents: 10, note: 'a' }, 'once')
    const [again, more] = await Promise.all([
      addCredits(desk(), id, { amount_cents: 10, note: 'a' }, 'once'),
      addCredits(desk(), id, { amount_cents: 10, note: 'a' }, 'once'),
    ])
    expect([again, more]).deep.equal([first, first])
    expect(await refusal(addCredits(desk(), id, { amount_cents: 11, note: 'a' }, 'once'))).match(/^400 http_400/)
    expect(await addCredits(desk(), await prepaid('initech'), { amount_cents: 10 }, 'once')).include({
      balance_cents: 510,
    })
    expect((await audit()).filter(action => action === 'credits.add')).lengthOf(2)
  })

  it('come in pages that neither repeat nor skip an entry', async () => {
    const id = await prepaid()
    const at = desk()
    for (let i = 1; i <= 7; i++) await addCredits(i % 3 === 0 ? desk() : at, id, { amount_cents: i })
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await creditsOf(desk(), id, { limit: 2, cursor })
      seen.push(...(page.ledger as { amount_cents: number }[]).map(entry => entry.amount_cents))
      cursor = (page.cursor as string | null) ?? undefined
    } while (cursor !== undefined)
    expect(seen.toSorted()).deep.equal([1, 2, 3, 4, 5, 6, 7])
  })

  it('are for prepaid accounts', async () => {
    expect(await refusal(addCredits(desk(), ACCOUNT_ID, { amount_cents: 1 }))).match(/^400 .*not prepaid/)
    expect(await refusal(addCredits(desk(), await prepaid(), { amount_cents: 0 }))).match(/^422/)
    expect(await creditsOf(desk(), ACCOUNT_ID, { limit: 1 })).include({ balance_cents: null })
  })
})
