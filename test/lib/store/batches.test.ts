import { expect } from 'chai'
import {
  cancelBatch,
  changeBatch,
  createBatch,
  findBatch,
  inputFiles,
  listBatches,
  openBatches,
  pausedModels,
  pauseModel,
  removeBatch,
  resumeModel,
  startBatch,
} from '../../../lib/store/batches.ts'
import { batchRow, NOW, runningBatch } from '../../support/batch-rows.ts'
import { onEveryStore } from '../../support/stores.ts'

const OWNER = 'a'.repeat(32)
const LIMITS = { batches: 2, lines: 5 }

describe('batches in the store', () => {
  onEveryStore(store => {
    it('are found by their owner and API alone', async () => {
      await createBatch(store(), batchRow('batch_1'), LIMITS)
      expect(await findBatch(store(), OWNER, 'openai', 'batch_1')).include({ status: 'validating', total: 0 })
      expect(await findBatch(store(), 'b'.repeat(32), 'openai', 'batch_1')).equal(undefined)
      expect(await findBatch(store(), OWNER, 'anthropic', 'batch_1')).equal(undefined)
      await removeBatch(store(), 'batch_1')
      expect(await findBatch(store(), OWNER, 'openai', 'batch_1')).equal(undefined)
    })

    it('are listed newest first, after or before one', async () => {
      for (const id of ['b1', 'b2', 'b3', 'b4']) await createBatch(store(), batchRow(id), { batches: 9, lines: 9 })
      const ids = async (page: object) =>
        (await listBatches(store(), OWNER, { api: 'openai', limit: 2, ...page })).map(row => row.id)
      expect(await ids({})).deep.equal(['b4', 'b3', 'b2'])
      expect(await ids({ after: 'b3' })).deep.equal(['b2', 'b1'])
      expect(await ids({ before: 'b2' })).deep.equal(['b3', 'b4'])
    })

    it('are bounded per account, as are their lines', async () => {
      expect(await createBatch(store(), batchRow('b1'), LIMITS)).equal(undefined)
      expect(await createBatch(store(), batchRow('b2', { total: 5 }), LIMITS, 5)).equal(undefined)
      expect(await createBatch(store(), batchRow('b3'), LIMITS)).equal('batches')
      expect(await createBatch(store(), batchRow('b4'), { batches: 9, lines: 5 })).equal('lines')
      expect(await createBatch(store(), batchRow('b5', { account_id: 'other' }), LIMITS)).equal(undefined)
      await changeBatch(store(), 'b2', { status: ['validating'] }, { status: 'failed' })
      expect(await createBatch(store(), batchRow('b6'), LIMITS)).equal(undefined)
    })

    it('start when their lines are stored, unless the account has too many', async () => {
      const started = { id: 'b1', account: 'acme', holder: 'p1', total: 5, model: 'm', models: ['m'] }
      await createBatch(store(), batchRow('b1', { holder: 'p1' }), LIMITS)
      expect(await startBatch(store(), started, 4, NOW)).equal('lines')
      expect(await startBatch(store(), { ...started, holder: 'p2' }, 5, NOW)).equal('gone')
      expect(await startBatch(store(), started, 5, NOW)).equal('started')
      expect(await openBatches(store())).length(1)
      expect((await openBatches(store()))[0]).include({ status: 'in_progress', total: 5, holder: null, served: 0 })
    })

    it('of a new account are no further behind than those of the others', async () => {
      await runningBatch(store(), 'b1', ['m'], { account_id: 'old' })
      await store().db.insertInto('batch_accounts').values({ account_id: 'old', served: 700 }).execute()
      await createBatch(store(), batchRow('b2', { holder: 'p' }), LIMITS)
      await startBatch(store(), { id: 'b2', account: 'acme', holder: 'p', total: 1, model: 'm', models: [] }, 9, NOW)
      expect((await openBatches(store())).map(({ served }) => served)).deep.equal([700, 700])
    })

    it('are cancelled while they are validated or run', async () => {
      await createBatch(store(), batchRow('b1'), LIMITS)
      expect(await cancelBatch(store(), 'b1', NOW)).equal(true)
      expect(await cancelBatch(store(), 'b1', NOW + 1)).equal(false)
      expect(await findBatch(store(), OWNER, 'openai', 'b1')).include({ status: 'cancelling', cancelling_at: NOW })
    })

    it('need their input files until they have ended', async () => {
      await createBatch(store(), batchRow('b1', { input_file_id: 'file-1' }), { batches: 9, lines: 9 })
      await createBatch(store(), batchRow('b2', { input_file_id: 'file-2' }), { batches: 9, lines: 9 })
      await changeBatch(store(), 'b2', { status: ['validating'] }, { status: 'completed' })
      expect([...(await inputFiles(store()))]).deep.equal(['file-1'])
    })

    it('can be paused per model', async () => {
      await pauseModel(store(), 'm', NOW)
      await pauseModel(store(), 'm', NOW)
      expect([...(await pausedModels(store()))]).deep.equal(['m'])
      expect(await resumeModel(store(), 'm')).equal(true)
      expect(await resumeModel(store(), 'm')).equal(false)
    })
  })
})
