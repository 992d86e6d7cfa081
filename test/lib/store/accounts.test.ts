import { expect } from 'chai'
import { listMembers, loadAccounts, removeMember, saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { keyChanges } from '../../../lib/store/key-changes.ts'
import { createKey, listKeys } from '../../../lib/store/keys.ts'
import { onEveryStore } from '../../support/stores.ts'

const fields = {
  id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
  name: 'acme',
  kind: 'serverless',
  plan: 'pro',
  zdr_required: false,
  models: ['*'],
  credits_cents: 500,
} as const

describe('accounts in the store', () => {
  onEveryStore(store => {
    it('are created and changed', async () => {
      await saveAccount(store(), fields, 1)
      const account = { id: fields.id, name: 'acme', kind: 'serverless', models: null }
      expect(await loadAccounts(store())).deep.equal([
        { ...account, plan: 'pro', zdrRequired: false, creditsCents: 500, disabled: false },
      ])
      const before = await keyChanges(store())
      await saveAccount(store(), { ...fields, plan: undefined, zdr_required: true, credits_cents: undefined }, 2)
      expect(await loadAccounts(store())).deep.equal([
        { ...account, plan: undefined, zdrRequired: true, creditsCents: undefined, disabled: false },
      ])
      expect(await keyChanges(store())).equal(before + 1)
    })

    it('have members with a role, who may be removed and added again', async () => {
      await saveMember(store(), fields.id, 'bob', 'member', 1)
      await saveMember(store(), fields.id, 'alice', 'owner', 1)
      await saveMember(store(), 'other', 'carol', 'owner', 1)
      await saveMember(store(), fields.id, 'bob', 'admin', 2)
      const alice = { user: 'alice', role: 'owner', removed: false }
      expect(await listMembers(store(), fields.id)).deep.equal([alice, { user: 'bob', role: 'admin', removed: false }])
      expect(await removeMember(store(), fields.id, 'bob', 3)).equal(true)
      expect(await removeMember(store(), fields.id, 'bob', 3)).equal(false)
      expect(await listMembers(store(), fields.id)).deep.equal([alice, { user: 'bob', role: 'admin', removed: true }])
      await saveMember(store(), fields.id, 'bob', 'member', 4)
      expect(await listMembers(store(), fields.id)).deep.equal([alice, { user: 'bob', role: 'member', removed: false }])
    })

    it('revoke the keys of a removed member', async () => {
      const key = { account_id: fields.id, kind: 'serverless', endpoints: [] } as const
      await saveMember(store(), fields.id, 'bob', 'member', 1)
      await createKey(store(), 'service', { ...key, user: 'bob' }, 1)
      await createKey(store(), 'service', { ...key, user: undefined }, 2)
      await removeMember(store(), fields.id, 'bob', 3)
      expect((await listKeys(store(), fields.id)).map(({ revoked_at }) => revoked_at)).deep.equal([3, null])
    })
  })
})
