import { expect } from 'chai'
import { createAccount } from '../../../lib/admin/accounts.ts'
import { type RequestQuery, requestList, requestOf } from '../../../lib/admin/requests.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Store } from '../../../lib/store/store.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'

/** Shortly before the time of the tests. */
const NOW = 1_799_999_000_000_000

describe('requests, for operators', () => {
  const { context } = useAdminContext()
  const list = async (query: Partial<RequestQuery> = {}) =>
    (await requestList(context(), { errors_only: false, limit: 2, ...query })) as JsonObject & {
      requests: JsonObject[]
    }

  it('are listed in pages that neither repeat nor skip one', async () => {
    const records = [0, 1, 2, 3, 4].map(i => makeRecord({ created_at: NOW + i * 1000 }))
    await insertRecords(context().store as Store, records)
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await list({ ...(cursor === undefined ? null : { cursor }) })
      seen.push(...page.requests.map(({ id }) => id))
      cursor = (page.cursor as string | null) ?? undefined
    } while (cursor !== undefined)
    expect(seen).deep.equal(records.map(({ id }) => id).toReversed())
  })

  it('are filtered by account, surface, route, time and bounds', async () => {
    const dedicated = makeRecord({ created_at: NOW, ttft_ms: 10 })
    const chat = makeRecord({
      created_at: NOW + 1_000_000,
      surface: 'gateway',
      endpoint: null,
      account_id: '00000000-0000-4000-8000-0000000000aa',
      path: '/v1/chat/completions',
      ttft_ms: 900,
    })
    await insertRecords(context().store as Store, [dedicated, chat])
    const ids = async (query: Partial<RequestQuery>) => (await list(query)).requests.map(({ id }) => id)
    expect(await ids({ account: chat.account_id!.toUpperCase() })).deep.equal([chat.id])
    expect(await ids({ surface: 'dedicated' })).deep.equal([dedicated.id])
    expect(await ids({ surface: 'gateway', route: 'chat' })).deep.equal([chat.id])
    expect(await ids({ route: 'messages' })).deep.equal([])
    expect(await ids({ min_ttft_ms: 500 })).deep.equal([chat.id])
    expect(await ids({ to: new Date(NOW / 1000 + 500).toISOString() })).deep.equal([dedicated.id])
    expect(await ids({ from: new Date(NOW / 1000 + 500).toISOString() })).deep.equal([chat.id])
    for (const route of ['/v1/chat/completions', 'POST /v1/chat/completions'])
      expect(await ids({ surface: 'gateway', route }), route).deep.equal([chat.id])
    expect(await refusal(list({ route: 'chta' }))).match(/^422 .*did you mean 'chat'/)
    expect(await refusal(list({ route: '/v1/chat/complations' }))).match(
      /^422 .*did you mean '\/v1\/chat\/completions'/,
    )
    expect(await refusal(list({ route: 'zzzzzzzzz' }))).match(
      /^422 .*'route' is 'zzzzzzzzz', which is neither the name nor the path/,
    )
  })

  it('are filtered by endpoint, and by any of several tags', async () => {
    const tagged = (tags: string[], at: number) => makeRecord({ created_at: NOW + at, request_tags: tags })
    const [one, two, other] = [tagged(['a_b', 'x'], 1000), tagged(['x'], 2000), tagged(['axb', 'xy'], 3000)]
    const refused = makeRecord({ created_at: NOW + 4000, request_tags: ['x'], status_code: 400, dispatched: false })
    const elsewhere = makeRecord({ created_at: NOW, endpoint: 'other.example.com' })
    await insertRecords(context().store as Store, [one, two, other, refused, elsewhere])
    const ids = async (query: Partial<RequestQuery>) =>
      (await list({ limit: 9, ...query })).requests.map(({ id }) => id)
    expect(await ids({ tag: ['x'] })).deep.equal([refused.id, two.id, one.id])
    expect(await ids({ tag: ['a_b'] })).deep.equal([one.id])
    expect(await ids({ tag: ['a_b', 'xy'] })).deep.equal([other.id, one.id])
    expect(await ids({ tag: ['x'], errors_only: true })).deep.equal([refused.id])
    expect(await ids({ tag: ['x'], status_class: 4 })).deep.equal([refused.id])
    expect(await ids({ tag: ['x'], status_class: 5 })).deep.equal([])
    expect(await ids({ endpoint: 'OTHER.example.com' })).deep.equal([elsewhere.id])
  })

  it('are filtered by the family of their client', async () => {
    const codex = makeRecord({ created_at: NOW, client: 'codex' })
    await insertRecords(context().store as Store, [codex, makeRecord({ created_at: NOW, client: null })])
    expect((await list({ client: 'codex' })).requests.map(({ id, client }) => [id, client])).deep.equal([
      [codex.id, 'codex'],
    ])
  })

  it('are filtered by their key and user, with an account or without', async () => {
    const own = makeRecord({ created_at: NOW, key_id: 'k2', user_id: 'bob@acme.test', account_id: ACCOUNT_ID })
    const refused = makeRecord({
      ...{ created_at: NOW + 1000, key_id: 'k3', user_id: 'bob@acme.test', account_id: ACCOUNT_ID },
      ...{ status_code: 429, dispatched: false },
    })
    await insertRecords(context().store as Store, [own, refused, makeRecord({ created_at: NOW })])
    for (const more of [{}, { account: ACCOUNT_ID }]) {
      const ids = async (query: Partial<RequestQuery>) =>
        (await list({ limit: 9, ...more, ...query })).requests.map(({ id }) => id)
      expect(await ids({ user: 'bob@acme.test' })).deep.equal([refused.id, own.id])
      expect(await ids({ user: 'bob@acme.test', key: 'k2' })).deep.equal([own.id])
      expect(await ids({ key: 'k3', status_class: 4 })).deep.equal([refused.id])
      expect(await ids({ key: 'k' })).deep.equal([])
    }
  })

  it('are filtered by their session, with an account or without', async () => {
    const session = '0123456789abcdef'
    const own = makeRecord({ created_at: NOW, session, account_id: ACCOUNT_ID })
    const refused = makeRecord({
      created_at: NOW + 1000,
      session,
      account_id: ACCOUNT_ID,
      status_code: 429,
      dispatched: false,
    })
    await insertRecords(context().store as Store, [own, refused, makeRecord({ created_at: NOW })])
    for (const more of [{}, { account: ACCOUNT_ID }])
      expect((await list({ session, limit: 9, ...more })).requests.map(({ id }) => id)).deep.equal([refused.id, own.id])
    expect((await list({ session: 'ffffffffffffffff' })).requests).deep.equal([])
  })

  it('are filtered by their batch, of any age', async () => {
    const line = { surface: 'batch', endpoint: null, batch_id: 'batch_1', account_id: ACCOUNT_ID } as const
    const [late, early] = [NOW, NOW - 7 * 86_400_000_000].map(created_at =>
      makeRecord({ ...line, created_at, batch_line: 1 }),
    )
    await insertRecords(context().store as Store, [late!, early!, makeRecord({ created_at: NOW })])
    const found = (query: object) => list({ limit: 9, ...query }).then(({ requests }) => requests.map(({ id }) => id))
    expect(await found({ batch: 'batch_1' })).deep.equal([late!.id, early!.id])
    expect(await found({ batch: 'batch_1', from: '2026-01-01', status: 429 })).deep.equal([])
    expect(await found({ surface: 'batch' })).deep.equal([late!.id])
    expect((await list({ batch: 'batch_1' })).requests[0]).include({ batch_id: 'batch_1', batch_line: 1 })
  })

  it('are filtered by the name of an account', async () => {
    const { id } = await createAccount(context(), { name: 'globex' })
    const record = makeRecord({ created_at: NOW, account_id: id })
    await insertRecords(context().store as Store, [record, makeRecord({ created_at: NOW })])
    expect((await list({ account: 'globex' })).requests.map(one => one.id)).deep.equal([record.id])
    expect((await list({ account: 'acme' })).requests).length(1)
    expect(await refusal(list({ account: 'glob' }))).match(
      /^422 .*'account' is 'glob', which is neither the id nor the name/,
    )
  })

  it('of the gateway itself are filtered by the account `operator` and the surface `internal`', async () => {
    const own = { created_at: NOW, surface: 'internal', endpoint: null, account_id: 'operator' } as const
    const record = makeRecord(own)
    await insertRecords(context().store as Store, [record, makeRecord({ created_at: NOW })])
    for (const query of [{ account: 'operator' }, { surface: 'internal' as const }])
      expect((await list(query)).requests.map(({ id }) => id)).deep.equal([record.id])
  })

  it('are found by any id that clients see', async () => {
    const record = makeRecord({ created_at: NOW })
    await insertRecords(context().store as Store, [record])
    expect((await requestOf(context(), record.id)).id).equal(record.id)
    expect((await requestOf(context(), record.id.slice(-12))).id).equal(record.id)
    expect(await refusal(requestOf(context(), 'req_000000000000'))).match(/^404/)
  })
})
