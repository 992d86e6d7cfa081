import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import type { Batch } from '../../../lib/batches/batch.ts'
import messageBatches from '../../../plugins/batches/message-batches/index.ts'
import { batchOf, type MemoryBatches, memoryBatches, playBatch, playedFetch } from '../../support/batches.ts'
import { keyOf } from '../../support/key.ts'
import { replyProblems } from '../../support/reply-schemas.ts'

const PARAMS = { model: 'm', max_tokens: 5, messages: [{ role: 'user' as const, content: 'Hello' }] }
const NEW = { requests: [{ custom_id: 'a', params: PARAMS }] }
const ENDED = { status: 'completed', completedAt: 1_750_000_003_500 } as const
const ROUTES = [
  'message-batch-create',
  'message-batch-list',
  'message-batch',
  'message-batch-cancel',
  'message-batch-delete',
  'message-batch-results',
] as const

describe('message-batches', () => {
  let known: MemoryBatches
  let client: Anthropic
  beforeEach(() => {
    known = memoryBatches()
    client = new Anthropic({
      baseURL: 'http://gateway.test',
      apiKey: 'k',
      maxRetries: 0,
      fetch: playedFetch(messageBatches, known),
    })
  })
  const playing = (route: (typeof ROUTES)[number], scene: Parameters<typeof playBatch>[3] = {}) =>
    playBatch(messageBatches, known, route, scene)
  const one = (more: Partial<Batch> = {}) => {
    known.all = [batchOf({ api: 'anthropic', ...more })]
    return known.all[0]!.id
  }

  it('are created, found, listed, cancelled and deleted by the official package', async () => {
    const created = await client.messages.batches.create(NEW)
    expect(created).include({ type: 'message_batch', processing_status: 'in_progress', results_url: null })
    expect(replyProblems('message-batch', created)).deep.equal([])
    expect(known.all[0]).include({ endpoint: '/v1/messages', window: '24h', metadata: null })
    expect(await client.messages.batches.retrieve(created.id)).deep.equal(created)
    for (let i = 0; i < 4; i++) await client.messages.batches.create(NEW)
    const all = known.all.map(({ id }) => id)
    for (const list of [client.messages.batches.list({ limit: 2 }), client.beta.messages.batches.list({ limit: 2 })]) {
      const ids: string[] = []
      for await (const { id } of list) ids.push(id)
      expect(ids).deep.equal(all)
    }
    const before = await client.messages.batches.list({ before_id: all[3]!, limit: 2 })
    expect([before.data.map(({ id }) => id), before.has_more]).deep.equal([all.slice(1, 3), true])
    const cancelled = await client.messages.batches.cancel(created.id)
    expect(cancelled.processing_status).equal('canceling')
    expect(cancelled.cancel_initiated_at).equal('2025-06-15T15:06:41.000Z')
    known.change(created.id, { status: 'cancelled', cancelledAt: 1_750_000_002_000 })
    expect(await client.messages.batches.delete(created.id)).deep.equal({
      id: created.id,
      type: 'message_batch_deleted',
    })
    expect(known.all).length(4)
  })

  it('pass their requests on as lines, with numbers as they were written', async () => {
    const requests = [
      { custom_id: 'a', params: { ...PARAMS, metadata: { user_id: 'ü' } } },
      { custom_id: 'b', params: PARAMS },
    ]
    await playing('message-batch-create', { body: { requests } })
    expect(known.lines.map(line => JSON.parse(line))).deep.equal(
      requests.map(({ custom_id, params }) => ({ custom_id, method: 'POST', url: '/v1/messages', body: params })),
    )
    for (const line of known.lines) expect(line).match(/^[^\n]+\n$/)
  })

  it('have the members of the official API', async () => {
    const counts = { total: 10, completed: 4, failed: 2, cancelled: 1, expired: 2 }
    const id = one({ status: 'in_progress', counts })
    expect((await playing('message-batch', { id })).reply?.body).deep.equal({
      id,
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 1, succeeded: 4, errored: 2, canceled: 1, expired: 2 },
      created_at: '2025-06-15T15:06:40.999Z',
      expires_at: '2025-06-16T15:06:40.999Z',
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      results_url: null,
    })
    for (const [status, at] of [
      ['completed', 'completedAt'],
      ['failed', 'failedAt'],
      ['expired', 'expiredAt'],
      ['cancelled', 'cancelledAt'],
    ] as const) {
      known.change(id, { status, completedAt: null, failedAt: null, expiredAt: null, cancelledAt: null, [at]: 0 })
      const batch = await client.messages.batches.retrieve(id)
      expect(batch).include({ processing_status: 'ended', ended_at: '1970-01-01T00:00:00.000Z' })
      expect(batch.results_url).equal(`http://gateway.test/v1/messages/batches/${id}/results`)
      expect(replyProblems('message-batch', batch)).deep.equal([])
    }
    for (const status of ['validating', 'finalizing'] as const) {
      known.change(id, { status })
      expect((await client.messages.batches.retrieve(id)).processing_status).equal('in_progress')
    }
    expect(replyProblems('message-batch-list', (await playing('message-batch-list')).reply!.body)).deep.equal([])
  })

  it('have results once they have ended', async () => {
    const id = one({ status: 'in_progress' })
    expect((await playing('message-batch-results', { id })).error).include({ status: 400, code: 'http_400' })
    known.change(id, ENDED)
    known.resultLines = [
      JSON.stringify({ custom_id: 'a', result: { type: 'canceled' } }),
      JSON.stringify({ custom_id: 'b', result: { type: 'expired' } }),
    ]
    const results: unknown[] = []
    for await (const result of await client.messages.batches.results(id)) results.push(result)
    expect(results).deep.equal(known.resultLines.map(line => JSON.parse(line)))
    const { reply, headers } = await playing('message-batch-results', { id })
    expect(reply?.contentType).equal('application/x-jsonl')
    expect(headers).include({ 'content-disposition': 'attachment' })
  })

  it('are deleted only once they have ended', async () => {
    for (const status of ['validating', 'in_progress', 'finalizing', 'cancelling'] as const) {
      const { error } = await playing('message-batch-delete', { id: one({ status }) })
      expect(error, status).include({ status: 400, code: 'http_400' })
      expect(known.all).length(1)
    }
  })

  it('stay as they are once they have ended', async () => {
    const { reply } = await playing('message-batch-cancel', { id: one(ENDED) })
    expect(reply?.body).include({ processing_status: 'ended', cancel_initiated_at: null })
  })

  it('do not exist for others, nor for the other API', async () => {
    const id = one(ENDED)
    const openai = batchOf()
    known.all = [...known.all, openai]
    for (const route of ROUTES.slice(2)) {
      const caller = keyOf({}, { user: 'bob@acme.test' })
      expect((await playing(route, { id, caller })).error, route).include({ status: 404, code: 'http_404' })
      for (const other of [openai.id, `msgbatch_${'9'.repeat(24)}`, '..', ''])
        expect((await playing(route, { id: other })).error, `${route} ${other}`).include({ code: 'http_404' })
    }
    expect(known.all).length(2)
    expect((await playing('message-batch-list')).reply?.body).nested.include({ 'data.length': 1, first_id: id })
  })

  it('need a key that can own them, a plan that has them, and no zero data retention', async () => {
    for (const route of ROUTES) {
      const { error } = await playing(route, { caller: keyOf({}, { user: undefined }), body: NEW })
      expect(error, route).include({ status: 403, code: 'files_require_user_key' })
    }
    const creating = (scene: Parameters<typeof playBatch>[3]) =>
      playing('message-batch-create', { body: NEW, ...scene })
    expect((await creating({ zdr: 'header' })).error?.code).equal('file_id_not_allowed_with_zdr')
    const plans = { none: { batches: null } } as never
    expect((await creating({ plans, caller: keyOf({ plan: 'none' }) })).error?.code).equal('http_403')
    expect(known.all).deep.equal([])
  })

  it('have as many requests as the gateway allows, with unique names', async () => {
    const create = async (...ids: string[]) => {
      const requests = ids.map(custom_id => ({ custom_id, params: PARAMS }))
      const { error } = await playing('message-batch-create', { body: { requests } })
      return [error?.status, error?.code, error?.details.param]
    }
    expect(await create('a', 'b', 'c')).deep.equal([undefined, undefined, undefined])
    expect(await create('a', 'b', 'c', 'd')).deep.equal([422, 'schema_validation_failed', 'requests'])
    expect(await create('a', 'b', 'a')).deep.equal([422, 'schema_validation_failed', 'requests.2.custom_id'])
  })

  it('have a schema of their queries', async () => {
    for (const query of ['limit=0', 'limit=1001', 'after_id=a&before_id=b'])
      expect((await playing('message-batch-list', { query })).error, query).include({ status: 422 })
    expect((await playing('message-batch-list', { query: 'beta=true' })).error).equal(undefined)
  })
})
