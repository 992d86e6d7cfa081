import { expect } from 'chai'
import { sql } from 'kysely'
import {
  type AccountRequestFilter,
  accountRequest,
  accountRequests,
} from '../../../../lib/store/queries/account-requests.ts'
import { lookUpRequest } from '../../../../lib/store/queries/lookup.ts'
import type { Store } from '../../../../lib/store/store.ts'
import { queryPlan } from '../../../support/query-plan.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000
const DAY = 86_400_000_000
const OTHER = '00000000-0000-4000-8000-000000000002'
const gateway = { surface: 'gateway', endpoint: null } as const

const A = makeRecord({ created_at: NOON, ...gateway, cost_microcents: 1_500_000, queue_ms: 7, reasoning_tokens: 3 })
const B = makeRecord({ created_at: NOON + 1000, ...gateway, user_id: 'bob@acme.test', status_code: 502 })
const C = makeRecord({ created_at: NOON - DAY, model_resolved: 'n', stream_error_type: 'backend_timeout' })
const D = makeRecord({ created_at: NOON + 2000, ...gateway, status_code: 404, dispatched: false, model_resolved: null })
const E = makeRecord({ created_at: NOON + 3000, ...gateway, user_id: null, client_request_id: 'client_mine' })
const FOREIGN = makeRecord({ created_at: NOON + 500, account_id: OTHER, client_request_id: 'client_mine' })

const account = A.account_id!

function planOf(store: Store, columns: string): Promise<string> {
  return queryPlan(store, sql`select * from requests as r where ${sql.raw(columns)} order by r.id desc limit 10`)
}

/** Maximum number of requests that are read by an id. */
const MAX_WITH_ID = 100

describe('requests of an account', () => {
  onEveryStore(store => {
    beforeEach(() => insertRecords(store(), [A, B, C, D, E, FOREIGN]))

    const page = (filter: Partial<AccountRequestFilter> = {}, limit = 50) =>
      accountRequests(store(), { account, since: NOON - 2 * DAY, ...filter }, limit)
    const ids = async (filter: Partial<AccountRequestFilter> = {}) => (await page(filter)).requests.map(({ id }) => id)

    it('are sorted newest first, of every surface, without those of other accounts', async () => {
      expect(await ids()).deep.equal([E.id, D.id, B.id, A.id, C.id])
      expect(await ids({ account: OTHER })).deep.equal([FOREIGN.id])
      expect(await page({ account: '00000000-0000-4000-8000-000000000009' })).deep.equal({
        requests: [],
        has_more: false,
        cursor: null,
      })
    })

    it('are filtered by key', async () => {
      const own = makeRecord({ created_at: NOON, key_id: 'key_1' })
      await insertRecords(store(), [own, makeRecord({ created_at: NOON, key_id: 'key_1', account_id: OTHER })])
      expect(await ids({ key: 'key_1' })).deep.equal([own.id])
    })

    it('are filtered by session, by an index', async () => {
      const session = '0123456789abcdef'
      const own = makeRecord({ created_at: NOON, session })
      await insertRecords(store(), [own, makeRecord({ created_at: NOON, session, account_id: OTHER })])
      const { requests } = await page({ session })
      expect(requests.map(row => [row.id, row.session])).deep.equal([[own.id, session]])
      expect(await planOf(store(), `r.account_id = '${account}' and r.session = '${session}'`)).match(/_session/)
    })

    it('are filtered by member, model, status, failure and time', async () => {
      expect(await ids({ user: 'bob@acme.test' })).deep.equal([B.id])
      expect(await ids({ user: 'nobody' })).deep.equal([])
      expect(await ids({ model: 'n' })).deep.equal([C.id])
      expect(await ids({ model: 'qwen3' })).deep.equal([E.id, D.id, B.id, A.id, C.id])
      expect(await ids({ status: 200 })).deep.equal([E.id, A.id, C.id])
      expect(await ids({ status: 502 })).deep.equal([B.id])
      expect(await ids({ status: 404 })).deep.equal([D.id])
      expect(await ids({ errors: true })).deep.equal([D.id, B.id, C.id])
      expect(await ids({ errors: true, status: 200 })).deep.equal([C.id])
      expect(await ids({ since: NOON, until: NOON + 2000 })).deep.equal([B.id, A.id])
      expect(await ids({ user: 'alice@acme.test', errors: true, model: 'qwen3-32b' })).deep.equal([])
    })

    it('are paged without repetition or gap for every page size, while others arrive', async () => {
      for (const filter of [{}, { errors: true }, { user: 'alice@acme.test' }]) {
        const all = await ids(filter)
        for (const limit of [1, 2, 3, 50]) {
          const seen: unknown[] = []
          for (let cursor: string | undefined, turns = 0; turns < 20; turns++) {
            const { requests, has_more, cursor: next } = await page({ ...filter, cursor }, limit)
            seen.push(...requests.map(({ id }) => id))
            expect(has_more).equal(next !== null)
            if (next === null) break
            cursor = next
          }
          expect(seen).deep.equal(all)
        }
      }
      const { cursor } = await page({}, 2)
      await insertRecords(store(), [makeRecord({ created_at: NOON + 4000, ...gateway })])
      expect((await page({ cursor: cursor! })).requests.map(({ id }) => id)).deep.equal([B.id, A.id, C.id])
    })

    it('ignore an invalid cursor', async () => {
      expect(await ids({ cursor: "' or 1=1" })).length(5)
      expect(await ids({ cursor: B.id.toUpperCase() })).deep.equal([A.id, C.id])
    })

    it('have the ids of the responses, their cost, and nothing about backends', async () => {
      const [e, , , a, c] = (await page()).requests
      expect(a).include({ request_id: `req_${A.id.slice(-12)}`, surface: 'gateway', cost_microcents: 1_500_000 })
      expect(a).include({ user_id: 'alice@acme.test', key_id: 'k1', path: '/v1/chat/completions' })
      expect(c).include({ request_id: C.id.slice(-12), endpoint: 'acme.example.com' })
      expect(e).include({ request_id: 'client_mine', user_id: null })
      const one = await accountRequest(store(), { account }, A.id)
      for (const shown of [a, one]) {
        expect(JSON.stringify(shown)).not.match(/10\.0\.0\.1|backend"|attempts|upstream/)
      }
      expect(one).include({ output_tps: 87.5, queue_ms: 7, reasoning_tokens: 3, duration_ms: 2390, user_id: A.user_id })
    })

    it('are found by every id of a response, within their account and member', async () => {
      const found = async (id: string, user?: string, of = account) =>
        (await accountRequest(store(), { account: of, user }, id))?.id
      const digits = A.id.slice(-12)
      for (const id of [`req_${digits}`, digits, A.id]) expect(await found(id), id).equal(A.id)
      expect(await found(D.id)).equal(D.id)
      expect(await found('client_mine')).equal(E.id)
      expect(await found('client_mine', undefined, OTHER)).equal(FOREIGN.id)
      expect(await found(FOREIGN.id)).equal(undefined)
      expect(await found(A.id, 'alice@acme.test')).equal(A.id)
      expect(await found(A.id, 'bob@acme.test')).equal(undefined)
      expect(await found(E.id, 'alice@acme.test')).equal(undefined)
      expect(await found('nonsense')).equal(undefined)
    })

    it('are found by an id that another account uses for many requests', async () => {
      const flood = Array.from({ length: MAX_WITH_ID + 1 }, (_, i) =>
        makeRecord({ created_at: NOON + 4000 + i * 1000, account_id: OTHER, client_request_id: 'client_mine' }),
      )
      await insertRecords(store(), flood)
      expect((await accountRequest(store(), { account }, 'client_mine'))?.id).equal(E.id)
      const found = await lookUpRequest(store(), 'client_mine')
      expect(found).lengthOf(MAX_WITH_ID)
      expect(found[0]!.id).equal(flood.at(-1)!.id)
    })

    it('are found through an index, also those of a member and broken ones', async () => {
      const own = `r.account_id = '${account}'`
      const conditions = {
        [own]: /account/,
        [`${own} and r.user_id = 'bob@acme.test'`]: /user/,
        [`${own} and r.stream_error_type is not null`]: /broken|account_id_id_idx/,
      }
      for (const [condition, index] of Object.entries(conditions)) {
        const plan = await planOf(store(), condition)
        expect(plan)
          .match(index)
          .and.not.match(/seq scan|^scan/im)
      }
    })
  })
})
