import { expect } from 'chai'
import { dropMember } from '../../../lib/admin/accounts.ts'
import { saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { createLink } from '../../../lib/store/console-sessions.ts'
import { buryAccount } from '../../../lib/store/erasure.ts'
import { type GroupMembership, judgeMember } from '../../../lib/store/group-members.ts'
import { createKey, findKey } from '../../../lib/store/keys.ts'
import { ownAccounts } from '../../../lib/store/own-accounts.ts'
import { onEveryStore } from '../../support/stores.ts'

const [A, B, C] = ['a', 'b', 'c'].map(digit => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
]
const CONFIGURED = '00000000-0000-4000-8000-00000000000d'

describe('members by groups of an issuer', () => {
  onEveryStore(store => {
    let now = 1_800_000_000_000_000
    const configured = [{ id: CONFIGURED, name: 'in the file' }]
    const judge = (...memberships: GroupMembership[]) => {
      now += 1_000_000
      const actor = { name: 'issuer login.test', address: null }
      return judgeMember(store(), { user: 'alice', memberships, configured, actor, now })
    }
    const rolesOf = async () => {
      const rows = await store()
        .db.selectFrom('members')
        .select(['account_id', 'role'])
        .where('removed_at', 'is', null)
        .orderBy('account_id')
        .execute()
      return Object.fromEntries(rows.map(({ account_id, role }) => [account_id.at(-1), role]))
    }
    /** Actions since the start of the test, oldest first. */
    const audited = async () => {
      const { entries } = await listAudit(store(), { actor: 'issuer login.test', from: started }, undefined, 100)
      return entries.map(({ action }) => action).reverse()
    }
    let started = 0
    beforeEach(async () => {
      now += 1_000_000
      started = now
      for (const [id, name] of [
        [A, 'one'],
        [B, 'two'],
        [C, 'three'],
      ] as const) {
        const fields = { id, name, kind: 'serverless', zdr_required: false, models: ['*'] } as const
        await saveAccount(store(), { ...fields, plan: undefined, credits_cents: undefined }, 1)
      }
    })

    it('appear, change their roles, and leave with the last group', async () => {
      await judge({ account: A, role: 'member' }, { account: 'two', role: 'admin' })
      expect(await rolesOf()).deep.equal({ a: 'member', b: 'admin' })
      await judge({ account: A.toUpperCase(), role: 'owner' }, { account: A, role: 'member' })
      expect(await rolesOf()).deep.equal({ a: 'owner' })
      await judge({ account: A, role: 'owner' })
      await judge()
      expect(await rolesOf()).deep.equal({})
      const actions = ['member.add', 'member.add', 'member.change', 'member.remove', 'member.remove']
      // Entries of one millisecond have no order.
      expect(await audited()).have.members(actions)
      await judge({ account: A, role: 'member' })
      expect(await rolesOf()).deep.equal({ a: 'member' })
    })

    it('lose sessions and have their keys of the account disabled when they leave', async () => {
      await judge({ account: A, role: 'member' }, { account: B, role: 'member' })
      const key = { user: 'alice', kind: 'serverless', endpoints: [] } as const
      for (const account_id of [A, B])
        await createKey(store(), 'service', { ...key, account_id }, 1, `key_${account_id}`)
      await createLink(store(), 'alice', now)
      await judge({ account: B, role: 'member' })
      const disabled = await Promise.all([A, B].map(async id => (await findKey(store(), `key_${id}`))!.disabled))
      expect(disabled).deep.equal([true, false])
      expect(await store().db.selectFrom('console_sessions').selectAll().execute()).deep.equal([])
      expect((await audited()).slice(-2)).have.members(['member.remove', 'key.change'])
      // The disabled key does not make the account the user's.
      expect((await ownAccounts(store(), { accounts: [] }, 'alice')).map(({ id }) => id)).deep.equal([B])
    })

    it('leave memberships of operators alone, and become those of operators who save them', async () => {
      await saveMember(store(), A, 'alice', 'owner', 1)
      await judge({ account: A, role: 'member' }, { account: B, role: 'member' })
      expect(await rolesOf()).deep.equal({ a: 'owner', b: 'member' })
      await saveMember(store(), B, 'alice', 'admin', 1)
      await judge()
      expect(await rolesOf()).deep.equal({ a: 'owner', b: 'admin' })
      expect(await audited()).deep.equal(['member.add'])
    })

    it('are in accounts of the file too, and in none that is unknown or erased', async () => {
      await buryAccount(store(), C, now)
      const memberships = ['in the file', 'nowhere', C].map(account => ({ account, role: 'member' }) as const)
      expect(await judge(...memberships)).deep.equal(['nowhere', C])
      expect(await rolesOf()).deep.equal({ d: 'member' })
    })

    it('may be removed by an operator until the next sign-in', async () => {
      await judge({ account: A, role: 'member' })
      const context = { store: store(), config: {} as never, actor: { name: 'x', address: null }, now }
      expect(await dropMember(context, A, 'alice')).equal(true)
      await judge({ account: A, role: 'member' })
      expect(await rolesOf()).deep.equal({ a: 'member' })
    })
  })
})
