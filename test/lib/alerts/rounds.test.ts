import { expect } from 'chai'
import type { Message, Outbox } from '../../../lib/alerts/outbox.ts'
import { startRounds } from '../../../lib/alerts/rounds.ts'
import { systemClock } from '../../../lib/base/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { onEveryStore } from '../../support/stores.ts'

const OUTBOX = {} as Outbox<Message>

describe('rounds of a sender', () => {
  onEveryStore(store => {
    let warnings: string[] = []
    let running: (() => Promise<void>)[] = []
    let failures = 0
    beforeEach(async () => {
      warnings = []
      failures = 0
      running = []
      await store().db.updateTable('alert_sender').set({ holder: '', until: 0 }).execute()
    })
    afterEach(async () => {
      for (const end of running.splice(0)) await end()
    })

    const start = (find: () => Promise<boolean>, isConfigured = true) => {
      const counts = { begun: 0, sent: 0 }
      const end = startRounds<Message>({
        ...{ store: store(), clock: systemClock, sender: 'alert_sender', failure: 'rounds fail', everyMs: 5 },
        log: { warn: (_facts: object, text?: string) => warnings.push(String(text)) },
        deliveries: {
          async begin() {
            if (failures-- > 0) throw new Error('no store')
            counts.sent++
          },
          settled: async () => {},
        },
        begin() {
          counts.begun++
          return isConfigured ? { outbox: OUTBOX, find } : undefined
        },
      })
      running.push(end)
      return { counts, end }
    }

    it('are done by one process, and by another one when it stops', async () => {
      const [first, second] = [start(async () => true), start(async () => true)]
      await eventually(() => first.counts.sent + second.counts.sent > 3)
      const [busy, idle] = first.counts.sent > 0 ? [first, second] : [second, first]
      expect(idle.counts.begun).above(0)
      expect(idle.counts.sent).equal(0)
      await busy.end()
      await eventually(() => idle.counts.sent > 0)
    })

    it('find messages in every fifth round, or in the next one if they were not complete', async () => {
      let found = 0
      const { counts, end } = start(async () => ++found > 3)
      await eventually(() => counts.sent > 8)
      await end()
      // The first four rounds, then those whose number is divisible by five.
      expect(found).equal(4 + Math.floor((counts.sent - 1) / 5))
    })

    it('warn once while they fail, and again after a round that did not', async () => {
      failures = 3
      const { counts } = start(async () => true)
      await eventually(() => counts.sent > 0)
      expect(warnings).deep.equal(['rounds fail'])
      failures = 2
      await eventually(() => failures < 0)
      expect(warnings).deep.equal(['rounds fail', 'rounds fail'])
    })

    it('do nothing without a configuration', async () => {
      const { counts } = start(async () => true, false)
      await eventually(() => counts.begun > 3)
      expect(counts.sent).equal(0)
      const { holder } = await store().db.selectFrom('alert_sender').select('holder').executeTakeFirstOrThrow()
      expect(holder).equal('')
    })
  })
})
