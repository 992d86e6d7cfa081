import { expect } from 'chai'
import { sql } from 'kysely'
import type { JsonObject } from '../../lib/base/json.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { insertRecords, makeRecord } from '../support/record.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const ENDPOINT = 'acme-1.test'
const KEY = 'service_paging_secret'
const COUNT = 250
/** Number of records with the same time. The others have distinct times. */
const TOGETHER = 200

interface Page {
  readonly requests: readonly { readonly request_id: string }[]
  readonly has_more: boolean
  readonly cursor: string
}

function paging(url: () => string | undefined): void {
  let gateway: TestGateway
  let store: Store
  let ids: readonly string[]

  before(async () => {
    const postgres = url()
    gateway = await testGateway({
      backends: ['http://127.0.0.1:9/v1'],
      account: { keys: [{ id: 'k', kind: 'dedicated', secret: KEY, endpoints: [ENDPOINT] }] },
      more: {
        ...(postgres === undefined ? null : { store: postgres }),
        endpoints: [{ host: ENDPOINT, models: ['m'] }],
        rate_limits_per_minute: { requests: 9999 },
      },
    })
    store = await openStore(postgres ?? `sqlite:${gateway.dir}/store.db`, { log: silent })
    const now = Date.now() * 1000
    const records = Array.from({ length: COUNT }, (_, i) =>
      makeRecord({
        endpoint: ENDPOINT,
        created_at: now - (i < TOGETHER ? 0 : i),
        status_code: i % 5 === 0 ? 500 : 200,
        request_tags: i % 2 === 0 ? ['even'] : ['odd', 'third'],
      }),
    )
    await insertRecords(store, records)
    ids = records.map(({ id }) => id.slice(-12))
  })

  after(async () => {
    await store?.close()
    await gateway?.close()
  })

  const ask = (path: string) => gateway.get(path, { authorization: `Bearer ${KEY}` })
  const list = async (query: string): Promise<Page> => {
    const answer = await ask(`/v1/endpoints/requests?endpoint=${ENDPOINT}&${query}`)
    expect(answer.status).equal(200)
    return (await answer.json()) as Page
  }

  /** Every id, as often as it was listed. */
  const walk = async (query: string) => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await list(query + cursor)
      seen.push(...page.requests.map(row => row.request_id))
      if (!page.has_more || seen.length > COUNT) return seen.sort()
      cursor = `&cursor=${encodeURIComponent(page.cursor)}`
    }
  }

  /** Queries, and the records that they find. */
  const queries: Readonly<Record<string, (i: number) => boolean>> = {
    '': () => true,
    '&errors_only=true': i => i % 5 === 0,
    '&tag=even&tag=nobody': i => i % 2 === 0,
    '&tag=odd&tag=third&min_input_tokens=1': i => i % 2 === 1,
  }
  for (const limit of [7, 50, 199, 200]) {
    for (const [query, matches] of Object.entries(queries)) {
      it(`skips and repeats nothing by ${limit}${query}`, async () => {
        expect(await walk(`limit=${limit}${query}`)).deep.equal(ids.filter((_, i) => matches(i)).sort())
      })
    }
  }

  it('continues from any time that a client sends', async () => {
    const newest = (await list('limit=1')).requests[0] as JsonObject | undefined
    const { requests } = await list(`limit=200&cursor=${encodeURIComponent(String(newest!.created_at))}`)
    expect(requests).length(COUNT - TOGETHER)
  })

  it('is a 503 while the store fails, and works afterwards', async () => {
    const routes = [`/v1/endpoints/requests?endpoint=${ENDPOINT}`, `/v1/endpoints/metrics?endpoint=${ENDPOINT}`]
    await sql`alter table requests rename to requests_away`.execute(store.db)
    try {
      for (const route of routes) {
        const answer = await ask(route)
        expect(answer.status).equal(503)
        expect(answer.headers.get('retry-after')).match(/^\d+$/)
        expect(await answer.json()).nested.include({ 'error.code': 'internal_error' })
      }
    } finally {
      await sql`alter table requests_away rename to requests`.execute(store.db)
    }
    for (const route of routes) expect((await ask(route)).status).equal(200)
  })
}

describe('paging', () => {
  describe('on SQLite', () => paging(() => undefined))
  describe('on PostgreSQL', () => paging(usePostgres()))
})
