import { expect } from 'chai'
import { removeMember, saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { createKey, loadKeys } from '../../../lib/store/keys.ts'
import { MOST_OWN_KEYS, storeOwnKeys } from '../../../lib/store/own-keys.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const STORED = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const PASSES = '1c2d2f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'

const config = configOf(`${MODEL}
accounts:
  - { id: ${ACCOUNT_ID}, name: acme, kind: serverless, models: [m], members: [{ user: alice, role: member }] }
`)
const fields = { zdr_required: false, models: ['*'], plan: undefined, credits_cents: undefined }

describe('own keys', () => {
  onEveryStore(store => {
    const own = () => storeOwnKeys(queryRunner(store()), config, new ManualClock())
    beforeEach(async () => {
      await saveAccount(store(), { id: STORED, name: 'stored', kind: 'serverless', ...fields }, 1)
      await saveAccount(store(), { id: PASSES, name: 'passes', kind: 'enterprise', ...fields }, 1)
      await saveMember(store(), STORED, 'bob', 'owner', 1)
      await saveMember(store(), PASSES, 'bob', 'owner', 1)
      await saveMember(store(), ACCOUNT_ID, 'carol', 'admin', 1)
    })

    it('are created in serverless accounts, of the configuration and of the store, that the user is a member of', async () => {
      const accounts = async (user: string) => (await own().accounts(user)).map(({ name }) => name)
      expect(await accounts('alice')).deep.equal(['acme'])
      expect(await accounts('bob')).deep.equal(['stored'])
      expect(await accounts('carol')).deep.equal(['acme'])
      expect(await accounts('mallory')).deep.equal([])
      expect((await own().accounts('alice'))[0]!.models).deep.equal(new Set(['m']))
      expect((await own().accounts('bob'))[0]!.models).equal(null)
    })

    it('belong to the user who created them, and open with their secret', async () => {
      const issued = await own().create('bob', STORED)
      expect(issued)
        .property('secret')
        .match(/^service_.{43}$/)
      const [key] = await loadKeys(store())
      expect(key).include({ user: 'bob', kind: 'serverless', account_id: STORED })
      expect(await own().list('bob')).deep.equal([
        { id: key!.id, account_id: STORED, kind: 'serverless', created_at: new ManualClock().now() * 1000 },
      ])
    })

    it('are not created in accounts of others, or of another kind, or by a former member', async () => {
      await removeMember(store(), ACCOUNT_ID, 'carol', 2)
      for (const [user, account] of [
        ['alice', STORED],
        ['bob', ACCOUNT_ID],
        ['bob', PASSES],
        ['carol', ACCOUNT_ID],
        ['bob', ''],
      ] as const) {
        expect(await own().create(user, account), `${user} ${account}`).equal('unknown')
      }
      expect(await loadKeys(store())).deep.equal([])
    })

    it('are shown to nobody else, and revoked by nobody else', async () => {
      const issued = await own().create('bob', STORED)
      const { id } = issued as { readonly id: string }
      expect(await own().list('alice')).deep.equal([])
      expect(await own().revoke('alice', id)).equal(false)
      expect(await own().list('bob')).length(1)
      expect(await own().revoke('bob', id)).equal(true)
      expect(await own().revoke('bob', id)).equal(false)
      expect(await own().list('bob')).deep.equal([])
      expect(await loadKeys(store())).deep.equal([])
    })

    it('are in the audit log when they are created and revoked, without the secret', async () => {
      const issued = await own().create('bob', STORED)
      const { id, secret } = issued as { readonly id: string; readonly secret: string }
      await own().revoke('alice', id)
      await own().revoke('bob', id)
      const entries = await store().db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
      expect(entries.map(({ action, actor, account_id }) => [action, actor, account_id]).toSorted()).deep.equal([
        ['key.create', 'console bob', STORED],
        ['key.revoke', 'console bob', STORED],
      ])
      expect(JSON.stringify(entries)).not.contain(secret)
    })

    it('are bounded for each account', async () => {
      const key = { account_id: STORED, user: 'bob', kind: 'serverless', endpoints: [] } as const
      for (let i = 1; i < MOST_OWN_KEYS; i++) await createKey(store(), 'service', key, i)
      expect(await own().create('bob', STORED)).property('secret')
      expect(await own().create('bob', STORED)).equal('too_many')
      await saveMember(store(), ACCOUNT_ID, 'bob', 'member', 1)
      expect(await own().create('bob', ACCOUNT_ID)).property('secret')
    })
  })
})
