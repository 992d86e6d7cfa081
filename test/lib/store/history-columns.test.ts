import { expect } from 'chai'
import { addBackendMinutes, sumBackendHours } from '../../../lib/store/backend-minutes.ts'
import { PACE_COLUMNS, TTFT_COLUMNS, VALUE_COLUMNS } from '../../../lib/store/history-columns.ts'
import { backendMinute } from '../../support/backend-minutes.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('columns of the history of backends', () => {
  it('have 20 buckets for each histogram', () => {
    expect([TTFT_COLUMNS.length, PACE_COLUMNS.length, new Set([...TTFT_COLUMNS, ...PACE_COLUMNS]).size]).deep.equal([
      20, 20, 40,
    ])
  })

  onEveryStore(store => {
    it('are those of both tables', async () => {
      await addBackendMinutes(store(), [backendMinute({})])
      await sumBackendHours(store(), 0)
      for (const [table, time] of [
        ['backend_minutes', 'minute'],
        ['backend_hours', 'hour'],
      ] as const) {
        const row = await store().db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
        expect(Object.keys(row).toSorted()).deep.equal(
          ['model', 'backend', time, 'minutes', ...VALUE_COLUMNS].toSorted(),
        )
      }
    })
  })
})
