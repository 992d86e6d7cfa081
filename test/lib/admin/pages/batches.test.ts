import { expect } from 'chai'
import { batchesRoutes } from '../../../../lib/admin/pages/batches.ts'
import type { CallInput, PageReply, PageRequest } from '../../../../lib/admin/pages/page.ts'
import { ADMIN_ROUTES } from '../../../../lib/admin/routes.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { changeBatch, pauseModel } from '../../../../lib/store/batches.ts'
import { useAdminContext } from '../../../support/admin-context.ts'
import { NOW, runningBatch } from '../../../support/batch-rows.ts'
import { ACCOUNT_ID } from '../../../support/config.ts'
import { textIn } from '../../../support/operators.ts'

const SPARE = { model: 'm', slots: 2, waiting: 1, offline: false, held_back: 'growth' } as const

describe('the page of batches of operators', () => {
  const { context, audit } = useAdminContext()
  const routes = batchesRoutes({ spare: () => [SPARE] })

  /** Calls go to the routes of the API, in a store. */
  const call = async (name: string, { params = {}, query = {}, body = {} }: CallInput = {}) => {
    const given = { limit: 50, ...Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) }
    const route = ADMIN_ROUTES.find(one => one.name === name)!
    return (await route.handle({ context: context(), params, query: given, body } as never)) as JsonObject
  }
  const send = async (method: string, path: string, fields: Record<string, string> = {}, params = {}) => {
    const request = {
      visitor: { operator: { id: 'op_1', name: 'alice' }, secret: 's' },
      ...{ params, call, config: context().config, problem: null, filterProblem: null, now: 1 },
      query: new URLSearchParams(method === 'GET' ? fields : {}),
      form: new URLSearchParams(method === 'POST' ? fields : {}),
    } as unknown as PageRequest
    return routes.find(route => route.method === method && route.path === path)!.handle(request)
  }
  const show = async (query = {}) => ((await send('GET', '/batches', query)) as PageReply).body.toString()

  it('shows what waits and runs by model and account, and why it waits', async () => {
    await runningBatch(context().store, 'batch_1', ['m', 'm', 'other'], { account_id: ACCOUNT_ID })
    await pauseModel(context().store, 'other', NOW)
    const text = await show()
    expect(textIn(text)).match(/m Pause m 2 0 0 \S+ d 2 interactive interactive first tokens would come too late/)
    expect(textIn(text)).match(/other Resume other 1 0 0 \S+ d – – paused by an operator/)
    expect(textIn(text))
      .match(/acme m 1 2 0 0 /)
      .and.match(/batch_1 no model yet in progress acme 3 0 0 /)
    expect(text).contain('href="/requests?batch=batch_1"').and.contain(`href="/accounts/${ACCOUNT_ID}"`)
    await changeBatch(context().store, 'batch_1', { status: ['in_progress'] }, { status: 'failed', failed_at: NOW })
    expect(await show())
      .contain('Nothing waits or runs')
      .and.not.contain('batch_1')
    expect(await show({ status: 'failed' }))
      .contain('batch_1')
      .and.not.contain('/cancel"')
  })

  it('pauses a model after a question, and resumes it', async () => {
    expect(await send('POST', '/batches/pause', { model: 'm' })).include({ title: 'Pause a model?' })
    expect(await audit()).deep.equal([])
    const paused = await send('POST', '/batches/pause', { model: 'm', confirmed: 'yes' })
    expect(paused).deep.equal({ to: '/batches?done=pause&of=m' })
    expect(await show({ done: 'pause', of: 'm' }))
      .contain('Batches for m are paused')
      .and.contain('Undo')
    expect(await send('POST', '/batches/resume', { model: 'm' })).deep.equal({ to: '/batches?done=resume&of=m' })
    expect(await audit()).deep.equal(['batch.resume', 'batch.pause'])
    const resumed = await show({ done: 'resume', of: 'm' })
    expect(textIn(resumed)).contain('Batches for m are no longer paused, in every process within three seconds. Undo')
  })

  it('cancels a batch after a question', async () => {
    await runningBatch(context().store, 'batch_1', ['m'], { account_id: ACCOUNT_ID })
    const cancel = (fields = {}) => send('POST', '/batches/{id}/cancel', fields, { id: 'batch_1' })
    expect(await cancel()).include({ title: 'Cancel a batch?' })
    expect(await cancel({ confirmed: 'yes' })).deep.equal({ to: '/batches?done=cancel&of=batch_1' })
    expect(await show({ done: 'cancel', of: 'batch_1' })).contain('batch_1 is being cancelled')
  })
})
