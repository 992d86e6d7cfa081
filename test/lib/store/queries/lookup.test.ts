import { expect } from 'chai'
import { sql } from 'kysely'
import { lookUpRequest, lookUpRequests } from '../../../../lib/store/queries/lookup.ts'
import { insertRecords } from '../../../../lib/store/records.ts'
import type { Store } from '../../../../lib/store/store.ts'
import { makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const DAY = 86_400_000_000
const OTHER = '00000000-0000-4000-8000-000000000002'

const A = makeRecord({ created_at: NOON, surface: 'gateway', endpoint: null, backend: 'http://a/v1' })
const B = makeRecord({
  created_at: NOON + 1000,
  surface: 'gateway',
  endpoint: null,
  account_id: OTHER,
  status_code: 502,
  error_code: 'backend_http_error',
  backend: 'http://b/v1',
  upstream_status: 404,
  upstream_error: 'status 404: The model does not exist.',
  client_request_id: 'client_mine',
})
const C = makeRecord({
  created_at: NOON - DAY,
  model_resolved: 'n',
  model_requested: 'x',
  stream_error_type: 'backend_timeout',
})
const D = makeRecord({
  created_at: NOON + 2000,
  status_code: 404,
  dispatched: false,
  backend: null,
  model_resolved: null,
})
const ALL = [A, B, C, D]

async function planOf({ db, dialect }: Store, condition: string, value: unknown): Promise<string> {
  const select = sql`select * from requests as r where ${sql.raw(condition)} = ${value}`
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ detail: string }>`explain query plan ${select}`.execute(db)
    return rows.map(({ detail }) => detail).join('\n')
  }
  return db.transaction().execute(async transaction => {
    // Without it, a scan of so few rows is the cheaper plan.
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${select}`.execute(transaction)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
}

describe('lookup of requests', () => {
  onEveryStore(store => {
    beforeEach(() => insertRecords(store(), ALL))

    const ids = async (filter: Partial<Parameters<typeof lookUpRequests>[1]> = {}, limit = 10) =>
      (await lookUpRequests(store(), { since: NOON - 2 * DAY, ...filter }, limit)).map(({ id }) => id)

    it('finds a request by every id that its client may have been shown', async () => {
      const digits = A.id.slice(-12)
      for (const id of [`req_${digits}`, digits, digits.toUpperCase(), A.id, A.id.toUpperCase()]) {
        const [found, ...more] = await lookUpRequest(store(), id)
        expect(found, id).deep.include({ id: A.id, request_id: `req_${digits}`, backend: 'http://a/v1', attempts: 1 })
        expect(more).deep.equal([])
      }
      expect((await lookUpRequest(store(), 'client_mine'))[0]).deep.include({
        request_id: 'client_mine',
        id: B.id,
        created_at: '2026-11-21T12:00:00.001000Z',
        upstream_status: 404,
        upstream_error: 'status 404: The model does not exist.',
        is_streaming: true,
      })
      expect((await lookUpRequest(store(), D.id))[0]).include({ request_id: D.id.slice(-12) })
      for (const id of ['req_000000000000', 'client_other', 'nonsense', "' or 1=1", OTHER])
        expect(await lookUpRequest(store(), id), id).deep.equal([])
    })

    it('finds ids through an index, wherever the request was served', async () => {
      for (const condition of ['r.public_id', 'r.client_request_id']) {
        const plan = await planOf(store(), condition, condition === 'r.public_id' ? 1 : 'client_mine')
        expect(plan, plan)
          .match(/index/i)
          .and.not.match(/seq scan|^scan/im)
      }
    })

    it('lists the newest first, each once', async () => {
      expect(await ids()).deep.equal([D.id, B.id, A.id, C.id])
      expect(await ids({}, 2)).deep.equal([D.id, B.id])
      expect(await ids({ before: B.id })).deep.equal([A.id, C.id])
      expect(await ids({ since: NOON + 500 })).deep.equal([D.id, B.id])
    })

    it('lists those of an account, a model, a backend, and those that went wrong', async () => {
      expect(await ids({ account: OTHER })).deep.equal([B.id])
      expect(await ids({ model: 'x' })).deep.equal([C.id])
      expect(await ids({ model: 'n' })).deep.equal([C.id])
      expect(await ids({ backend: 'b/v1' })).deep.equal([B.id])
      expect(await ids({ backend: '%' })).deep.equal([])
      expect(await ids({ errors: true })).deep.equal([D.id, B.id, C.id])
      expect(await ids({ errors: true, backend: 'http://a' })).deep.equal([])
    })
  })
})
