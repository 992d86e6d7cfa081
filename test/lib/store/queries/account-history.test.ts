import { expect } from 'chai'
import { bookCredits } from '../../../../lib/store/credits.ts'
import { transact } from '../../../../lib/store/database.ts'
import { bookedByStep, refusedByStep } from '../../../../lib/store/queries/account-history.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const DAY = 86_400_000_000
const TODAY = 20_000 * DAY
const ACCOUNT = 'acme'

describe('an account over time, in the store', () => {
  onEveryStore(store => {
    it('has requests that limits refused, by step and code', async () => {
      const refused = (created_at: number, error_code: string, more = {}) =>
        makeRecord({ created_at, error_code, status_code: 429, account_id: ACCOUNT, dispatched: false, ...more })
      await insertRecords(store(), [
        refused(TODAY + 5, 'rate_limit_exceeded'),
        refused(TODAY + 6, 'rate_limit_exceeded'),
        refused(TODAY + 7, 'concurrency_limit_exceeded'),
        refused(TODAY - 2 * DAY, 'rate_limit_exceeded'),
        refused(TODAY - 3 * DAY, 'rate_limit_exceeded'),
        refused(TODAY + 8, 'rate_limit_exceeded', { account_id: 'other' }),
        refused(TODAY + 9, 'model_not_found', { status_code: 404 }),
      ])
      const steps = { account: ACCOUNT, from: TODAY - 2 * DAY, to: TODAY + DAY, step: DAY }
      const { refused: found, readFrom } = await refusedByStep(store(), steps)
      expect(readFrom).equal(steps.from)
      expect(Object.fromEntries(found)).deep.equal({
        [TODAY / DAY]: { rate_limit_exceeded: 2, concurrency_limit_exceeded: 1 },
        [TODAY / DAY - 2]: { rate_limit_exceeded: 1 },
      })
      const hours = await refusedByStep(store(), { ...steps, from: TODAY, step: DAY / 24 })
      expect([...hours.refused.keys()]).deep.equal([(TODAY / DAY) * 24])
    })

    it('has what was added to a balance and what was charged', async () => {
      const entry = (request_id: string, created_at: number, amount_microcents: number, kind: string) => {
        return { request_id, created_at, amount_microcents, kind, account_id: ACCOUNT }
      }
      const entries = [
        entry('a', TODAY + 1, 500, 'top-up'),
        entry('b', TODAY + 2, -30, 'charge'),
        entry('c', TODAY + 3, -100, 'top-up'),
        entry('d', TODAY - DAY, -7, 'charge'),
        entry('e', TODAY - 9 * DAY, -7, 'charge'),
      ]
      await transact(store(), session => bookCredits(session, entries))
      const steps = { account: ACCOUNT, from: TODAY - DAY, to: TODAY + DAY, step: DAY }
      expect(Object.fromEntries((await bookedByStep(store(), steps)).booked)).deep.equal({
        [TODAY / DAY]: { added: 400, charged: 30 },
        [TODAY / DAY - 1]: { added: 0, charged: 7 },
      })
    })
  })
})
