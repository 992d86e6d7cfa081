import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { DownSince } from '../../../lib/alerts/down.ts'
import { AlertFinder } from '../../../lib/alerts/find.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { dueAlerts, raisedAlerts } from '../../../lib/store/alerts.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { SECRET } from '../../support/receiver.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 30)

describe('the search for alerts', () => {
  onEveryStore(store => {
    const finder = (options: { slice?: number; lookMs?: number } = {}) =>
      new AlertFinder({ store: store(), log: silent, ...options })
    const config = (thresholds = '[100]') =>
      configOf(`
alerts: { webhook: http://h, secret: ${SECRET}, credit_below_cents: ${thresholds} }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, credits_cents: 500 }]
${MODEL}`)
    const look = (thresholds?: string) => {
      const { alerts, ...rest } = config(thresholds)
      return { alerts: alerts!, config: rest, down: new DownSince(), now: NOW }
    }
    const save = async (id: string, cents: number | undefined) => {
      const account = { id, name: id, kind: 'serverless', plan: undefined, zdr_required: false, models: ['*'] } as const
      await saveAccount(store(), { ...account, credits_cents: cents }, 1)
    }
    const add = (account_id: string, cents: number) =>
      bookCredits(store(), [
        {
          ...{ request_id: randomUUID(), account_id, kind: 'top-up', created_at: 1 },
          amount_microcents: cents * 1e6,
        },
      ])
    const raised = () => raisedAlerts(store(), 'credits.low')

    it('goes through the accounts of the store in slices, and on where the last look has ended', async () => {
      const ids = Array.from({ length: 5 }, () => randomUUID()).toSorted()
      for (const id of ids) await save(id, 10)
      await save(randomUUID(), undefined)
      // One slice of two accounts a look.
      const search = finder({ slice: 2, lookMs: 0 })
      const counts: number[] = []
      for (let i = 0; i < 4; i++) {
        await search.look(look())
        counts.push((await raised()).length)
      }
      expect(counts[0]).within(1, 2)
      expect(counts[3]).equal(5)
      expect(await raised()).deep.equal(ids.map(id => `credits.low:${id}:100`))
      // The next round raises none again.
      expect(await dueAlerts(store(), NOW * 1000, 100)).lengthOf(5)
      for (let i = 0; i < 4; i++) await search.look(look())
      expect(await dueAlerts(store(), NOW * 1000, 100)).lengthOf(5)
    })

    it('forgets what is over, slice by slice: the balance, the threshold or the account', async () => {
      const ids = Array.from({ length: 3 }, () => randomUUID())
      for (const id of ids) await save(id, 10)
      await finder().look(look('[100, 50]'))
      expect(await raised()).lengthOf(6)
      await add(ids[0]!, 500)
      await save(ids[1]!, undefined)
      const search = finder({ slice: 2, lookMs: 0 })
      for (let i = 0; i < 4; i++) await search.look(look('[50]'))
      expect(await raised()).deep.equal([`credits.low:${ids[2]}:50`])
    })

    it('counts an account of the file that the store has too as that of the file', async () => {
      await save(ACCOUNT_ID, 10)
      await finder().look(look())
      expect(await raised()).deep.equal([])
      await add(ACCOUNT_ID, -450)
      await finder().look(look())
      expect(await raised()).deep.equal([`credits.low:${ACCOUNT_ID}:100`])
    })
  })
})
