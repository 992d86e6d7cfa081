import { expect } from 'chai'
import { CompiledQuery, sql } from 'kysely'
import type { Session } from '../../../../lib/store/database.ts'
import { lookUpRequest, lookUpRequests } from '../../../../lib/store/queries/lookup.ts'
import type { Store } from '../../../../lib/store/store.ts'
import { queryPlan } from '../../../support/query-plan.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
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

function planOf(store: Store, condition: string, value: unknown): Promise<string> {
  return queryPlan(store, sql`select * from requests as r where ${sql.raw(condition)} = ${value}`)
}

/** The object with some replaced methods. */
function overlaid<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The store with the plan of each query. */
function planned(store: Store): { readonly session: Session; plans(): Promise<string[]> } {
  const queries: CompiledQuery[] = []
  const executor = store.db.getExecutor()
  const noting = overlaid(executor, {
    executeQuery: <R>(query: CompiledQuery<R>) => {
      queries.push(query)
      return executor.executeQuery<R>(query)
    },
  })
  const db = overlaid(store.db, { getExecutor: () => noting })
  const plan = async ({ sql: text, parameters }: CompiledQuery) => {
    const { rows } = await store.db.executeQuery<object>(CompiledQuery.raw(`explain ${text}`, [...parameters]))
    return rows.map(row => Object.values(row).join(' ')).join('\n')
  }
  return { session: { ...store, db }, plans: () => Promise.all(queries.map(plan)) }
}

describe('lookup of requests', () => {
  onEveryStore(store => {
    beforeEach(() => insertRecords(store(), ALL))

    const ids = async (filter: Partial<Parameters<typeof lookUpRequests>[1]> = {}, limit = 10) =>
      (await lookUpRequests(store(), { since: NOON - 2 * DAY, ...filter }, limit)).map(({ id }) => id)

    it('finds a request by every id of a response', async () => {
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

    it('has the attempts of a request', async () => {
      const attempt = {
        ...{ backend: 'http://a/v1', model: 'm', reason: 'status 503', status: 503, started_ms: 1, ms: 3 },
        ...{ tokens: null, prompt_tokens: null, first_token_ms: null, cached_tokens: null },
        ...{ routed: 'prefix', predicted_ms: 40, predicted_cached_tokens: 0 },
      }
      const record = makeRecord({ created_at: NOON, attempts: 1, attempt_list: [attempt] })
      await insertRecords(store(), [record])
      expect((await lookUpRequest(store(), record.id))[0]).deep.include({ attempt_list: [attempt] })
      expect((await lookUpRequest(store(), A.id))[0]).include({ attempt_list: null })
    })

    it('finds ids through an index', async () => {
      for (const condition of ['r.public_id', 'r.client_request_id']) {
        const plan = await planOf(store(), condition, condition === 'r.public_id' ? 1 : 'client_mine')
        expect(plan, plan)
          .match(/index/i)
          .and.not.match(/seq scan|^scan/im)
      }
    })

    it('lists requests once, newest first', async () => {
      expect(await ids()).deep.equal([D.id, B.id, A.id, C.id])
      expect(await ids({}, 2)).deep.equal([D.id, B.id])
      expect(await ids({ before: B.id })).deep.equal([A.id, C.id])
      expect(await ids({ since: NOON + 500 })).deep.equal([D.id, B.id])
    })

    it('reads only partitions that may contain the ids', async () => {
      const { session, plans } = planned(store())
      const found = await lookUpRequests(
        session,
        { since: NOON - 9 * DAY, from: A.id, before: D.id, model: 'qwen3' },
        10,
      )
      expect(found.map(({ id }) => id)).deep.equal([B.id, A.id])
      const asked = (await plans()).flatMap(plan => plan.match(/ on request(s|_errors)_\d{8} /g) ?? [])
      const days = new Set(asked.map(name => name.trim().slice(-8)))
      expect([...days]).deep.equal(store().dialect === 'postgres' ? ['20261121'] : [])
    })

    it('finds the lines of a batch, refused ones too, through an index', async () => {
      const line = { surface: 'batch', endpoint: null, batch_id: 'batch_1' } as const
      const served = makeRecord({ ...line, created_at: NOON + 5000, batch_line: 1 })
      const refused = makeRecord({
        ...{ ...line, created_at: NOON + 6000, batch_line: 2 },
        ...{ status_code: 400, dispatched: false },
      })
      await insertRecords(store(), [served, refused, makeRecord({ ...line, created_at: NOON, batch_id: 'batch_2' })])
      expect(await ids({ batch: 'batch_1' })).deep.equal([refused.id, served.id])
      expect((await lookUpRequest(store(), served.id))[0]).include({ batch_id: 'batch_1', batch_line: 1 })
      for (const table of ['requests', 'request_errors']) {
        const plan = await queryPlan(
          store(),
          sql`select * from ${sql.table(table)} as r where r.batch_id = 'batch_1' order by r.id desc limit 10`,
        )
        expect(plan, plan).match(store().dialect === 'sqlite' ? /_batch / : /batch_id/)
      }
    })

    it('filters by account, model, backend and errors', async () => {
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
