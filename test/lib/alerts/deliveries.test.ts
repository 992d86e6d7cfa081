import { expect } from 'chai'
import { Deliveries, MOST_SENDING } from '../../../lib/alerts/deliveries.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { dueAlerts, raiseAlerts } from '../../../lib/store/alerts.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

describe('deliveries of alerts', () => {
  onEveryStore(store => {
    let receiver: Receiver
    let release: () => void
    let outcomes: string[]
    beforeEach(async () => {
      receiver = await startReceiver()
      outcomes = []
    })
    afterEach(() => receiver.close())

    const deliveries = () =>
      new Deliveries({
        ...{ store: store(), clock: systemClock, log: silent },
        onAttempt: (_type, outcome) => void outcomes.push(outcome),
      })
    const config = () => configOf(`alerts: { webhook: "${receiver.url}", secret: ${SECRET} }\n${MODEL}`).alerts!
    const raise = (names: readonly string[]) =>
      raiseAlerts(
        store(),
        names.map(name => ({
          ...{ name, type: 'credits.low', expiresAt: undefined },
          body: JSON.stringify({ type: 'credits.low', data: { name } }),
        })),
        1,
      )
    const arrived = () => receiver.deliveries.map(({ body }) => String(body.data.name))
    const due = async () => (await dueAlerts(store(), systemClock.micros() * 2, 100)).map(({ name }) => name)
    const holdSlow = () => {
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      receiver.held = ({ body }) => (String(body.data.name).startsWith('slow') ? held : undefined)
    }

    it('go on beside one that the receiver takes slowly, which is sent once', async () => {
      holdSlow()
      const sender = deliveries()
      await raise(['slow', 'b', 'c'])
      await sender.begin(config(), systemClock.micros())
      await eventually(async () => (await due()).join() === 'slow')
      await raise(['d'])
      await sender.begin(config(), systemClock.micros())
      await eventually(async () => (await due()).join() === 'slow')
      expect(arrived().toSorted()).deep.equal(['b', 'c', 'd', 'slow'])
      release()
      await sender.settled()
      expect(await due()).deep.equal([])
      expect(outcomes).deep.equal(['sent', 'sent', 'sent', 'sent'])
    })

    it('are so many at the same time, and no more', async () => {
      holdSlow()
      const sender = deliveries()
      await raise(Array.from({ length: MOST_SENDING + 5 }, (_, i) => `slow${i}`))
      for (let i = 0; i < 3; i++) await sender.begin(config(), systemClock.micros())
      await eventually(() => arrived().length === MOST_SENDING)
      release()
      await sender.settled()
      expect(arrived()).lengthOf(MOST_SENDING)
      await sender.begin(config(), systemClock.micros())
      await sender.settled()
      expect(new Set(arrived()).size).equal(MOST_SENDING + 5)
    })

    it('of what is new come before those that are tried again', async () => {
      receiver.answers.push(500)
      const sender = deliveries()
      await raise(['failing'])
      await sender.begin(config(), systemClock.micros())
      await sender.settled()
      await raise(['fresh'])
      expect(await due()).deep.equal(['fresh', 'failing'])
      expect(outcomes).deep.equal(['retried'])
    })
  })
})
