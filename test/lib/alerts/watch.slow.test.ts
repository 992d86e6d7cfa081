import { expect } from 'chai'
import { watchAlerts } from '../../../lib/alerts/watch.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { afterRounds } from '../../support/alert-rounds.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

describe('the watch of alerts', () => {
  onEveryStore(store => {
    let receiver: Receiver
    let running: (() => Promise<void>)[] = []
    beforeEach(async () => {
      receiver = await startReceiver()
      await store().db.updateTable('alert_sender').set({ holder: '', until: 0 }).execute()
    })
    afterEach(async () => {
      for (const end of running.splice(0)) await end()
      running = []
      await receiver.close()
    })

    const start = (isUp = () => true) => {
      const config = configOf(`
alerts: { webhook: "${receiver.url}", secret: ${SECRET}, credit_below_cents: [1000, 100], backend_down_seconds: 1 }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, credits_cents: 500 }]
${MODEL}`)
      const metrics = new Metrics()
      const end = watchAlerts({
        ...{ store: store(), config: () => config, clock: systemClock, log: silent, metrics, everyMs: 20 },
        backends: () => [{ model: 'm', address: 'http://a', isUp: isUp() }],
      })
      running.push(end)
      const count = async (outcome: string) => {
        const { values } = await metrics
          .counter({ name: 'sluiceway_alerts_total', help: '', labelNames: ['type', 'outcome'] })
          .get()
        return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
      }
      return { end, count }
    }
    const add = (cents: number) =>
      bookCredits(store(), [
        {
          ...{ request_id: crypto.randomUUID(), account_id: ACCOUNT_ID, kind: 'top-up', created_at: 1 },
          amount_microcents: cents * 1e6,
        },
      ])
    const thresholds = () => receiver.deliveries.map(({ body }) => body.data.threshold_cents)
    const rows = async () => (await store().db.selectFrom('alerts').select(['name', 'next_at']).execute()).length
    const rounds = () => afterRounds(store(), 'alert_sender')

    it('sends one signed message per threshold, and repeats a failed one with the same id', async () => {
      receiver.answers.push(500, 503)
      const { count } = start()
      await eventually(async () => (await count('sent')) === 1)
      await rounds()
      expect(receiver.deliveries).lengthOf(3)
      expect(receiver.deliveries.every(({ isSigned }) => isSigned)).equal(true)
      expect(new Set(receiver.deliveries.map(({ id }) => id)).size).equal(1)
      expect(receiver.deliveries[0]!.body).deep.include({ type: 'credits.low' })
      expect(await count('retried')).equal(2)
    })

    it('sends it once with several processes, and not again after a restart', async () => {
      const first = [start(), start(), start()]
      await eventually(() => receiver.deliveries.length > 0)
      await rounds()
      for (const { end } of first) await end()
      start()
      await rounds()
      expect(thresholds()).deep.equal([1000])
    })

    it('sends it again when the balance has risen above the threshold and falls below it again', async () => {
      start()
      await eventually(() => receiver.deliveries.length === 1)
      await add(1000)
      await eventually(async () => (await rows()) === 0)
      await add(-1450)
      await eventually(() => receiver.deliveries.length === 3)
      await rounds()
      expect(thresholds().toSorted()).deep.equal([100, 1000, 1000])
    })

    it('reports a backend that stays down once, until it has been up again', async () => {
      await add(10_000)
      let isUp = true
      start(() => isUp)
      await rounds()
      isUp = false
      await eventually(() => receiver.deliveries.length === 1)
      expect(receiver.deliveries[0]!.body.data).include({ model: 'm', backend: 'http://a' })
      await rounds()
      isUp = true
      await eventually(async () => (await rows()) === 0)
      isUp = false
      await eventually(() => receiver.deliveries.length === 2)
    })
  })
})
