import { expect } from 'chai'
import { CustomerAlertFinder } from '../../../lib/customer-alerts/find.ts'
import type { SpendPeriod } from '../../../lib/limits/spend-window.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { alertPage, dueEvents, insertAlert } from '../../../lib/store/customer-alerts.ts'
import { createKey } from '../../../lib/store/keys.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { onEveryStore } from '../../support/stores.ts'

const STORED = '0b1c1f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const GONE = '1c2d2f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 21, 12, 30)

const config = configOf(`
currency: EUR
plans: { p: { limits: { budget_cents: [{ amount: 100, window: 1d }, { amount: 10, window: 1h }] } } }
accounts:
  - { id: ${ACCOUNT_ID}, name: acme, plan: p, credits_cents: 500, keys: [{ id: k1, kind: serverless, user: alice, secret: service_secret_of_alice, limits: { budget_cents: { amount: 50, window: 30d } } }] }
${MODEL}`)

describe("the finder of customers' alerts", () => {
  onEveryStore(store => {
    let spent: Record<string, number> = {}
    let asked: SpendPeriod[] = []
    beforeEach(() => {
      spent = {}
      asked = []
    })
    const finder = (slice?: number, checkMs?: number) =>
      new CustomerAlertFinder({
        store: store(),
        readSpent: async period => {
          asked.push(period)
          return (spent[period.key ?? period.account] ?? 0) * 1_000_000
        },
        ...(slice !== undefined && { slice }),
        ...(checkMs !== undefined && { checkMs }),
      })
    let count = 0
    const alert = (kind: string, threshold: number, key_id = '', account_id = ACCOUNT_ID) =>
      insertAlert(store(), {
        ...{ id: `alert_${String(++count).padStart(4, '0')}`, account_id, key_id, user_id: 'alice', kind, threshold },
        ...{ url: 'https://hooks.test', secret: 'whsec_a', created_at: 1 },
      })
    const events = async () =>
      (await dueEvents(store(), 1e18, 99))
        .map(({ body }) => JSON.parse(body))
        .map(({ type, data }) => ({ type, ...data }))
    const add = (account_id: string, cents: number) =>
      bookCredits(store(), [
        {
          ...{ request_id: crypto.randomUUID(), account_id, kind: 'top-up', created_at: 1 },
          amount_microcents: cents * 1e6,
        },
      ])
    const saveStored = () =>
      saveAccount(
        store(),
        {
          ...{ id: STORED, name: 'stored', kind: 'serverless', zdr_required: false, models: ['*'] },
          ...{ plan: undefined, credits_cents: undefined },
        },
        1,
      )

    it('raises one event when a share of a budget is used, and one in the next window', async () => {
      await alert('budget_used', 0.8)
      spent[ACCOUNT_ID] = 9
      const found = finder()
      await found.check(config, NOW)
      expect(await events()).deep.equal([
        {
          ...{ type: 'budget.used', alert_id: 'alert_0001', account_id: ACCOUNT_ID, account: 'acme' },
          ...{ key_id: null, key_label: null, threshold: 0.8, used_cents: 9, limit_cents: 10, currency: 'EUR' },
          ...{ window: '1h', window_end: '2026-11-21T13:00:00.000Z' },
        },
      ])
      for (let i = 0; i < 3; i++) await found.check(config, NOW + i)
      expect(await events()).length(1)
      // The window is another one, and the last event an hour old.
      await found.check(config, NOW + HOUR)
      expect(await events()).length(2)
    })

    it('watches the budgets of keys of the file and of the store, and reads each once', async () => {
      await saveStored()
      const limits = { budget_cents: { amount: 20, window: '1d' } }
      const key = { account_id: STORED, user: 'bob', kind: 'serverless', endpoints: [], label: 'ci', limits } as const
      const { id } = await createKey(store(), 'service', key, 1)
      for (const threshold of [0.5, 0.9]) await alert('budget_used', threshold, 'k1')
      await alert('budget_used', 0.5, id, STORED)
      spent = { k1: 30, [id]: 20 }
      await finder().check(config, NOW)
      const found = (await events()).map(({ key_id, key_label, threshold }) => [key_id, key_label, threshold])
      expect(found).have.deep.members([
        ['k1', null, 0.5],
        [id, 'ci', 0.5],
      ])
      expect(asked.map(({ key: of }) => of)).deep.equal(['k1', id])
    })

    it('raises one event when a balance is low, and another when it has risen and fallen', async () => {
      await alert('balance_below_cents', 200)
      const found = finder()
      await found.check(config, NOW)
      expect(await events()).deep.equal([])
      await add(ACCOUNT_ID, -301)
      await found.check(config, NOW)
      expect((await events())[0]).include({ type: 'balance.low', threshold_cents: 200, balance_cents: 199 })
      await add(ACCOUNT_ID, 100)
      await found.check(config, NOW + 1)
      await add(ACCOUNT_ID, -100)
      await found.check(config, NOW + 2)
      expect(await events()).length(1)
      await found.check(config, NOW + HOUR)
      expect(await events()).length(2)
    })

    it('ignores alerts whose key, account, budget or balance is gone', async () => {
      await alert('budget_used', 0.1, 'gone')
      await alert('budget_used', 0.1, '', STORED)
      await saveStored()
      await alert('balance_below_cents', 10, '', STORED)
      expect(await finder().check(config, NOW)).equal(true)
      expect(await events()).deep.equal([])
    })

    it('removes alerts of keys and accounts that are gone, except those from after a configuration', async () => {
      const account = { id: STORED, name: 'stored', kind: 'serverless', zdr_required: false, models: ['*'] } as const
      await saveAccount(store(), { ...account, plan: undefined, credits_cents: undefined, disabled: true }, 1)
      const { id } = await createKey(
        store(),
        'service',
        { account_id: STORED, user: 'bob', kind: 'serverless', endpoints: [] },
        1,
      )
      const kept = [['k1'], [''], ['', STORED], [id, STORED]] as const
      for (const [key, account_id] of kept) await alert('budget_used', 0.1, key, account_id)
      await alert('budget_used', 0.1, 'gone')
      await alert('budget_used', 0.1, '', GONE)
      // Created one microsecond after 1970.
      await finder().check(config, NOW, 0.001)
      expect(await alertPage(store(), '', 9)).length(6)
      await finder().check(config, NOW, 0.002)
      expect((await alertPage(store(), '', 9)).map(one => [one.key_id, one.account_id])).deep.equal(
        kept.map(([key, account_id = ACCOUNT_ID]) => [key, account_id]),
      )
    })

    it('continues after its last slice when the time is over', async () => {
      for (let i = 0; i < 5; i++) await alert('budget_used', 0.1 * (i + 1))
      spent[ACCOUNT_ID] = 100
      const found = finder(2, 0)
      expect(await found.check(config, NOW)).equal(false)
      expect(await events()).length(2)
      expect(await found.check(config, NOW)).equal(false)
      expect(await found.check(config, NOW)).equal(true)
      expect(await events()).length(5)
      expect((await alertPage(store(), '', 9)).every(({ crossed }) => crossed !== '')).equal(true)
    })

    it('raises an event once with several finders', async () => {
      await alert('budget_used', 0.8)
      spent[ACCOUNT_ID] = 90
      await Promise.all([finder(), finder(), finder()].map(one => one.check(config, NOW)))
      expect(await events()).length(1)
    })
  })
})
