import { expect } from 'chai'
import { KeyRing } from '../../../lib/accounts/access.ts'
import { sha256 } from '../../../lib/base/sha256.ts'
import { loadAccounts, saveAccount } from '../../../lib/store/accounts.ts'
import { withAccounts } from '../../../lib/store/key-watch.ts'
import {
  changeKey,
  createKey,
  findKey,
  findKeys,
  keysByPrefix,
  listKeys,
  loadKeys,
  type NewKey,
  noteKeyUse,
  revokeKey,
  rotateKey,
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

/** The attributes of a key that was created without any. */
const NOTHING = {
  label: undefined,
  expires_at: undefined,
  models: undefined,
  limits: undefined,
  disabled: false,
  disabled_by: undefined,
  last_used_at: undefined,
  previous_until: undefined,
}

describe('keys in the store', () => {
  onEveryStore(store => {
    beforeEach(() => saveAccount(store(), account, 1))
    const ring = async () => new KeyRing(withAccounts(await loadKeys(store()), await loadAccounts(store())))

    it('are found by any number of ids', async () => {
      const { id } = await createKey(store(), 'service', key, 2)
      const others = Array.from({ length: 70_000 }, (_, i) => `key_${i}`)
      expect((await findKeys(store(), [...others, id])).map(found => found.id)).deep.equal([id])
      expect(await findKeys(store(), [])).deep.equal([])
    })

    it('have the access that they were created with', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect((await ring()).find(secret)).deep.equal({
        id,
        kind: 'dedicated',
        user: 'alice@acme.test',
        endpoints: ['a.test', 'b.test'],
        models: null,
        limits: undefined,
        expiresAt: Number.POSITIVE_INFINITY,
        disabled: false,
        isStored: true,
        account: {
          id: account_id,
          name: 'acme',
          kind: 'dedicated',
          plan: undefined,
          zdrRequired: true,
          models: new Set(['m-1', 'm-2']),
          creditsCents: undefined,
          disabled: false,
        },
      })
    })

    it('have a secret of the brand with 256 random bits, of which only the digest is kept', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect(secret).match(/^service_[A-Za-z0-9_-]{43}$/)
      const rows = await store().db.selectFrom('keys').selectAll().execute()
      expect(JSON.stringify(rows)).not.include(secret.slice(8))
      expect(rows[0]!.sha256).equal(sha256(secret))
      expect(await listKeys(store(), account_id)).deep.equal([
        { id, ...key, ...NOTHING, created_at: 2, revoked_at: null },
      ])
    })

    it('are invalid once revoked, and stay listed', async () => {
      const { id, secret } = await createKey(store(), 'service', key, 2)
      expect(await revokeKey(store(), id, 3)).equal(true)
      expect(await revokeKey(store(), id, 4)).equal(false)
      expect(await revokeKey(store(), 'nobody', 4)).equal(false)
      expect((await ring()).find(secret)).equal(undefined)
      expect((await listKeys(store(), account_id)).map(({ revoked_at }) => revoked_at)).deep.equal([3])
    })

    it('have attributes that can be changed and removed one by one', async () => {
      const { id, secret } = await createKey(
        store(),
        'service',
        { ...key, label: 'ci', expires_at: 9, models: ['m-1'] },
        2,
      )
      expect((await ring()).find(secret)).deep.include({ expiresAt: 9, models: new Set(['m-1']), disabled: false })
      await changeKey(store(), id, { label: 'laptop', disabled: true })
      expect(await findKey(store(), id)).include({ label: 'laptop', expires_at: 9, disabled: true })
      expect((await ring()).find(secret)?.disabled).equal(true)
      const limits = { requests_per_minute: 5, budget_cents: { amount: 1.5, window: '1d' } }
      await changeKey(store(), id, { limits })
      expect((await findKey(store(), id))?.limits).deep.equal(limits)
      expect((await loadKeys(store()))[0]?.limits).deep.equal(limits)
      await changeKey(store(), id, { expires_at: null, models: null, limits: null, disabled: false })
      expect(await findKey(store(), id)).include({ label: 'laptop', expires_at: undefined, models: undefined })
      expect((await ring()).find(secret)).include({
        expiresAt: Number.POSITIVE_INFINITY,
        models: null,
        disabled: false,
      })
      await changeKey(store(), id, {})
      await revokeKey(store(), id, 3)
      await changeKey(store(), id, { label: 'too late' })
      expect((await findKey(store(), id))?.label).equal('laptop')
    })

    it('keep only the previous secret after a rotation, until it expires', async () => {
      const { id, secret } = await createKey(store(), 'service', { ...key, expires_at: 500 }, 2)
      const second = await rotateKey(store(), 'service', id, 100)
      const keys = await ring()
      expect([keys.find(secret)?.expiresAt, keys.find(second)?.expiresAt]).deep.equal([100, 500])
      expect([keys.find(secret)?.id, keys.find(second)?.id]).deep.equal([id, id])
      const third = await rotateKey(store(), 'service', id, 900)
      const later = await ring()
      expect([later.find(secret), later.find(second)?.expiresAt, later.find(third)?.expiresAt]).deep.equal([
        undefined,
        500,
        500,
      ])
      await revokeKey(store(), id, 3)
      expect((await ring()).find(second)).equal(undefined)
    })

    it('have a last use, which never decreases', async () => {
      const { id } = await createKey(store(), 'service', key, 2)
      await noteKeyUse(
        store(),
        new Map([
          [id, 20],
          ['of the file', 20],
        ]),
      )
      await noteKeyUse(store(), new Map([[id, 10]]))
      expect((await findKey(store(), id))?.last_used_at).equal(20)
    })

    it('may have no user, and an account that is not in the store', async () => {
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

    it('are found by the beginning of their ids, up to a limit', async () => {
      for (const id of ['key_a1', 'key_a2', 'key_a3', 'key_b1', 'keyA']) await createKey(store(), 'acme', key, 1, id)
      const found = async (prefix: string) => (await keysByPrefix(store(), prefix, 2)).map(({ id }) => id).sort()
      expect(await found('key_b')).deep.equal(['key_b1'])
      expect(await found('key_b1')).deep.equal(['key_b1'])
      expect(await found('key_a')).lengthOf(2)
      expect(await found('key_c')).deep.equal([])
    })
  })
})
