import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/keys.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { loadAccounts, saveAccount } from '../../../lib/store/accounts.ts'
import {
  createKey,
  keyChanges,
  listKeys,
  loadKeys,
  type NewKey,
  revokeKey,
  withAccounts,
} from '../../../lib/store/keys.ts'
import { onEveryStore } from '../../support/stores.ts'

const account_id = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'
const account = {
  id: account_id,
  name: 'acme',
  kind: 'dedicated',
  plan: undefined,
  zdr_required: true,
  models: ['m-1', 'm-2'],
  credits_cents: undefined,
} as const
const key: NewKey = { account_id, user: 'alice@acme.test', kind: 'dedicated', endpoints: ['a.test', 'b.test'] }

describe('keys in the store', () => {
  onEveryStore(store => {
    beforeEach(() => saveAccount(store(), account, 1))
    const ring = async () => new KeyRing(withAccounts(await loadKeys(store()), await loadAccounts(store())))

    it('open what they were created for', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect((await ring()).find(secret)).deep.equal({
        id,
        kind: 'dedicated',
        user: 'alice@acme.test',
        endpoints: ['a.test', 'b.test'],
        account: {
          id: account_id,
          name: 'acme',
          kind: 'dedicated',
          plan: undefined,
          zdrRequired: true,
          models: new Set(['m-1', 'm-2']),
          creditsCents: undefined,
        },
      })
    })

    it('have a secret of the brand with 256 random bits, of which only the digest is kept', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect(secret).match(/^service_[A-Za-z0-9_-]{43}$/)
      const rows = await store().db.selectFrom('keys').selectAll().execute()
      expect(JSON.stringify(rows)).not.include(secret.slice(8))
      expect(rows[0]!.sha256).equal(sha256(secret))
      expect(await listKeys(store(), account_id)).deep.equal([{ id, ...key, created_at: 2, revoked_at: null }])
    })

    it('are invalid once revoked, and stay listed', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect(await revokeKey(store(), id, 3)).equal(true)
      expect(await revokeKey(store(), id, 4)).equal(false)
      expect(await revokeKey(store(), 'nobody', 4)).equal(false)
      expect((await ring()).find(secret)).equal(undefined)
      expect((await listKeys(store(), account_id)).map(({ revoked_at }) => revoked_at)).deep.equal([3])
    })

    it('may belong to no user, and to an account that does not stand in the store', async () => {
      const { secret } = await createKey(
        store(),
        'service',
        { ...key, user: undefined, account_id: 'elsewhere', endpoints: [] },
        2,
      )
      expect((await ring()).find(secret)).equal(undefined)
      const [stored] = await loadAccounts(store())
      const accounts = [{ ...stored!, id: 'elsewhere' }]
      const found = new KeyRing(withAccounts(await loadKeys(store()), accounts)).find(secret)
      expect([found?.user, found?.endpoints, found?.account.id]).deep.equal([undefined, [], 'elsewhere'])
    })

    it('advance the counter of changes', async () => {
      const before = await keyChanges(store())
      const { id } = await createKey(store(), 'service', key, 2)
      const created = await keyChanges(store())
      await revokeKey(store(), id, 3)
      const revoked = await keyChanges(store())
      await listKeys(store(), account_id)
      expect([created > before, revoked > created, (await keyChanges(store())) === revoked]).deep.equal([
        true,
        true,
        true,
      ])
    })
  })
})
