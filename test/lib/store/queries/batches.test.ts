import { expect } from 'chai'
import { uuidv7 } from '../../../../lib/base/ids.ts'
import { claimLines } from '../../../../lib/store/batch-lines.ts'
import { changeBatch, createBatch, pauseModel, UNFINISHED } from '../../../../lib/store/batches.ts'
import { batchBacklog, batchById, batchRequests, searchBatches } from '../../../../lib/store/queries/batches.ts'
import { batchRow, NOW, runningBatch } from '../../../support/batch-rows.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

/** An id of this time. */
const idAt = (micros: number) => uuidv7(Math.floor(micros / 1000))
const LIMITS = { batches: 100, lines: 100 }

describe('batches of all accounts', () => {
  onEveryStore(store => {
    it('are found by account, state and age, over both APIs', async () => {
      await createBatch(store(), batchRow('msgbatch_1', { api: 'anthropic', created_at: NOW }), LIMITS)
      await createBatch(store(), batchRow('batch_2', { created_at: NOW + 1, account_id: 'other' }), LIMITS)
      await createBatch(store(), batchRow('batch_3', { created_at: NOW + 2 }), LIMITS)
      await changeBatch(store(), 'batch_3', { status: ['validating'] }, { status: 'failed' })
      const ids = async (search: object, limit = 9) => (await searchBatches(store(), search, limit)).map(({ id }) => id)
      expect(await ids({})).deep.equal(['batch_3', 'batch_2', 'msgbatch_1'])
      expect(await ids({ account: 'acme' })).deep.equal(['batch_3', 'msgbatch_1'])
      expect(await ids({ statuses: UNFINISHED })).deep.equal(['batch_2', 'msgbatch_1'])
      expect(await ids({ last: { createdAt: NOW + 2, id: 'batch_3' } }, 1)).deep.equal(['batch_2'])
      expect(await ids({ order: 'asc' })).deep.equal(['msgbatch_1', 'batch_2', 'batch_3'])
      const last = { createdAt: NOW + 1, id: 'batch_2' }
      expect(await ids({ order: 'asc', last })).deep.equal(['batch_3'])
      expect(await batchById(store(), 'batch_2')).include({ account_id: 'other' })
    })

    it('have a backlog by account and model, without what has ended', async () => {
      await runningBatch(store(), 'b1', ['m', 'm', 'n'])
      await runningBatch(store(), 'b2', ['m', 'm', 'm'], { created_at: NOW + 5 })
      await changeBatch(store(), 'b2', { status: ['in_progress'] }, { model: 'm', completed: 1 })
      await runningBatch(store(), 'b3', ['m'], { account_id: 'other' })
      await runningBatch(store(), 'b4', ['m'])
      await changeBatch(store(), 'b4', { status: ['in_progress'] }, { status: 'completed' })
      await claimLines(store(), { batch: 'b1', model: 'm', holder: 'p1', limit: 1, now: NOW })
      await pauseModel(store(), 'n', NOW)
      const ago = (ms: number, batch_id: string) => {
        const time = (NOW - ms) * 1000
        return makeRecord({
          surface: 'batch',
          endpoint: null,
          model_resolved: 'm',
          batch_id,
          id: idAt(time),
          created_at: time,
        })
      }
      await insertRecords(store(), [ago(1000, 'b1'), ago(2000, 'b1'), ago(3000, 'b2'), ago(61_000, 'b2')])
      const { backlog, paused } = await batchBacklog(store(), NOW)
      const rows = backlog.map(({ accountId, model, batches, queued, inFlight, oldest, rate }) =>
        [accountId, model, batches, queued, inFlight, oldest - NOW, rate * 60].join(' '),
      )
      expect(rows.toSorted()).deep.equal(['acme m 2 3 1 0 3', 'acme n 1 1 0 0 0', 'other m 1 1 0 0 0'])
      expect(paused).deep.equal(['n'])
    })

    it('have a cost, and requests since a time', async () => {
      const line = { surface: 'batch', endpoint: null, batch_id: 'b1' } as const
      expect(await batchRequests(store(), 'b1', 0)).deep.equal({ cost: null, recent: 0 })
      await insertRecords(store(), [
        makeRecord({ ...line, created_at: NOW, cost_microcents: 5 }),
        makeRecord({ ...line, created_at: NOW + 1, cost_microcents: 7 }),
        makeRecord({ ...line, created_at: NOW + 1, cost_microcents: 9, batch_id: 'b2' }),
      ])
      expect(await batchRequests(store(), 'b1', NOW + 1)).deep.equal({ cost: 12, recent: 1 })
    })
  })
})
