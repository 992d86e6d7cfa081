import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { watchCustomerAlerts } from '../../../lib/customer-alerts/watch.ts'
import { customerWebhooks } from '../../../lib/process/customer-webhooks.ts'
import { dueEvents, findAlert, insertAlert, raiseTest } from '../../../lib/store/customer-alerts.ts'
import { afterRounds } from '../../support/alert-rounds.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Pauses before the five repetitions, and a little more. */
const PAUSES = [MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 18 * HOUR].map(pause => pause + 1000)

describe("the watch of customers' alerts", () => {
  onEveryStore(store => {
    let receiver: Receiver
    let running: (() => Promise<void>)[] = []
    /** Milliseconds by which the clock of the watch is ahead. */
    let ahead = 0
    let spent = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    beforeEach(async () => {
      receiver = await startReceiver()
      ahead = 0
      spent = 0
      await store().db.updateTable('customer_alert_sender').set({ holder: '', until: 0 }).execute()
    })
    afterEach(async () => {
      for (const end of running.splice(0)) await end()
      running = []
      await receiver.close()
    })

    const start = (isOn = true) => {
      const config = configOf(`
console: { alerts: ${isOn} }
image_fetch: { allow: [127.0.0.1/32] }
plans: { p: { limits: { budget_cents: { amount: 100, window: 365d } } } }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, plan: p }]
${MODEL}`)
      const metrics = new Metrics()
      const end = watchCustomerAlerts({
        ...{ store: store(), config: () => config, clock, log: silent, metrics, everyMs: 20 },
        ...{ readSpent: async () => spent * 1e6, webhooks: () => customerWebhooks(config) },
      })
      running.push(end)
      const count = async (outcome: string) => {
        const text = await metrics.registry.metrics()
        return [...text.matchAll(/^sluiceway_customer_alerts_total\{.*outcome="(\w+)"\} (\d+)$/gm)]
          .filter(([, of]) => of === outcome)
          .reduce((sum, [, , value]) => sum + Number(value), 0)
      }
      return { end, count, metrics }
    }
    const insert = () =>
      insertAlert(store(), {
        ...{ id: 'one', account_id: ACCOUNT_ID, key_id: '', user_id: 'alice', kind: 'budget_used', threshold: 0.8 },
        ...{ url: receiver.url, secret: SECRET, created_at: 1 },
      })
    const alert = async () => (await findAlert(store(), 'one'))!
    const waiting = () => dueEvents(store(), 1e18, 99)
    const rounds = () => afterRounds(store(), 'customer_alert_sender')

    it('removes alerts of an account that the configuration has no more, with their events', async () => {
      const gone = '1c2d2f7e-9a53-4c57-8d1b-6f2c1e9a2d6b'
      await insertAlert(store(), {
        ...{ id: 'gone', account_id: gone, key_id: '', user_id: 'alice', kind: 'budget_used', threshold: 0.8 },
        ...{ url: receiver.url, secret: SECRET, created_at: 1 },
      })
      await insert()
      start()
      await eventually(async () => (await findAlert(store(), 'gone')) === undefined)
      expect(await alert()).include({ id: 'one' })
    })

    it('sends one signed event for a crossing, with several processes and over a restart', async () => {
      await insert()
      spent = 90
      const first = [start(), start(), start()]
      await eventually(() => receiver.deliveries.length > 0)
      await rounds()
      for (const { end } of first) await end()
      start()
      await rounds()
      expect(receiver.deliveries).length(1)
      expect(receiver.deliveries[0]).include({ isSigned: true })
      expect(receiver.deliveries[0]!.body).include({ type: 'budget.used' })
      expect(await alert())
        .include({ problem: null })
        .and.property('attempt_at')
        .above(0)
    })

    it('repeats an event five times over a day, under the same id, and over a restart', async () => {
      await insert()
      spent = 90
      receiver.answers.push(...Array(9).fill(500))
      let { count, end } = start()
      await eventually(async () => (await count('retried')) === 1)
      for (const [i, pause] of PAUSES.slice(0, 3).entries()) {
        ahead += pause / 2
        await rounds()
        expect(receiver.deliveries, `before ${i}`).length(i + 1)
        ahead += pause / 2
        await eventually(async () => (await count('retried')) === i + 2)
      }
      await end()
      ;({ count, end } = start())
      ahead += PAUSES[3]!
      await eventually(async () => (await count('retried')) === 1)
      await eventually(async () => (await alert()).problem === 'The answer had status 500 instead of 2xx.')
      ahead += PAUSES[4]!
      await eventually(async () => (await count('failed')) === 1)
      expect(receiver.deliveries).length(6)
      expect(new Set(receiver.deliveries.map(({ id }) => id)).size).equal(1)
      await eventually(async () => (await waiting()).length === 0)
      expect(ahead).within(22 * HOUR, 25 * HOUR)
    })

    it('sends a test event once', async () => {
      await insert()
      receiver.answers.push(404)
      await raiseTest(store(), 'one', { type: 'alert.test', body: '{"type":"alert.test","data":{}}' }, 1)
      const { count } = start()
      await eventually(async () => (await count('failed')) === 1)
      await eventually(async () => (await waiting()).length === 0)
      expect(await alert()).include({ problem: 'The answer had status 404 instead of 2xx.' })
    })

    it('does nothing while it is off, and has no metric', async () => {
      await insert()
      spent = 90
      const { metrics } = start(false)
      await new Promise(resolve => setTimeout(resolve, 200))
      expect(await waiting()).deep.equal([])
      expect(await alert()).include({ crossed: '' })
      expect(await metrics.registry.metrics()).not.contain('customer_alerts')
    })
  })
})
