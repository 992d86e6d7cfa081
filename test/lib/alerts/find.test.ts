import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { BackendStates } from '../../../lib/alerts/backend-states.ts'
import { AlertFinder } from '../../../lib/alerts/find.ts'
import { saveAccount } from '../../../lib/store/accounts.ts'
import { dueAlerts, raisedAlerts } from '../../../lib/store/alerts.ts'
import { changeBatch } from '../../../lib/store/batches.ts'
import { bookCredits } from '../../../lib/store/credits.ts'
import { runningBatch } from '../../support/batch-rows.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { SECRET } from '../../support/receiver.ts'
import { onEveryStore, silent } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 30)

describe('the search for alerts', () => {
  onEveryStore(store => {
    const finder = (options: { slice?: number; checkMs?: number } = {}) =>
      new AlertFinder({ store: store(), log: silent, ...options })
    const config = (thresholds = '[100]') =>
      configOf(`
alerts: { webhook: http://h, secret: ${SECRET}, credit_below_cents: ${thresholds} }
accounts: [{ id: ${ACCOUNT_ID}, name: acme, credits_cents: 500 }]
${MODEL}`)
    const input = (thresholds?: string) => {
      const { alerts, ...rest } = config(thresholds)
      return { alerts: alerts!, config: rest, backends: new BackendStates(), now: NOW }
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

    it('checks the accounts of the store in slices, and continues after the last slice', async () => {
      const ids = Array.from({ length: 5 }, () => randomUUID()).toSorted()
      for (const id of ids) await save(id, 10)
      await save(randomUUID(), undefined)
      // One slice of two accounts per check.
      const search = finder({ slice: 2, checkMs: 0 })
      const counts: number[] = []
      for (let i = 0; i < 4; i++) {
        await search.check(input())
        counts.push((await raised()).length)
      }
      expect(counts[0]).within(1, 2)
      expect(counts[3]).equal(5)
      expect(await raised()).deep.equal(ids.map(id => `credits.low:${id}:100`))
      // Further checks raise no alert twice.
      expect(await dueAlerts(store(), NOW * 1000, 100)).lengthOf(5)
      for (let i = 0; i < 4; i++) await search.check(input())
      expect(await dueAlerts(store(), NOW * 1000, 100)).lengthOf(5)
    })

    it('removes alerts that are over, slice by slice: by balance, threshold or account', async () => {
      const ids = Array.from({ length: 3 }, () => randomUUID())
      for (const id of ids) await save(id, 10)
      await finder().check(input('[100, 50]'))
      expect(await raised()).lengthOf(6)
      await add(ids[0]!, 500)
      await save(ids[1]!, undefined)
      const search = finder({ slice: 2, checkMs: 0 })
      for (let i = 0; i < 4; i++) await search.check(input('[50]'))
      expect(await raised()).deep.equal([`credits.low:${ids[2]}:50`])
    })

    it('uses the configuration for an account that is also in the store', async () => {
      await save(ACCOUNT_ID, 10)
      await finder().check(input())
      expect(await raised()).deep.equal([])
      await add(ACCOUNT_ID, -450)
      await finder().check(input())
      expect(await raised()).deep.equal([`credits.low:${ACCOUNT_ID}:100`])
    })

    it('raises one alert for the end of each batch, also in slices, and none for those before alerts', async () => {
      const batches = configOf(`batches: {}\n${MODEL}`).batches!
      const checked = { ...input(), config: { ...input().config, batches } }
      const end = (id: string, status: string, at = NOW) =>
        changeBatch(store(), id, { status: ['in_progress'] }, { status, [`${status}_at`]: at })
      for (const id of ['b1', 'b2', 'b3', 'b4', 'b5']) await runningBatch(store(), id, ['m'])
      await finder().check(checked)
      await end('b1', 'completed')
      await end('b2', 'expired')
      await end('b3', 'cancelled')
      await end('b4', 'failed', NOW - 90_000_000)
      const search = finder({ slice: 1 })
      for (let i = 0; i < 3; i++) await search.check(checked)
      const due = await dueAlerts(store(), NOW * 1000, 100)
      const names = due.map(({ name }) => name).filter(name => name.startsWith('batch.'))
      expect(names.toSorted()).deep.equal(['batch.completed:b1', 'batch.expired:b2'])
      await end('b5', 'failed')
      await finder().check({ ...checked, config: input().config })
      const all = () => store().db.selectFrom('batches').select('id').where('announced', '=', 0).execute()
      expect(await all()).deep.equal([{ id: 'b5' }])
    })
  })
})
