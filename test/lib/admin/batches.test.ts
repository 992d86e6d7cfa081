import { expect } from 'chai'
import { batchList, batchWithId, cancelBatchOf, pauseBatches, resumeBatches } from '../../../lib/admin/batches.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { changeBatch, pausedModels, pauseModel } from '../../../lib/store/batches.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { NOW, runningBatch } from '../../support/batch-rows.ts'
import { ACCOUNT_ID } from '../../support/config.ts'

describe('batches of operators', () => {
  const { context, audit } = useAdminContext()
  const run = (id: string, models = ['m'], more = {}) =>
    runningBatch(context().store, id, models, { account_id: ACCOUNT_ID, ...more })

  it('are listed in pages, with names; the first page has the backlog', async () => {
    await run('batch_1', ['m', 'other'])
    await run('batch_2', ['m'], { created_at: NOW + 1000 })
    await changeBatch(
      context().store,
      'batch_2',
      { status: ['in_progress'] },
      { status: 'failed', failed_at: NOW + 2000 },
    )
    await pauseModel(context().store, 'm', NOW)
    const now = (NOW + 61_000) * 1000
    const first = await batchList({ ...context(), now }, { limit: 1 })
    expect(first).include({ has_more: true, cursor: `${NOW + 1000}.batch_2` })
    expect((first.batches as JsonObject[])[0]).deep.include({
      ...{ id: 'batch_2', account_id: ACCOUNT_ID, account_name: 'acme', status: 'failed' },
      ...{ created_at: '2025-06-15T15:06:41.000000Z', ended_at: '2025-06-15T15:06:42.000000Z' },
      request_counts: { total: 1, completed: 0, failed: 0, cancelled: 0, expired: 0 },
    })
    const row = {
      account_id: ACCOUNT_ID,
      account_name: 'acme',
      batches: 1,
      queued_requests: 1,
      in_flight: 0,
      requests_per_second: 0,
    }
    expect(first.backlog).deep.equal(['m', 'other'].map(model => ({ ...row, model, oldest_seconds: 61 })))
    expect(first.paused_models).deep.equal(['m'])
    const rest = await batchList(context(), { limit: 1, cursor: String(first.cursor) })
    expect(rest).include({ has_more: false, cursor: null }).and.not.have.property('backlog')
    expect((rest.batches as JsonObject[]).map(({ id }) => id)).deep.equal(['batch_1'])
    const unfinished = await batchList(context(), { limit: 9, status: 'unfinished', account: 'acme' })
    expect(unfinished.batches).lengthOf(1)
    expect(await refusal(batchList(context(), { limit: 9, account: 'nobody' }))).match(/^422/)
  })

  it('are read by their ids', async () => {
    await run('batch_1')
    expect(await batchWithId(context(), 'batch_1')).include({ id: 'batch_1', account_name: 'acme' })
    expect(await refusal(batchWithId(context(), 'batch_2'))).match(/^404/)
  })

  it('are cancelled once, and stay as they are when they have ended', async () => {
    await run('batch_1')
    expect(await cancelBatchOf(context(), 'batch_1')).include({ status: 'cancelling', account_name: 'acme' })
    expect(await cancelBatchOf(context(), 'batch_1')).include({ status: 'cancelling' })
    await run('batch_2')
    await changeBatch(context().store, 'batch_2', { status: ['in_progress'] }, { status: 'completed' })
    expect(await cancelBatchOf(context(), 'batch_2')).include({ status: 'completed' })
    expect(await refusal(cancelBatchOf(context(), 'batch_3'))).match(/^404 http_404 There is no batch/)
    expect(await audit()).deep.equal(['batch.cancel'])
  })

  it('are paused and resumed per model, by id or alias', async () => {
    expect(await pauseBatches(context(), { model: 'latest' })).deep.equal({ model: 'm', paused: true })
    expect(await pauseBatches(context(), { model: 'm' })).deep.equal({ model: 'm', paused: true })
    expect([...(await pausedModels(context().store))]).deep.equal(['m'])
    expect(await resumeBatches(context(), { model: 'latest' })).deep.equal({ model: 'm', paused: false })
    expect(await resumeBatches(context(), { model: 'm' })).deep.equal({ model: 'm', paused: false })
    await pauseModel(context().store, 'gone', 1)
    expect(await resumeBatches(context(), { model: 'gone' })).deep.equal({ model: 'gone', paused: false })
    expect(await refusal(pauseBatches(context(), { model: 'othr' }))).match(/^422 .*'othr', .*did you mean 'other'\?/)
    expect(await refusal(resumeBatches(context(), { model: 'gone' }))).match(
      /^422 .*'gone', which is not a model: there are 'm', 'other'/,
    )
    expect(await audit()).deep.equal(['batch.resume', 'batch.resume', 'batch.pause'])
  })
})
