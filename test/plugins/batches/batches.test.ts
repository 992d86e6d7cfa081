import { expect } from 'chai'
import OpenAI from 'openai'
import batches from '../../../plugins/batches/batches/index.ts'
import {
  batchOf,
  INPUT,
  type MemoryBatches,
  memoryBatches,
  OWNER,
  playBatch,
  playedFetch,
} from '../../support/batches.ts'
import { keyOf } from '../../support/key.ts'
import { replyProblems } from '../../support/reply-schemas.ts'

const NEW = { input_file_id: INPUT, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
const ROUTES = ['batch-create', 'batch-list', 'batch', 'batch-cancel'] as const

describe('batches', () => {
  let known: MemoryBatches
  let client: OpenAI
  beforeEach(() => {
    known = memoryBatches()
    client = new OpenAI({
      baseURL: 'http://gateway.test/v1',
      apiKey: 'k',
      maxRetries: 0,
      fetch: playedFetch(batches, known),
    })
  })
  const playing = (route: (typeof ROUTES)[number], scene: Parameters<typeof playBatch>[3] = {}) =>
    playBatch(batches, known, route, scene)
  const creating = (body: object = {}, scene: Parameters<typeof playBatch>[3] = {}) =>
    playing('batch-create', { ...scene, body: { ...NEW, ...body } })
  const refusedBy = async (played: ReturnType<typeof playing>) => {
    const { error } = await played
    return [error?.status, error?.code, error?.details.param]
  }

  it('are created, found, listed and cancelled by the official package', async () => {
    const metadata = { project: 'a' }
    const created = await client.batches.create({
      ...NEW,
      metadata,
      output_expires_after: { anchor: 'created_at', seconds: 3600 },
    })
    expect(created).deep.include({ ...NEW, object: 'batch', status: 'validating', metadata, errors: null, model: null })
    expect(known.all[0]).include({ outputExpiresSeconds: 3600, keyId: 'k1', user: 'alice@acme.test' })
    expect(replyProblems('batch', created)).deep.equal([])
    expect(await client.batches.retrieve(created.id)).deep.equal(created)
    for (let i = 0; i < 4; i++) await client.batches.create(NEW)
    const page = await client.batches.list({ limit: 2 })
    expect(page.data.map(({ id }) => id)).deep.equal(known.all.slice(0, 2).map(({ id }) => id))
    const ids: string[] = []
    for await (const { id } of client.batches.list({ limit: 2 })) ids.push(id)
    expect(ids).deep.equal(known.all.map(({ id }) => id))
    const cancelled = await client.batches.cancel(created.id)
    expect(cancelled).include({ status: 'cancelling', cancelling_at: 1_750_000_001 })
  })

  it('have the members of the official API', async () => {
    known.all = [
      batchOf({
        status: 'completed',
        model: 'm',
        outputFileId: 'file-2',
        errorFileId: 'file-3',
        inProgressAt: 1_750_000_001_500,
        finalizingAt: 1_750_000_002_500,
        completedAt: 1_750_000_003_500,
        counts: { total: 9, completed: 4, failed: 2, cancelled: 1, expired: 2 },
        usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 1 },
      }),
    ]
    const { id } = known.all[0]!
    expect((await playing('batch', { id })).reply?.body).deep.equal({
      id,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      model: 'm',
      errors: null,
      input_file_id: INPUT,
      completion_window: '24h',
      status: 'completed',
      output_file_id: 'file-2',
      error_file_id: 'file-3',
      created_at: 1_750_000_000,
      in_progress_at: 1_750_000_001,
      expires_at: 1_750_086_400,
      finalizing_at: 1_750_000_002,
      completed_at: 1_750_000_003,
      failed_at: null,
      expired_at: null,
      cancelling_at: null,
      cancelled_at: null,
      request_counts: { total: 9, completed: 4, failed: 2 },
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 15,
      },
      metadata: null,
    })
    const problem = { code: 'empty_file', line: null, message: 'There are no requests.', param: null }
    known.change(id, { status: 'failed', failedAt: 1_750_000_002_000, problems: [problem] })
    const failed = await client.batches.retrieve(id)
    expect(failed.errors).deep.equal({ object: 'list', data: [problem] })
    expect(replyProblems('batch', failed)).deep.equal([])
    const list = (await playing('batch-list')).reply!.body
    expect(replyProblems('batch-list', list)).deep.equal([])
    known.all = []
    expect((await playing('batch-list')).reply!.body).deep.equal({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    })
  })

  it('stay as they are once they have ended', async () => {
    known.all = [batchOf({ status: 'completed', completedAt: 1_750_000_003_500 })]
    const { id } = known.all[0]!
    expect((await playing('batch-cancel', { id })).reply?.body).include({ status: 'completed', cancelling_at: null })
  })

  it('do not exist for others, nor for the other API', async () => {
    known.all = [
      batchOf(),
      batchOf({ api: 'anthropic' }),
      batchOf({ owner: 'b'.repeat(32), id: `batch_${'2'.repeat(24)}` }),
    ]
    const ids = [known.all[1]!.id, known.all[2]!.id, `batch_${'3'.repeat(24)}`, '', '..', 'batch_1']
    for (const route of ['batch', 'batch-cancel'] as const) {
      for (const id of ids)
        expect(await refusedBy(playing(route, { id })), `${route} ${id}`).deep.equal([404, 'http_404', undefined])
      const caller = keyOf({}, { user: 'bob@acme.test' })
      expect((await playing(route, { id: known.all[0]!.id, caller })).error?.code).equal('http_404')
    }
    expect((await playing('batch-list')).reply?.body).nested.include({ 'data.length': 1, first_id: known.all[0]!.id })
  })

  it('need a key that can own them', async () => {
    for (const route of ROUTES)
      for (const own of [{ user: undefined }, { kind: 'pass' }, { kind: 'dedicated' }] as const) {
        const { error } = await playing(route, { caller: keyOf({}, own), body: { ...NEW } })
        expect(error, route).include({ status: 403, code: 'files_require_user_key' })
      }
  })

  it('are not created under zero data retention, but can be read and cancelled', async () => {
    known.all = [batchOf()]
    const { id } = known.all[0]!
    for (const zdr of ['header', 'policy'] as const) {
      expect(await refusedBy(creating({}, { zdr }))).deep.equal([400, 'file_id_not_allowed_with_zdr', undefined])
      for (const route of ['batch', 'batch-list', 'batch-cancel'] as const)
        expect((await playing(route, { id, zdr })).error, route).equal(undefined)
    }
  })

  it('are not created if the plan has none', async () => {
    const plans = { none: { batches: null }, some: { batches: { priceFactor: 0.5 } } } as never
    const of = (plan: string | undefined) => refusedBy(creating({}, { plans, caller: keyOf({ plan }) }))
    expect(await of('none')).deep.equal([403, 'http_403', undefined])
    for (const plan of ['some', undefined])
      expect(await of(plan), String(plan)).deep.equal([undefined, undefined, undefined])
  })

  it('need a file of this owner and purpose', async () => {
    const unknown = [404, 'http_404', 'input_file_id']
    expect(await refusedBy(creating({ input_file_id: `file-${'2'.repeat(32)}` }))).deep.equal(unknown)
    expect(await refusedBy(creating({ input_file_id: 'x' }))).deep.equal(unknown)
    expect(await refusedBy(creating({}, { purpose: 'vision' }))).deep.equal(unknown)
    const caller = keyOf({}, { user: 'bob@acme.test' })
    expect(await refusedBy(creating({}, { caller }))).deep.equal(unknown)
  })

  it('have one of the windows of the configuration', async () => {
    expect((await creating({ completion_window: '7d' })).reply?.body).include({ completion_window: '7d' })
    for (const completion_window of ['1h', '24H', '7 d'])
      expect(await refusedBy(creating({ completion_window }))).deep.equal([
        422,
        'schema_validation_failed',
        'completion_window',
      ])
  })

  it('have at most 16 pairs of metadata, of 64 and 512 characters', async () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 'x']))
    const fits = { ...pairs(15), ['n'.repeat(64)]: 'ü'.repeat(512) }
    expect((await creating({ metadata: fits })).reply?.body).deep.include({ metadata: fits })
    expect(await refusedBy(creating({ metadata: { a: 'x'.repeat(513) } }))).deep.equal([
      422,
      'schema_validation_failed',
      'metadata.a',
    ])
    const wrong = [pairs(17), { ['n'.repeat(65)]: 'x' }, { a: 1 }, 'x', []]
    for (const metadata of wrong) {
      const refused = await creating({ metadata }).then(
        ({ error }) => error,
        (thrown: unknown) => thrown,
      )
      expect(refused, JSON.stringify(metadata)).include({ status: 422, code: 'schema_validation_failed' })
    }
  })

  it('are refused with what the account has too much of', async () => {
    const { error } = await creating({}, { caller: keyOf({ name: 'full' }) })
    expect(error).include({ status: 429, code: 'batch_limit_exceeded' })
    expect(error?.headers).include({ 'x-should-retry': 'false', 'retry-after': '60' })
  })

  it('have a schema of their queries', async () => {
    for (const query of ['limit=0', 'limit=101', 'after=', 'limit=x'])
      expect((await playing('batch-list', { query })).error, query).include({ status: 422 })
    expect((await playing('batch-list', { query: 'order=asc' })).error?.code).equal('unsupported_parameter')
    expect(OWNER).match(/^[0-9a-f]{32}$/)
  })

  it('do not exist without batches', async () => {
    for (const route of ROUTES)
      expect((await playBatch(batches, null, route, { body: { ...NEW } })).error?.code, route).equal('http_404')
  })
})
