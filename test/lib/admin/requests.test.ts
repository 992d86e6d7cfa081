import { expect } from 'chai'
import { type RequestQuery, requestList, requestOf } from '../../../lib/admin/requests.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { insertRecords } from '../../../lib/store/records.ts'
import type { Store } from '../../../lib/store/store.ts'
import { refusal, useDesk } from '../../support/desk.ts'
import { makeRecord } from '../../support/record.ts'

/** Shortly before the time of the desk. */
const NOW = 1_799_999_000_000_000

describe('requests, for operators', () => {
  const { desk } = useDesk()
  const list = async (query: Partial<RequestQuery> = {}) =>
    (await requestList(desk(), { errors_only: false, limit: 2, ...query })) as JsonObject & { requests: JsonObject[] }

  it('come in pages that neither repeat nor skip one', async () => {
    const records = [0, 1, 2, 3, 4].map(i => makeRecord({ created_at: NOW + i * 1000 }))
    await insertRecords(desk().store as Store, records)
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
    await insertRecords(desk().store as Store, [dedicated, chat])
    const ids = async (query: Partial<RequestQuery>) => (await list(query)).requests.map(({ id }) => id)
    expect(await ids({ account: chat.account_id!.toUpperCase() })).deep.equal([chat.id])
    expect(await ids({ surface: 'dedicated' })).deep.equal([dedicated.id])
    expect(await ids({ surface: 'gateway', route: 'chat' })).deep.equal([chat.id])
    expect(await ids({ route: 'messages' })).deep.equal([])
    expect(await ids({ min_ttft_ms: 500 })).deep.equal([chat.id])
    expect(await ids({ to: new Date(NOW / 1000 + 500).toISOString() })).deep.equal([dedicated.id])
    expect(await ids({ from: new Date(NOW / 1000 + 500).toISOString() })).deep.equal([chat.id])
    expect(await refusal(list({ route: 'chta' }))).match(/^422 .*did you mean 'chat'/)
  })

  it('are found by any id that their client was shown', async () => {
    const record = makeRecord({ created_at: NOW })
    await insertRecords(desk().store as Store, [record])
    expect((await requestOf(desk(), record.id)).id).equal(record.id)
    expect((await requestOf(desk(), record.id.slice(-12))).id).equal(record.id)
    expect(await refusal(requestOf(desk(), 'req_000000000000'))).match(/^404/)
  })
})
