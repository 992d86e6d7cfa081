import { expect } from 'chai'
import {
  announceBatches,
  dueAlerts,
  endedBatches,
  expireAlerts,
  keepAlerts,
  leadAlerts,
  leaveAlerts,
  type NewAlert,
  noteAttempt,
  raiseAlerts,
} from '../../../lib/store/alerts.ts'
import { changeBatch } from '../../../lib/store/batches.ts'
import { runningBatch } from '../../support/batch-rows.ts'
import { onEveryStore } from '../../support/stores.ts'

/** Maximum number of alerts that wait. */
const MAX_WAITING = 1000

const alert = (name: string, own: Partial<NewAlert> = {}): NewAlert => ({
  ...{ name, type: 'credits.low', body: '{}', expiresAt: undefined },
  ...own,
})

describe('alerts in the store', () => {
  onEveryStore(store => {
    beforeEach(async () => {
      await store().db.updateTable('alert_sender').set({ holder: '', until: 0 }).execute()
    })
    const names = async (now = 1e15) => (await dueAlerts(store(), now, 2000)).map(({ name }) => name)

    it('are sent by one process at a time', async () => {
      const taken = await Promise.all(
        ['a', 'b', 'c'].map(holder => leadAlerts(store(), holder, 10, 20, 'alert_sender')),
      )
      expect(taken.filter(Boolean)).lengthOf(1)
      const holder = ['a', 'b', 'c'][taken.indexOf(true)]!
      expect(await leadAlerts(store(), holder, 15, 30, 'alert_sender')).equal(true)
      expect(await leadAlerts(store(), 'd', 25, 99, 'alert_sender')).equal(false)
      expect(await leadAlerts(store(), 'd', 31, 99, 'alert_sender')).equal(true)
      await leaveAlerts(store(), 'd', 'alert_sender')
      expect(await leadAlerts(store(), 'e', 32, 99, 'alert_sender')).equal(true)
    })

    it('are due once per name, with a constant id', async () => {
      for (let i = 0; i < 3; i++) expect(await raiseAlerts(store(), [alert('x'), alert('y')], 5)).equal(0)
      const [x] = await dueAlerts(store(), 5, 10)
      expect(x).include({ name: 'x', attempts: 0, body: '{}' })
      expect(x!.webhookId).match(/^msg_[0-9a-f-]{36}$/)
      expect(await names(4)).deep.equal([])
      await noteAttempt(store(), 'x', 1, 50)
      expect(await names(49)).deep.equal(['y'])
      const again = (await dueAlerts(store(), 50, 10)).find(({ name }) => name === 'x')
      expect(again).include({ attempts: 1, webhookId: x!.webhookId })
      await noteAttempt(store(), 'x', 1, null)
      await raiseAlerts(store(), [alert('x')], 60)
      expect(await names()).deep.equal(['y'])
    })

    it('may be raised again after their condition or period is over', async () => {
      const quota = alert('q', { type: 'quota.used', expiresAt: 100 })
      await raiseAlerts(store(), [alert('x'), alert('y'), quota], 5)
      for (const name of ['x', 'y', 'q']) await noteAttempt(store(), name, 0, null)
      await keepAlerts(store(), 'credits.low', ['y'])
      await keepAlerts(store(), 'quota.used', [])
      await expireAlerts(store(), 100)
      await raiseAlerts(store(), [alert('x'), alert('y'), quota], 6)
      expect(await names()).deep.equal(['x'])
      await expireAlerts(store(), 101)
      await raiseAlerts(store(), [quota], 7)
      expect(await names()).deep.equal(['x', 'q'])
    })

    it('have a maximum number that waits', async () => {
      const many = Array.from({ length: MAX_WAITING + 7 }, (_, i) => alert(`n${i}`))
      expect(await raiseAlerts(store(), many, 5)).equal(7)
      expect(await names()).lengthOf(MAX_WAITING)
    })

    it('of batches that do not fit wait in the table of batches', async () => {
      await raiseAlerts(
        store(),
        Array.from({ length: MAX_WAITING - 1 }, (_, i) => alert(`n${i}`)),
        5,
      )
      for (const id of ['b1', 'b2', 'b3']) {
        await runningBatch(store(), id, ['m'])
        await changeBatch(store(), id, { status: ['in_progress'] }, { status: 'completed' })
      }
      const alerts = new Map([
        ['b1', undefined],
        ['b2', alert('x')],
        ['b3', alert('y')],
      ])
      expect((await endedBatches(store(), 2)).map(({ id }) => id)).deep.equal(['b1', 'b2'])
      expect(await announceBatches(store(), alerts, 6)).equal(false)
      expect((await endedBatches(store(), 2)).map(({ id }) => id)).deep.equal(['b3'])
    })
  })
})
