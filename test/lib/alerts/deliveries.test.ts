import { expect } from 'chai'
import type { AlertsConfig } from '../../../lib/alerts/conditions.ts'
import { Deliveries } from '../../../lib/alerts/deliveries.ts'
import { operatorOutbox } from '../../../lib/alerts/outbox.ts'
import { type Clock, systemClock } from '../../../lib/base/clock.ts'
import { type DueAlert, dueAlerts, raiseAlerts } from '../../../lib/store/alerts.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'
import { onEveryStore } from '../../support/stores.ts'

/** Concurrent requests to the webhook. */
const MAX_SENDING = 20

describe('deliveries of alerts', () => {
  onEveryStore(store => {
    let receiver: Receiver
    let release: () => void
    let outcomes: string[]
    beforeEach(async () => {
      receiver = await startReceiver()
      outcomes = []
      problems = []
    })
    afterEach(() => receiver.close())

    let problems: (string | null)[]
    const deliveries = (clock: Clock = systemClock) => {
      const sender = new Deliveries<DueAlert>({
        clock,
        onAttempt(_alert, outcome, { problem }) {
          outcomes.push(outcome)
          problems.push(problem)
        },
        onForgotten: error => {
          throw error
        },
      })
      return {
        begin: (to: AlertsConfig, now: number) => sender.begin(operatorOutbox(store(), to), now),
        settled: () => sender.settled(),
      }
    }
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

    it('are not delayed by a slow one, which is sent once', async () => {
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

    it('have a limit of concurrent requests', async () => {
      holdSlow()
      const sender = deliveries()
      await raise(Array.from({ length: MAX_SENDING + 5 }, (_, i) => `slow${i}`))
      for (let i = 0; i < 3; i++) await sender.begin(config(), systemClock.micros())
      await eventually(() => arrived().length === MAX_SENDING)
      release()
      await sender.settled()
      expect(arrived()).lengthOf(MAX_SENDING)
      await sender.begin(config(), systemClock.micros())
      await sender.settled()
      expect(new Set(arrived()).size).equal(MAX_SENDING + 5)
    })

    it('of new alerts are attempted before retries', async () => {
      receiver.answers.push(500)
      const sender = deliveries()
      await raise(['failing'])
      await sender.begin(config(), systemClock.micros())
      await sender.settled()
      await raise(['fresh'])
      expect(await due()).deep.equal(['fresh', 'failing'])
      expect(outcomes).deep.equal(['retried'])
    })

    it('are signed as the example of the specification', async () => {
      const sender = deliveries({ ...systemClock, now: () => 1_614_265_330_000 })
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
      await raise(['example'])
      const example = { webhook_id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
      await store().db.updateTable('alerts').set(example).execute()
      await sender.begin({ ...config(), secret }, systemClock.micros())
      await sender.settled()
      expect(receiver.deliveries).lengthOf(1)
      expect(receiver.deliveries[0]).include({
        id: example.webhook_id,
        signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      })
    })

    it('have an id, a time and a signature that only the secret verifies', async () => {
      const sender = deliveries()
      await raise(['a'])
      await sender.begin(config(), systemClock.micros())
      await sender.settled()
      expect(receiver.deliveries[0]).deep.include({
        isSigned: true,
        body: { type: 'credits.low', data: { name: 'a' } },
      })
      expect(receiver.deliveries[0]!.id).match(/^msg_./)
      await raise(['b'])
      await sender.begin({ ...config(), secret: `whsec_${'A'.repeat(32)}` }, systemClock.micros())
      await sender.settled()
      expect(receiver.deliveries[1]?.isSigned).equal(false)
    })

    it('fail without a status of 2xx', async () => {
      const sender = deliveries()
      const attempt = async () => {
        await sender.begin(config(), systemClock.micros() * 2)
        await sender.settled()
      }
      await raise(['a'])
      for (const status of [500, 429, 302, 404]) {
        receiver.answers.push(status)
        await attempt()
      }
      expect(receiver.deliveries).lengthOf(4)
      expect(problems).deep.equal(['status 500', 'status 429', 'status 302', 'status 404'])
      const { url } = receiver
      await receiver.close()
      await sender.begin({ ...config(), webhook: url }, systemClock.micros() * 2)
      await sender.settled()
      expect(problems.at(-1)).equal('fetch failed')
      expect(outcomes).deep.equal(Array(5).fill('retried'))
    })
  })
})
