import { expect } from 'chai'
import { removeMember, saveMember } from '../../../lib/store/accounts.ts'
import { leadAlerts, leaveAlerts } from '../../../lib/store/alerts.ts'
import {
  alertPage,
  alertsOf,
  changeCrossed,
  deleteAlerts,
  dueEvents,
  findAlert,
  insertAlert,
  MAX_ALERTS,
  nextAttempts,
  noteEventAttempt,
  raiseTest,
} from '../../../lib/store/customer-alerts.ts'
import { createKey, revokeKey } from '../../../lib/store/keys.ts'
import { onEveryStore } from '../../support/stores.ts'

const MINUTE = 60_000_000
const EVENT = { type: 'budget.used', body: '{}' }

describe("customers' alerts in the store", () => {
  onEveryStore(store => {
    const insert = (id: string, account_id = 'a', key_id = '') =>
      insertAlert(store(), {
        ...{ id, account_id, key_id, user_id: 'alice', kind: 'budget_used', threshold: 0.8 },
        ...{ url: 'https://hooks.test/a', secret: 'whsec_a', created_at: 1 },
      })
    const alert = async (id = 'one') => (await findAlert(store(), id))!

    it('are at most five for a key or an account, however many forms are sent at the same time', async () => {
      const sent = await Promise.all(Array.from({ length: 8 }, (_, i) => insert(`alert_${i}`)))
      expect(sent.filter(one => one === 'inserted')).length(MAX_ALERTS)
      expect(sent.filter(one => one === 'too_many')).length(3)
      expect(await insert('other', 'b')).equal('inserted')
      expect(await insert('of-key', 'a', 'k')).equal('inserted')
      const ids = (await alertsOf(store(), ['b'], ['k'])).map(({ id }) => id)
      expect(ids.toSorted()).deep.equal(['of-key', 'other'])
      const [first] = await alertsOf(store(), ['a'], [])
      await deleteAlerts(store(), 'id', first!.id)
      expect(await insert('again')).equal('inserted')
      expect(await insert('again')).equal('repeated')
      expect(await alertsOf(store(), [], [])).deep.equal([])
    })

    it('raise an event once, also if several processes have seen its condition', async () => {
      await insert('one')
      const seen = await alert()
      const raised = await Promise.all([1, 2, 3].map(() => changeCrossed(store(), seen, 'p', EVENT, 7)))
      expect(raised.filter(Boolean)).length(1)
      const [event, ...more] = await dueEvents(store(), 7, 9)
      expect(more).deep.equal([])
      expect(event).deep.include({
        ...EVENT,
        alertId: 'one',
        attempts: 0,
        url: 'https://hooks.test/a',
        secret: 'whsec_a',
      })
      expect(event!.webhookId).match(/^msg_[0-9a-f-]{36}$/)
      expect(await alert()).include({ crossed: 'p', event_at: 7, threshold: 0.8 })
      expect(await changeCrossed(store(), await alert(), '', undefined, 8)).equal(true)
      expect(await alert()).include({ crossed: '', event_at: 7 })
    })

    it('wait until they are sent or given up', async () => {
      await insert('one')
      await changeCrossed(store(), await alert(), 'p', EVENT, 7)
      const [event] = await dueEvents(store(), 7, 9)
      await noteEventAttempt(store(), event!, { attempts: 1, nextAt: 50, problem: 'No.' }, 8)
      expect(await dueEvents(store(), 49, 9)).deep.equal([])
      expect(await alert()).include({ attempt_at: 8, problem: 'No.' })
      expect(await nextAttempts(store(), ['one', 'two'])).deep.equal(new Map([['one', 50]]))
      const [again] = await dueEvents(store(), 50, 9)
      expect(again).include({ attempts: 1, webhookId: event!.webhookId })
      await noteEventAttempt(store(), again!, { attempts: 1, nextAt: null, problem: null }, 51)
      expect(await dueEvents(store(), 1e15, 9)).deep.equal([])
      expect(await alert()).include({ attempt_at: 51, problem: null })
      expect(await nextAttempts(store(), [])).deep.equal(new Map())
    })

    it('send a test event once a minute', async () => {
      await insert('one')
      const test = (now: number) => raiseTest(store(), 'one', { ...EVENT, type: 'alert.test' }, now)
      expect(await Promise.all([test(1), test(1)])).have.members(['raised', 'too_soon'])
      expect(await test(MINUTE)).equal('too_soon')
      expect(await test(MINUTE + 1)).equal('raised')
      expect(await raiseTest(store(), 'none', EVENT, 1)).equal('too_soon')
      expect(await dueEvents(store(), 2 * MINUTE, 9)).length(2)
    })

    it('send no test event while 10,000 events wait', async () => {
      await insert('one')
      const events = Array.from({ length: 10_000 }, (_, i) => {
        return { ...EVENT, webhook_id: `msg_${i}`, alert_id: 'one', attempts: 1, next_at: 9 }
      })
      for (let i = 0; i < events.length; i += 1000)
        await store()
          .db.insertInto('customer_alert_events')
          .values(events.slice(i, i + 1000))
          .execute()
      expect(await raiseTest(store(), 'one', EVENT, 1)).equal('full')
      expect((await alert()).tested_at).equal(null)
      await store().db.deleteFrom('customer_alert_events').where('webhook_id', '=', 'msg_0').execute()
      expect(await raiseTest(store(), 'one', EVENT, 1)).equal('raised')
    })

    it('are read in pages', async () => {
      for (const id of ['c', 'a', 'b']) await insert(id, id)
      expect((await alertPage(store(), '', 2)).map(({ id }) => id)).deep.equal(['a', 'b'])
      expect((await alertPage(store(), 'b', 2)).map(({ id }) => id)).deep.equal(['c'])
    })

    it('end with their key', async () => {
      const key = { account_id: 'a', user: 'alice', kind: 'serverless', endpoints: [] } as const
      const { id } = await createKey(store(), 'service', key, 1)
      await insert('one', 'a', id)
      await insert('two', 'a')
      await raiseTest(store(), 'one', EVENT, 1)
      await revokeKey(store(), id, 2)
      expect((await alertPage(store(), '', 9)).map(one => one.id)).deep.equal(['two'])
      expect(await dueEvents(store(), 9, 9)).deep.equal([])
    })

    it('end with the keys of a member who is removed', async () => {
      await saveMember(store(), 'a', 'alice', 'member', 1)
      const key = { account_id: 'a', user: 'alice', kind: 'serverless', endpoints: [] } as const
      const { id } = await createKey(store(), 'service', key, 1)
      await insert('one', 'a', id)
      await insert('two', 'a')
      await removeMember(store(), 'a', 'alice', 2)
      expect((await alertPage(store(), '', 9)).map(one => one.id)).deep.equal(['two'])
    })

    it('are sent by one process at a time, apart from alerts of operators', async () => {
      const sender = 'customer_alert_sender'
      await store().db.updateTable(sender).set({ holder: '', until: 0 }).execute()
      expect(await leadAlerts(store(), 'x', 10, 20, sender)).equal(true)
      expect(await leadAlerts(store(), 'y', 15, 30, sender)).equal(false)
      await leaveAlerts(store(), 'x', sender)
      expect(await leadAlerts(store(), 'y', 16, 30, sender)).equal(true)
    })
  })
})
