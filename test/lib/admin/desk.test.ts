import { expect } from 'chai'
import { accountJson, accountOf, changeAccount, createAccount } from '../../../lib/admin/accounts.ts'
import { addCredits } from '../../../lib/admin/credits.ts'
import { changeOf, type Desk } from '../../../lib/admin/desk.ts'
import { createKeyOf, keysOf, revokeKeyOf, rotateKeyOf } from '../../../lib/admin/keys.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { configOf } from '../../support/config.ts'
import { deskConfig } from '../../support/desk.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('operators who work at the same time', () => {
  onEveryStore(store => {
    const desk = (): Desk => ({
      store: store(),
      config: configOf(deskConfig),
      actor: { name: 'operator alice (op_1)', address: null },
      now: systemClock.micros(),
    })
    const entries = async (account: string, action: string) =>
      (await listAudit(store(), { account, action }, undefined, 100)).entries as unknown as Entry[]

    it('lose no change of an account', async () => {
      const { id } = await createAccount(desk(), { name: 'globex' })
      await Promise.all([
        changeAccount(desk(), id, { disabled: true }),
        changeAccount(desk(), id, { plan: 'small' }),
        changeAccount(desk(), id, { zdr_required: true }),
        changeAccount(desk(), id, { members: [{ user: 'bob', role: 'owner' }] }),
      ])
      expect(await accountJson(desk(), await accountOf(desk(), id))).deep.include({
        ...{ disabled: true, plan: 'small', zdr_required: true },
        members: [{ user: 'bob', role: 'owner' }],
      })
      // Each begins with what another has left.
      const changes = await entries(id, 'account.change')
      expect(changes).lengthOf(4)
      const after = new Set(changes.map(entry => JSON.stringify(entry.after)))
      expect(changes.filter(({ before }) => after.has(JSON.stringify(before)))).lengthOf(3)
    })

    it('give a name once', async () => {
      const made = await Promise.allSettled([1, 2, 3].map(() => createAccount(desk(), { name: 'globex' })))
      expect(made.map(({ status }) => status).toSorted()).deep.equal(['fulfilled', 'rejected', 'rejected'])
    })

    it('revoke a key once, and rotate none that is revoked', async () => {
      const { id: account } = await createAccount(desk(), { name: 'globex' })
      const { id } = await createKeyOf(desk(), account, {})
      const revoked = await Promise.allSettled([1, 2, 3].map(() => revokeKeyOf(desk(), id)))
      expect(revoked.map(({ status }) => status).toSorted()).deep.equal(['fulfilled', 'rejected', 'rejected'])
      await rotateKeyOf(desk(), id).then(
        () => expect.fail('rotated'),
        error => expect(error.code).equal('http_404'),
      )
      expect(await entries(account, 'key.revoke')).lengthOf(1)
      expect(await entries(account, 'key.rotate')).lengthOf(0)
      expect((await keysOf(desk(), account))[0]!.revoked_at).a('string')
    })

    it('book the same key of idempotency once, and different ones each', async () => {
      const { id } = await createAccount(desk(), { name: 'globex', credits_cents: 0 })
      const booked = await Promise.all([1, 2, 3].map(() => addCredits(desk(), id, { amount_cents: 100 }, 'once')))
      expect(new Set(booked.map(({ entry }) => (entry as JsonObject).id)).size).equal(1)
      await Promise.all([1, 2, 3].map(amount => addCredits(desk(), id, { amount_cents: amount }, String(amount))))
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
  it('is no change where nothing is different', () => {
    const change = { action: 'key.change', target: 'k', before: { label: 'a' }, after: { label: 'a' } }
    expect(changeOf(change)).equal(undefined)
    expect(changeOf({ ...change, after: { label: 'b' } })).deep.include({ action: 'key.change' })
  })
})
