import { expect } from 'chai'
import { type NewOwnAlert, storeOwnAlerts } from '../../../lib/customer-alerts/own-alerts.ts'
import { saveAccount, saveMember } from '../../../lib/store/accounts.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { alertsOf, dueEvents, findAlert, MAX_ALERTS } from '../../../lib/store/customer-alerts.ts'
import { createKey, revokeKey } from '../../../lib/store/keys.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const STORED = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const URL_OF_HOOK = 'https://hooks.test/secret-path'

const config = configOf(`
plans: { p: { limits: { budget_cents: { amount: 100, window: 1d } } } }
accounts:
  - id: ${ACCOUNT_ID}
    name: acme
    plan: p
    credits_cents: 500
    members: [{ user: alice, role: owner }, { user: bob, role: member }]
    keys: [{ id: k1, kind: serverless, user: bob, secret: service_secret_of_bob }]
${MODEL}`)

describe('own alerts', () => {
  onEveryStore(store => {
    const clock = new ManualClock()
    const webhooks = {
      problemOf: async (url: string) => (url.includes('private') ? 'The host of the URL has no public address.' : null),
      send: async () => {},
    }
    const own = () => storeOwnAlerts({ run: queryRunner(store()), config, clock, webhooks })
    let forms = 0
    const alert = (subject: string, more: Partial<NewOwnAlert> = {}): NewOwnAlert => {
      return { subject, kind: 'budget_used', threshold: 0.8, url: URL_OF_HOOK, nonce: `${++forms}`, ...more }
    }
    const created = async (user: string, wanted: NewOwnAlert) =>
      (await own().create(user, wanted)) as { readonly id: string; readonly secret: string }
    let key = ''
    beforeEach(async () => {
      const fields = { zdr_required: false, models: ['*'], plan: undefined, credits_cents: undefined }
      await saveAccount(store(), { id: STORED, name: 'stored', kind: 'serverless', ...fields }, 1)
      await saveMember(store(), STORED, 'carol', 'admin', 1)
      await saveMember(store(), STORED, 'bob', 'member', 1)
      const limits = { budget_cents: { amount: 20, window: '1d' } }
      const fresh = { account_id: STORED, user: 'bob', kind: 'serverless', endpoints: [], label: 'ci', limits } as const
      key = (await createKey(store(), 'service', fresh, 1)).id
    })
    const account = `account:${ACCOUNT_ID}`
    const rowOf = (id: string) => findAlert(store(), id)

    it('are of the own keys, and for owners and admins of the account', async () => {
      const subjectsOf = async (user: string) => (await own().list(user)).subjects.map(({ name }) => name)
      expect(await subjectsOf('alice')).deep.equal([account])
      expect(await subjectsOf('bob')).deep.equal(['key:k1', `key:${key}`])
      expect(await subjectsOf('carol')).deep.equal([`account:${STORED}`])
      expect(await subjectsOf('dave')).deep.equal([])
      for (const user of ['bob', 'carol', 'dave']) expect(await own().create(user, alert(account))).equal('unknown')
      for (const user of ['alice', 'carol']) expect(await own().create(user, alert(`key:${key}`))).equal('unknown')
    })

    it('have a secret that only the answer of their creation has', async () => {
      const { id, secret } = await created('alice', alert(account))
      expect(secret).match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      const listed = await own().list('alice')
      expect(JSON.stringify(listed)).not.contain(secret)
      expect(listed.alerts).length(1)
      expect(listed.alerts[0]).deep.include({
        ...{ id, kind: 'budget_used', threshold: 0.8, url: URL_OF_HOOK, isCrossed: false },
        ...{ eventAt: null, attemptAt: null, problem: null, nextAt: null },
      })
      expect(await rowOf(id)).include({ secret, account_id: ACCOUNT_ID, key_id: '', user_id: 'alice' })
    })

    it('are refused without a budget or balance, for a wrong URL, a form sent twice, and the sixth', async () => {
      expect(await own().create('bob', alert('key:k1'))).equal('no_budget')
      expect(await own().create('bob', alert(`key:${key}`, { kind: 'balance_below_cents' }))).equal('not_prepaid')
      expect(await own().create('carol', alert(`account:${STORED}`, { kind: 'balance_below_cents' }))).equal(
        'not_prepaid',
      )
      expect(await own().create('alice', alert(account, { url: 'http://private/' }))).deep.equal({
        problem: 'The host of the URL has no public address.',
      })
      const first = alert(account, { kind: 'balance_below_cents', threshold: 100 })
      await created('alice', first)
      expect(await own().create('alice', first)).equal('repeated')
      for (let i = 1; i < MAX_ALERTS; i++) await created('alice', alert(account))
      expect(await own().create('alice', alert(account))).equal('too_many')
      expect(await created('bob', alert(`key:${key}`))).property('secret')
    })

    it('are tested and deleted by those who see them', async () => {
      const { id } = await created('bob', alert(`key:${key}`))
      for (const user of ['alice', 'carol']) {
        expect(await own().test(user, id)).equal('unknown')
        expect(await own().remove(user, id)).equal(false)
      }
      expect(await own().test('bob', id)).equal('raised')
      expect(await own().test('bob', id)).equal('too_soon')
      const [event, ...more] = await dueEvents(store(), clock.now() * 1000, 9)
      expect(more).deep.equal([])
      const { type, data } = JSON.parse(event!.body)
      expect({ type, ...data }).deep.equal({
        ...{ type: 'alert.test', alert_id: id, account_id: STORED, account: 'stored', key_id: key, key_label: 'ci' },
      })
      expect((await own().list('bob')).alerts[0]!.nextAt).equal(clock.now() * 1000)
      expect(await own().remove('bob', id)).equal(true)
      expect(await own().remove('bob', id)).equal(false)
      expect(await dueEvents(store(), 1e18, 9)).deep.equal([])
    })

    it('are in the audit log without their secret, and with the host of their URL alone', async () => {
      const { id } = await created('bob', alert(`key:${key}`))
      await own().remove('bob', id)
      const { entries } = await listAudit(store(), { actor: 'bob' }, undefined, 9)
      const entryOf = (action: string) => entries.find(entry => entry.target === id && entry.action === action)
      const shown = { key, budget_used: 0.8, host: 'hooks.test' }
      expect(entryOf('alert.create')).deep.include({ account_id: STORED, before: null, after: shown })
      expect(entryOf('alert.delete')).deep.include({ account_id: STORED, before: shown, after: null })
      expect(JSON.stringify(entries)).not.contain('whsec_').and.not.contain('secret-path')
    })

    it('are deleted once, and have one entry for it, if the form is sent twice at the same time', async () => {
      const { id } = await created('bob', alert(`key:${key}`))
      const removed = await Promise.all([1, 2, 3].map(() => own().remove('bob', id)))
      expect(removed.filter(Boolean)).length(1)
      const { entries } = await listAudit(store(), { actor: 'bob', action: 'alert.delete' }, undefined, 99)
      expect(entries.filter(({ target }) => target === id)).length(1)
    })

    it('are not created for a key that is revoked while the URL is checked', async () => {
      const problemOf = async () => {
        await revokeKey(store(), key, 2)
        return null
      }
      const slow = storeOwnAlerts({ run: queryRunner(store()), config, clock, webhooks: { ...webhooks, problemOf } })
      expect(await slow.create('bob', alert(`key:${key}`))).equal('unknown')
      expect(await alertsOf(store(), [], [key])).deep.equal([])
    })

    it('are gone with a revoked key', async () => {
      await created('bob', alert(`key:${key}`))
      await revokeKey(store(), key, 2)
      expect((await own().list('bob')).alerts).deep.equal([])
    })
  })
})
