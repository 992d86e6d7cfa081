import { expect } from 'chai'
import { changeKeyOf } from '../../../lib/admin/keys.ts'
import { removeMember, saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { changeKey, createKey, loadKeys } from '../../../lib/store/keys.ts'
import { type IssuedKey, MAX_OWN_KEYS, type NewOwnKey, storeOwnKeys } from '../../../lib/store/own-keys.ts'
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

const ROUNDS = 25

/**
 * Values of `disabled` that a user and an operator set at the same time. `start`: who has disabled the key before.
 * `ends`: whether the user's change is accepted, and who has disabled the key at the end; the user first, then second.
 */
const RACES = [
  { start: 'user', byUser: false, byOperator: true, ends: ['true operator', 'false operator'] },
  { start: undefined, byUser: true, byOperator: true, ends: ['true operator', 'false operator'] },
  { start: 'operator', byUser: true, byOperator: false, ends: ['false undefined', 'true user'] },
] as const

describe('own keys', () => {
  onEveryStore(store => {
    const clock = new ManualClock()
    const own = () => storeOwnKeys({ run: queryRunner(store()), config, clock, changed: async () => void changes++ })
    let changes = 0
    let forms = 0
    const key = (account: string, more: Partial<NewOwnKey> = {}): NewOwnKey => {
      return { account, nonce: `${++forms}`, label: null, expires_at: null, models: null, ...more }
    }
    const created = async (user: string, wanted: NewOwnKey) => (await own().create(user, wanted)) as IssuedKey
    beforeEach(async () => {
      await saveAccount(store(), { id: STORED, name: 'stored', kind: 'serverless', ...fields }, 1)
      await saveAccount(store(), { id: PASSES, name: 'passes', kind: 'enterprise', ...fields }, 1)
      await saveMember(store(), STORED, 'bob', 'owner', 1)
      await saveMember(store(), PASSES, 'bob', 'owner', 1)
      await saveMember(store(), ACCOUNT_ID, 'carol', 'admin', 1)
    })

    it('belong to the user who created them, and open with their secret', async () => {
      const issued = await own().create('bob', key(STORED))
      expect(issued)
        .property('secret')
        .match(/^service_.{43}$/)
      const [stored] = await loadKeys(store())
      expect(stored).include({ user: 'bob', kind: 'serverless', account_id: STORED })
      const [listed] = await own().list('bob')
      expect(listed).include({ id: stored!.id, account_id: STORED, created_at: clock.now() * 1000, disabled: false })
    })

    it('are not created in accounts of other users, of another kind, or by a former member', async () => {
      await removeMember(store(), ACCOUNT_ID, 'carol', 2)
      for (const [user, account] of [
        ['alice', STORED],
        ['bob', ACCOUNT_ID],
        ['bob', PASSES],
        ['carol', ACCOUNT_ID],
        ['bob', ''],
      ] as const) {
        expect(await own().create(user, key(account)), `${user} ${account}`).equal('unknown')
      }
      expect(await loadKeys(store())).deep.equal([])
    })

    it('are listed and revoked only by their user', async () => {
      const issued = await own().create('bob', key(STORED))
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
      const issued = await own().create('bob', key(STORED, { expires_at: 4_070_995_200_000_000 }))
      const { id, secret } = issued as { readonly id: string; readonly secret: string }
      await own().revoke('alice', id)
      await own().revoke('bob', id)
      const entries = await store().db.selectFrom('audit_log').selectAll().where('target', '=', id).execute()
      expect(entries.map(({ action, actor, account_id }) => [action, actor, account_id]).toSorted()).deep.equal([
        ['key.create', 'console bob', STORED],
        ['key.revoke', 'console bob', STORED],
      ])
      expect(JSON.stringify(entries)).not.contain(secret)
      const { after_change: after } = entries.find(({ action }) => action === 'key.create')!
      expect(JSON.parse(after!)).include({ expires_at: '2099-01-02T00:00:00.000000Z', previous_valid_until: null })
    })

    it('are created once per form', async () => {
      const form = key(STORED)
      expect(await own().create('bob', form)).property('secret')
      expect(await own().create('bob', form)).equal('repeated')
      expect(await own().list('bob')).length(1)
      await own().revoke('bob', (await own().list('bob'))[0]!.id)
      expect(await own().create('bob', form)).equal('repeated')
    })

    it('have a label, an expiry and models of the account', async () => {
      await saveMember(store(), ACCOUNT_ID, 'bob', 'member', 1)
      const { id } = await created('bob', key(ACCOUNT_ID, { label: 'ci', expires_at: 5e15, models: ['m'] }))
      expect((await own().list('bob'))[0]).deep.include({ id, label: 'ci', expires_at: 5e15, models: ['m'] })
      expect(await own().create('bob', key(ACCOUNT_ID, { models: ['other'] }))).equal('models')
      expect(await own().change('bob', id, { models: ['other'] })).equal(false)
      expect(await own().change('alice', id, { label: 'hers' })).equal(false)
      expect(await own().change('bob', id, { label: 'new', expires_at: null, models: null, disabled: true })).equal(
        true,
      )
      expect((await own().list('bob'))[0]).include({
        label: 'new',
        expires_at: undefined,
        models: undefined,
        disabled: true,
      })
    })

    it('are enabled by their user only if no operator has disabled them', async () => {
      const { id } = await created('bob', key(STORED))
      await own().change('bob', id, { disabled: true })
      expect((await own().list('bob'))[0]).include({ disabled: true, disabled_by: 'user' })
      expect(await own().change('bob', id, { disabled: false })).equal(true)
      expect((await own().list('bob'))[0]).include({ disabled: false, disabled_by: undefined })
      await changeKey(store(), id, { disabled: true })
      for (const disabled of [false, true]) {
        expect(await own().change('bob', id, { disabled }), String(disabled)).equal(false)
        expect((await own().list('bob'))[0]).include({ disabled: true, disabled_by: 'operator' })
      }
      expect(await own().change('bob', id, { label: 'mine' })).equal(true)
      await own().rotate('bob', id, 0, undefined)
      expect((await own().list('bob'))[0]).include({ disabled_by: 'operator' })
      await changeKey(store(), id, { disabled: false })
      expect((await own().list('bob'))[0]).include({ disabled: false, disabled_by: undefined })
    })

    it('change in one of two orders if their user and an operator change them at the same time', async () => {
      const actor = { name: 'operator alice (op_1)', address: null }
      const { id } = await created('bob', key(STORED))
      for (let round = 0; round < ROUNDS; round++)
        for (const { start, byUser, byOperator, ends } of RACES) {
          await changeKey(store(), id, {
            disabled: start !== undefined,
            ...(start === 'user' && { disabled_by: start }),
          })
          const [isChanged] = await Promise.all([
            own().change('bob', id, { disabled: byUser }),
            changeKeyOf({ store: store(), config, actor, now: clock.now() * 1000 }, id, { disabled: byOperator }),
          ])
          const [stored] = await own().list('bob')
          expect(`${isChanged} ${stored!.disabled_by}`, `user ${byUser}, operator ${byOperator}`).oneOf(ends)
        }
    })

    it('get a new secret once per loaded page', async () => {
      const { id, secret } = await created('bob', key(STORED))
      expect(await own().rotate('alice', id, 60, undefined)).equal(undefined)
      const rotated = await own().rotate('bob', id, 60, undefined)
      expect(rotated?.secret)
        .match(/^service_.{43}$/)
        .and.not.equal(secret)
      expect(await own().rotate('bob', id, 60, undefined)).equal(undefined)
      const [listed] = await own().list('bob')
      expect(listed!.previous_until).equal(clock.now() * 1000 + 60_000_000)
      expect(await loadKeys(store())).length(2)
      expect(await own().rotate('bob', id, 0, listed!.previous_until)).property('secret')
    })

    it('are applied at once after each change', async () => {
      changes = 0
      const { id } = await created('bob', key(STORED))
      await own().change('bob', id, { disabled: true })
      await own().revoke('bob', id)
      expect(changes).equal(3)
    })

    it('have a maximum number per account', async () => {
      const stored = { account_id: STORED, user: 'bob', kind: 'serverless', endpoints: [] } as const
      for (let i = 1; i < MAX_OWN_KEYS; i++) await createKey(store(), 'service', stored, i)
      await createKey(store(), 'service', { ...stored, expires_at: 1 }, 1)
      expect(await own().create('bob', key(STORED))).property('secret')
      expect(await own().create('bob', key(STORED))).equal('too_many')
      await saveMember(store(), ACCOUNT_ID, 'bob', 'member', 1)
      expect(await own().create('bob', key(ACCOUNT_ID))).property('secret')
    })
  })
})
