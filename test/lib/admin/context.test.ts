import { expect } from 'chai'
import { accountJson, accountOf, changeAccount, createAccount } from '../../../lib/admin/accounts.ts'
import { type AdminContext, changeOf } from '../../../lib/admin/context.ts'
import { addCredits } from '../../../lib/admin/credits.ts'
import { createKeyOf, keysOf, revokeKeyOf, rotateKeyOf } from '../../../lib/admin/keys.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { adminConfig } from '../../support/admin-context.ts'
import { configOf } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('concurrent operators', () => {
  onEveryStore(store => {
    const context = (): AdminContext => ({
      store: store(),
      config: configOf(adminConfig),
      actor: { name: 'operator alice (op_1)', address: null },
      now: systemClock.micros(),
    })
    const entries = async (account: string, action: string) =>
      (await listAudit(store(), { account, action }, undefined, 100)).entries as unknown as Entry[]

    it('lose no change of an account', async () => {
      const { id } = await createAccount(context(), { name: 'globex' })
      await Promise.all([
        changeAccount(context(), id, { disabled: true }),
        changeAccount(context(), id, { plan: 'small' }),
        changeAccount(context(), id, { zdr_required: true }),
        changeAccount(context(), id, { members: [{ user: 'bob', role: 'owner' }] }),
      ])
      expect(await accountJson(context(), await accountOf(context(), id))).deep.include({
        ...{ disabled: true, plan: 'small', zdr_required: true },
        members: [{ user: 'bob', role: 'owner' }],
      })
      // Each change begins with the state after another change.
      const changes = await entries(id, 'account.change')
      expect(changes).lengthOf(4)
      const after = new Set(changes.map(entry => JSON.stringify(entry.after)))
      expect(changes.filter(({ before }) => after.has(JSON.stringify(before)))).lengthOf(3)
    })

    it('use a name once', async () => {
      const made = await Promise.allSettled([1, 2, 3].map(() => createAccount(context(), { name: 'globex' })))
      expect(made.map(({ status }) => status).toSorted()).deep.equal(['fulfilled', 'rejected', 'rejected'])
    })

    it('revoke a key once, and do not rotate a revoked key', async () => {
      const { id: account } = await createAccount(context(), { name: 'globex' })
      const { id } = await createKeyOf(context(), account, {})
      const revoked = await Promise.allSettled([1, 2, 3].map(() => revokeKeyOf(context(), id)))
      expect(revoked.map(({ status }) => status).toSorted()).deep.equal(['fulfilled', 'rejected', 'rejected'])
      await rotateKeyOf(context(), id).then(
        () => expect.fail('rotated'),
        error => expect(error.code).equal('http_404'),
      )
      expect(await entries(account, 'key.revoke')).lengthOf(1)
      expect(await entries(account, 'key.rotate')).lengthOf(0)
      expect((await keysOf(context(), account))[0]!.revoked_at).a('string')
    })

    it('book once per idempotency key', async () => {
      const { id } = await createAccount(context(), { name: 'globex', credits_cents: 0 })
      const booked = await Promise.all([1, 2, 3].map(() => addCredits(context(), id, { amount_cents: 100 }, 'once')))
      expect(new Set(booked.map(({ entry }) => (entry as JsonObject).id)).size).equal(1)
      await Promise.all([1, 2, 3].map(amount => addCredits(context(), id, { amount_cents: amount }, String(amount))))
      const changes = await entries(id, 'credits.add')
      expect(changes).lengthOf(4)
      for (const { before, after } of changes)
        expect(Number(after.balance_cents) - Number(before.balance_cents)).equal(after.amount_cents)
      expect(Math.max(...changes.map(({ after }) => Number(after.balance_cents)))).equal(106)
    })
  })
})

interface Entry {
  readonly before: JsonObject
  readonly after: JsonObject
}

describe('changeOf', () => {
  it('is undefined if nothing changes', () => {
    const change = { action: 'key.change', target: 'k', before: { label: 'a' }, after: { label: 'a' } }
    expect(changeOf(change)).equal(undefined)
    expect(changeOf({ ...change, after: { label: 'b' } })).deep.include({ action: 'key.change' })
  })
})
