import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { JsonObject } from '../../lib/json.ts'
import { insertRecords } from '../../lib/store/records.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { type HostedAnswer, type HostedRequest, hosted } from '../support/hosted.ts'
import { makeRecord } from '../support/record.ts'
import { replyProblems } from '../support/reply-schemas.ts'
import { type Order, type Served, servingBackend } from '../support/served.ts'
import { usePostgres } from '../support/services.ts'
import { silent } from '../support/stores.ts'

const TEAM = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'
const OTHERS = '0b8f5a52-3f0e-4a63-9d6b-52b2f3f0c111'
const ONE = 'acme-1.test'
const TWO = 'acme-2.test'
const PAGED = 'acme-3.test'
const API = 'api.test'
const GATEWAY = '127.0.0.1'
const PRICE = { input: 10, cached_input: 2, output: 40 }

const secretOf = (key: string) => `service_secret_of_${key}`

const ACCOUNTS = [
  {
    id: TEAM,
    name: 'team',
    kind: 'serverless',
    models: ['*'],
    members: [
      { user: 'alice@team.test', role: 'owner' },
      { user: 'bob', role: 'member' },
    ],
    keys: [
      {
        id: 'alice',
        user: 'alice@team.test',
        kind: 'serverless',
        secret: secretOf('alice'),
        endpoints: [ONE, TWO, PAGED],
      },
      { id: 'bob', user: 'bob', kind: 'serverless', secret: secretOf('bob'), endpoints: [ONE] },
      { id: 'legacy', kind: 'serverless', secret: secretOf('legacy') },
    ],
  },
  {
    id: OTHERS,
    name: 'others',
    kind: 'dedicated',
    models: ['*'],
    members: [{ user: 'eve', role: 'owner' }],
    keys: [{ id: 'eve', user: 'eve', kind: 'dedicated', secret: secretOf('eve'), endpoints: [TWO] }],
  },
]

interface Row extends JsonObject {
  request_id: string
  status_code: number
  ttft_ms: number | null
  total_latency_ms: number
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  error_code: string | null
  created_at: string
  request_tags: string[] | null
}

/** A day's traffic: who asked what, where. What came of it is found again by its name, which is a tag or the order. */
interface Visit extends Partial<HostedRequest> {
  readonly order?: Order
  readonly stream?: boolean
}

const order = (input: number, output: number, cached = 0, more: Partial<Order> = {}): Order => ({
  input,
  output,
  cached,
  ...more,
})

const VISITS: Readonly<Record<string, Visit>> = {
  plain: { stream: true, order: order(1000, 6, 800), headers: { 'service-request-tag': 'batch, nightly' } },
  whole: { order: order(200, 3, 50) },
  slow: { stream: true, order: order(300, 4, 0, { wait: 300 }), headers: { 'service-request-tag': 'slow' } },
  stalled: {
    stream: true,
    order: order(5000, 4, 4999, { pause: 1050 }),
    headers: { 'service-request-tag': 'nightly' },
  },
  messages: { path: '/v1/messages', order: order(40, 2, 40) },
  completions: { path: '/v1/completions', order: order(60, 5, 0) },
  broken: { stream: true, order: order(700, 8, 100, { end: 'break' }), headers: { 'service-request-tag': 'batch' } },
  left: { stream: true, order: order(900, 6, 9, { end: 'hang' }), leaveAt: 'word3' },
  failed: { order: order(10, 1, 0, { end: 'fail' }), headers: { 'service-request-tag': 'nightly' } },
  notJson: { body: '{"model": "m"', headers: { 'service-request-tag': 'nightly' } },
  tooLarge: { body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(30_000) }] }) },
  badTag: { body: '{}', headers: { 'service-request-tag': 'Nightly' } },
  noModel: { body: '{"model":"nobody","messages":[{"role":"user","content":"hi"}]}' },
  bobs: { key: 'bob', order: order(11, 1, 1) },
  otherEndpoint: { host: TWO, order: order(70, 7, 7), headers: { 'service-request-tag': 'nightly' } },
  otherAccount: { host: TWO, key: 'eve', order: order(80, 8, 8) },
  serverless: { host: GATEWAY, order: order(90, 9, 9), headers: { 'service-request-tag': 'Ignored!' } },
  serverlessBob: { host: GATEWAY, key: 'bob', stream: true, order: order(13, 2, 3) },
  serverlessLegacy: { host: GATEWAY, key: 'legacy', order: order(17, 3, 0) },
}

/** Refused before their model was known: in the error log only. */
const NEVER_DISPATCHED = ['notJson', 'tooLarge', 'badTag', 'noModel']

function visitRequest({ order: wanted, stream = false, ...own }: Visit): HostedRequest {
  const path = own.path ?? '/v1/chat/completions'
  const content = JSON.stringify(wanted)
  const body = path.endsWith('/v1/completions')
    ? { model: 'm', prompt: content }
    : { model: 'alias', stream, max_tokens: 100, messages: [{ role: 'user', content }] }
  return { host: ONE, path, body: JSON.stringify(body), ...own, key: secretOf(own.key ?? 'alice') }
}

function inspection(store: () => string | undefined): void {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let served: Served
  const answers = new Map<string, HostedAnswer>()

  before(async function () {
    this.timeout(20_000)
    const serving = servingBackend()
    served = serving.served
    backend = await scriptedBackend(serving.script)
    const url = store()
    gateway = await testGateway({
      backends: [backend.url],
      model: { pricing: PRICE },
      more: {
        ...(url === undefined ? null : { store: url }),
        hosts: { gateway: [GATEWAY], api: [API] },
        endpoints: [ONE, TWO, PAGED].map(host => ({ host, models: ['m'] })),
        accounts: ACCOUNTS,
        body_limit_bytes: 20_000,
        rate_limits_per_minute: { endpoints: 9999, metrics: 9999, requests: 9999, request: 9999, usage: 9999 },
      },
    })
    // The failure last, so that what it does to the only backend is nobody else's.
    const { failed, ...others } = VISITS
    const visit = async (name: string, one: Visit) => answers.set(name, await hosted(gateway.url, visitRequest(one)))
    await Promise.all(Object.entries(others).map(([name, one]) => visit(name, one)))
    await visit('failed', failed!)
    await until(async () => (await rowsOf(ONE)).length === 10, 'the requests of the first endpoint')
    await until(async () => (await rowsOf(ONE, 'errors_only=true')).length === 6, 'its error log')
    await until(async () => (await usage('me', 'eve')).total_requests === 1, "the other account's usage")
    await until(async () => (await usage('team', 'alice')).total_requests === 3, 'the usage of the gateway')
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const ask = (path: string, key?: string, headers = {}) =>
    hosted(gateway.url, { host: API, path, headers, ...(key === undefined ? null : { key: secretOf(key) }) })

  const list = async (endpoint: string, query = '') => {
    const { status, json, text } = await ask(`/v1/endpoints/requests?endpoint=${endpoint}&${query}`, 'alice')
    expect(status, text).equal(200)
    expect(replyProblems('request-list', json)).deep.equal([])
    return json as unknown as { requests: Row[]; has_more: boolean; cursor: string | null }
  }
  const rowsOf = async (endpoint: string, query = '') => (await list(endpoint, `limit=200&${query}`)).requests
  const idsOf = (rows: readonly Row[]) => rows.map(row => row.request_id).sort()

  const usage = async (report: 'me' | 'team', key: string, query = 'period=1d') => {
    const { status, json, text } = await ask(`/v1/usage/${report}?${query}`, key)
    expect(status, text).equal(200)
    expect(replyProblems(`usage-${report}`, json)).deep.equal([])
    return json as unknown as Record<string, number> & {
      days: JsonObject[]
      models: JsonObject[]
      members: JsonObject[]
    }
  }

  const idOf = (name: string) => String(answers.get(name)!.headers['x-request-id'])
  const lookup = async (name: string) => {
    const { status, json, text } = await ask(`/v1/endpoints/requests/${idOf(name)}?endpoint=${ONE}`, 'alice')
    expect(status, `${name}: ${text}`).equal(200)
    expect(replyProblems('request', json), name).deep.equal([])
    return json as unknown as Row
  }

  describe('the list', () => {
    it('has what was dispatched on the endpoint, under the id that the client was shown', async () => {
      const dispatched = Object.entries(VISITS).flatMap(([name, { host = ONE }]) =>
        host === ONE && !NEVER_DISPATCHED.includes(name) ? idOf(name) : [],
      )
      expect(idsOf(await rowsOf(ONE))).deep.equal(dispatched.sort())
      for (const id of dispatched) expect(id).match(/^[0-9a-f]{12}$/)
      expect(idsOf(await rowsOf(TWO))).deep.equal([idOf('otherEndpoint'), idOf('otherAccount')].sort())
    })

    it('is newest first', async () => {
      const times = (await rowsOf(ONE)).map(row => row.created_at)
      expect(times).deep.equal(times.toSorted().reverse())
    })

    /** The same question, asked of rows that are here already. */
    const hit = (row: Row) => (row.cache_read_tokens / row.input_tokens) * 100
    const tagged = (row: Row, ...tags: string[]) => row.request_tags?.some(tag => tags.includes(tag)) === true
    const filters: Readonly<Record<string, (row: Row) => boolean>> = {
      'max_cache_hit_pct=25': row => row.input_tokens > 0 && hit(row) <= 25,
      'max_cache_hit_pct=0': row => row.input_tokens > 0 && row.cache_read_tokens === 0,
      'min_input_tokens=700': row => row.input_tokens >= 700,
      'tag=nightly': row => tagged(row, 'nightly'),
      'tag=batch&tag=slow': row => tagged(row, 'batch', 'slow'),
      'tag=nightly&tag=nightly&min_input_tokens=2000': row => tagged(row, 'nightly') && row.input_tokens >= 2000,
      'min_input_tokens=300&max_cache_hit_pct=50&tag=batch': row =>
        row.input_tokens >= 300 && hit(row) <= 50 && tagged(row, 'batch'),
    }
    for (const [query, matches] of Object.entries(filters)) {
      it(`finds by ${query} what matches, and nothing else`, async () => {
        const all = await rowsOf(ONE)
        const expected = all.filter(matches)
        expect(expected.length, 'some match and some do not').above(0).and.below(all.length)
        expect(idsOf(await rowsOf(ONE, query))).deep.equal(idsOf(expected))
      })
    }

    for (const member of ['ttft_ms', 'total_latency_ms'] as const) {
      it(`finds by bounds of ${member}, inclusively, what lies between, and nothing else`, async () => {
        const all = await rowsOf(ONE)
        const values = all.flatMap(row => row[member] ?? []).toSorted((a, b) => a - b)
        const middle = values[Math.floor(values.length / 2)]!
        const idsWhere = (matches: (value: number) => boolean) =>
          idsOf(all.filter(row => row[member] !== null && matches(row[member])))
        const queries = {
          [`min_${member}=${middle}`]: idsWhere(value => value >= middle),
          [`max_${member}=${middle}`]: idsWhere(value => value <= middle),
          [`min_${member}=${middle}&max_${member}=${middle}`]: idsWhere(value => value === middle),
          [`min_${member}=${middle + 1}&max_${member}=${middle}`]: [],
        }
        for (const [query, ids] of Object.entries(queries))
          expect(idsOf(await rowsOf(ONE, query)), query).deep.equal(ids)
      })
    }

    it('finds nothing by a tag that nobody set, and untagged requests by none', async () => {
      expect(await rowsOf(ONE, 'tag=unheard-of')).deep.equal([])
      const tagged = await rowsOf(ONE, ['batch', 'nightly', 'slow'].map(tag => `tag=${tag}`).join('&'))
      expect(idsOf(tagged)).not.include(idOf('whole'))
    })

    it('is paged without a row that is skipped or repeated', async () => {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: { requests: Row[]; has_more: boolean; cursor: string | null } = await list(
          ONE,
          `limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        )
        expect(page.has_more).equal(page.cursor !== null)
        seen.push(...page.requests.map(row => row.request_id))
        cursor = page.cursor
      } while (cursor !== null && seen.length < 100)
      expect(seen.sort()).deep.equal(idsOf(await rowsOf(ONE)))
    })
  })

  describe('the error log', () => {
    const inLog = ['failed', 'notJson', 'tooLarge', 'badTag', 'noModel', 'left']

    it('has every 4xx and 5xx, also of requests that never reached the request table', async () => {
      const rows = await rowsOf(ONE, 'errors_only=true')
      expect(idsOf(rows)).deep.equal(inLog.map(idOf).sort())
      const codes = Object.fromEntries(rows.map(row => [row.request_id, [row.status_code, row.error_code]]))
      expect(codes[idOf('notJson')]).deep.equal([400, 'invalid_json_request'])
      expect(codes[idOf('tooLarge')]).deep.equal([413, 'request_body_too_large'])
      expect(codes[idOf('badTag')]).deep.equal([400, 'invalid_request_tag'])
      expect(codes[idOf('noModel')]).deep.equal([404, 'model_not_found'])
      expect(codes[idOf('failed')]![0]).equal(502)
      expect(codes[idOf('left')]![0]).equal(499)
    })

    it('knows no bounds, but tags', async () => {
      const bounded = await rowsOf(ONE, 'errors_only=true&min_input_tokens=100000&min_ttft_ms=9999&max_cache_hit_pct=0')
      expect(idsOf(bounded)).deep.equal(inLog.map(idOf).sort())
      const tagged = await rowsOf(ONE, 'errors_only=true&tag=nightly')
      expect(idsOf(tagged)).deep.equal([idOf('failed'), idOf('notJson')].sort())
    })
  })

  describe('the lookup', () => {
    it('tells everything of a stream', async () => {
      const row = await lookup('plain')
      expect(row).deep.include({
        request_id: idOf('plain'),
        status_code: 200,
        model_requested: 'alias',
        model_resolved: 'm',
        is_streaming: true,
        input_tokens: 1000,
        output_tokens: 6,
        cache_read_tokens: 800,
        error_code: null,
        request_tag: 'batch',
        request_tags: ['batch', 'nightly'],
        finish_reason: 'stop',
        stall_count: 0,
        path: '/v1/chat/completions',
        method: 'POST',
        tool_count: 0,
        usage_present: true,
        stream_error_status_code: null,
      })
      expect(row.ttft_ms).a('number')
      expect(row.total_latency_ms).least(Number(row.duration_ms))
      expect(row.created_at).match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    })

    it('tells one answer in one piece, a stall, a torn stream and a client that left', async () => {
      expect(await lookup('whole')).include({
        is_streaming: false,
        ttft_ms: null,
        request_tag: null,
        request_tags: null,
      })
      expect(await lookup('stalled')).include({ stall_count: 1 })
      const torn = await lookup('broken')
      expect(torn).include({ status_code: 200, output_tokens: 4, finish_reason: null })
      expect(torn.stream_error_status_code).equal(502)
      expect(torn.stream_error_type).a('string')
      expect(await lookup('left')).include({ status_code: 499, output_tokens: 3, finish_reason: null })
      expect(await lookup('messages')).include({ path: '/v1/messages', cache_read_tokens: 40 })
      expect(await lookup('noModel')).include({ model_requested: 'nobody', model_resolved: null, duration_ms: null })
    })

    it("does not find another endpoint's request, nor one that never was", async () => {
      for (const id of [idOf('otherEndpoint'), idOf('serverless').slice(-12), '000000000000']) {
        const { status, json } = await ask(`/v1/endpoints/requests/${id}?endpoint=${ONE}`, 'alice')
        expect(status).equal(404)
        expect(replyProblems('error', json)).deep.equal([])
      }
    })
  })

  it('lists the endpoints of the key', async () => {
    const { json } = await ask('/v1/endpoints', 'bob')
    expect(json).deep.equal({ endpoints: [{ endpoint: ONE }] })
    expect(replyProblems('endpoints', json)).deep.equal([])
  })

  it('sums up an endpoint in its metrics', async () => {
    const { status, json } = await ask(`/v1/endpoints/metrics?endpoint=${ONE}`, 'alice')
    expect(status).equal(200)
    expect(replyProblems('endpoint-metrics', json)).deep.equal([])
    const all = [...(await rowsOf(ONE)), ...(await rowsOf(ONE, 'errors_only=true'))]
    const rows = [...new Map(all.map(row => [row.request_id, row])).values()]
    const sum = (member: 'input_tokens' | 'output_tokens' | 'cache_read_tokens') =>
      rows.reduce((total, row) => total + row[member], 0)
    expect(json).include({
      endpoint: ONE,
      range_minutes: 60,
      request_count: rows.length,
      error_count: 7,
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cache_read_tokens: sum('cache_read_tokens'),
      stall_count: 1,
    })
  })

  describe('usage', () => {
    it('adds up to what the backend served, to the token', async () => {
      const [alice, bob, eve] = [await usage('me', 'alice'), await usage('me', 'bob'), await usage('me', 'eve')]
      const legacy = await usage('me', 'legacy')
      const total = (member: string) =>
        [alice, bob, eve, legacy].reduce((sum, report) => sum + report[`total_${member}`]!, 0)
      expect({
        requests: total('requests'),
        input: total('input_tokens'),
        output: total('output_tokens'),
        cached: total('cache_read_tokens'),
      }).deep.equal(served)
      const cost = (served.input - served.cached) * PRICE.input + served.cached * PRICE.cached_input
      expect(Math.round(total('estimated_cost_cents') * 1e6)).equal(cost + served.output * PRICE.output)
    })

    it('is the sum of the records, by endpoint', async () => {
      for (const [endpoint, key] of [
        [ONE, 'alice'],
        [TWO, 'alice'],
      ] as const) {
        const mine = await usage('me', key, `period=1d&endpoint=${endpoint}`)
        const others =
          endpoint === ONE ? await usage('me', 'bob', `period=1d&endpoint=${ONE}`) : await usage('me', 'eve')
        const rows = (await rowsOf(endpoint)).filter(row => row.input_tokens > 0)
        const sum = (member: 'input_tokens' | 'output_tokens' | 'cache_read_tokens') =>
          rows.reduce((total, row) => total + row[member], 0)
        for (const member of ['input_tokens', 'output_tokens', 'cache_read_tokens'] as const) {
          expect(mine[`total_${member}`]! + others[`total_${member}`]!, `${endpoint} ${member}`).equal(sum(member))
        }
        expect(mine.total_requests! + others.total_requests!).equal(rows.length)
      }
    })

    it('of the team is that of its members on the gateway, keys of nobody included', async () => {
      const team = await usage('team', 'alice')
      const requests = Object.fromEntries(team.members.map(({ user_id, requests }) => [String(user_id), requests]))
      expect(requests).deep.equal({ 'alice@team.test': 1, bob: 1, null: 1 })
      expect(team).include({ total_input_tokens: 90 + 13 + 17, total_output_tokens: 9 + 2 + 3, total_requests: 3 })
      const one = await usage('team', 'alice', `period=1d&endpoint=${ONE}`)
      expect(one.members.find(({ user_id }) => user_id === 'bob')).include({ input_tokens: 11, requests: 1 })
    })

    it('is the same by period and by range, and nothing before anything happened', async () => {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
      const range = await usage('me', 'alice', `start_at=${yesterday}&end_at=${encodeURIComponent(tomorrow)}`)
      expect(range).deep.equal(await usage('me', 'alice', 'period=7d'))
      const before = await usage('me', 'alice', 'start_at=2020-01-01&end_at=2020-12-31')
      expect(before).include({ total_requests: 0, total_estimated_cost_cents: 0 })
      expect(before.days).deep.equal([])
    })

    it('is served on the gateway as well', async () => {
      const request = { host: GATEWAY, path: '/v1/usage/me?period=1d', headers: { 'x-api-key': secretOf('bob') } }
      const { status, json } = await hosted(gateway.url, request)
      expect(status).equal(200)
      expect(json).deep.equal(await usage('me', 'bob'))
    })
  })

  describe('refusals', () => {
    const refused = async (path: string, key: string | undefined, headers = {}) => {
      const { status, json } = await ask(path, key, headers)
      expect(replyProblems('error', json), path).deep.equal([])
      return { status, code: ((json as JsonObject).error as JsonObject).code }
    }
    const ROUTES = [
      '/v1/endpoints',
      `/v1/endpoints/metrics?endpoint=${ONE}`,
      `/v1/endpoints/requests?endpoint=${ONE}`,
      `/v1/endpoints/requests/000000000000?endpoint=${ONE}`,
      '/v1/usage/me?period=1d',
      '/v1/usage/team?period=1d',
    ]

    it('are 401 without a key, and only a bearer key is one here', async () => {
      for (const path of ROUTES) {
        expect(await refused(path, undefined), path).deep.equal({ status: 401, code: 'missing_api_key' })
        expect(await refused(path, 'nobody'), path).deep.equal({ status: 401, code: 'invalid_api_key' })
        const plain = await refused(path, undefined, { 'x-api-key': secretOf('alice') })
        expect(plain, path).deep.equal({ status: 401, code: 'missing_api_key' })
      }
    })

    it('are 403 for endpoints of others', async () => {
      for (const path of ROUTES.filter(one => one.includes(ONE))) {
        expect(await refused(path, 'eve'), path).deep.equal({ status: 403, code: 'http_403' })
      }
      expect(await refused('/v1/usage/team?period=1d', 'bob')).deep.equal({ status: 403, code: 'http_403' })
      expect(await refused('/v1/usage/team?period=1d', 'eve')).deep.equal({ status: 404, code: 'http_404' })
    })

    it('name the parameter that is wrong', async () => {
      const { status, json } = await ask(`/v1/endpoints/requests?endpoint=${ONE}&cursor=2026-11-21T10:00:00`, 'alice')
      expect(status).equal(422)
      expect((json as JsonObject).error).include({ code: 'schema_validation_failed', param: 'cursor' })
      expect((await refused(`/v1/endpoints/requests/xyz?endpoint=${ONE}`, 'alice')).status).equal(422)
      expect((await refused('/v1/usage/me', 'alice')).status).equal(400)
    })
  })

  describe('many requests of one moment', () => {
    const COUNT = 250
    let own: Store
    let ids: string[]

    before(async function () {
      this.timeout(20_000)
      own = await openStore(store() ?? `sqlite:${gateway.dir}/store.db`, { log: silent })
      const now = Date.now() * 1000
      const records = Array.from({ length: COUNT }, (_, i) =>
        makeRecord({
          endpoint: PAGED,
          created_at: now - (i < 200 ? 0 : i),
          status_code: i % 5 === 0 ? 500 : 200,
          request_tags: i % 2 === 0 ? ['even'] : ['odd', 'third'],
        }),
      )
      await insertRecords(own, records)
      ids = records.map(({ id }) => id.slice(-12))
    })
    after(() => own?.close())

    const walk = async (query: string) => {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const page = await list(PAGED, `${query}${cursor}`)
        seen.push(...page.requests.map(row => row.request_id))
        if (!page.has_more || seen.length > COUNT) return seen
        cursor = `&cursor=${encodeURIComponent(page.cursor!)}`
      }
    }

    for (const limit of [7, 50, 199, 200]) {
      it(`are paged by ${limit} without a row that is skipped or repeated`, async () => {
        expect((await walk(`limit=${limit}`)).toSorted()).deep.equal(ids.toSorted())
        const errors = ids.filter((_, i) => i % 5 === 0).toSorted()
        expect((await walk(`limit=${limit}&errors_only=true`)).toSorted()).deep.equal(errors)
        const even = ids.filter((_, i) => i % 2 === 0).toSorted()
        expect((await walk(`limit=${limit}&tag=even&tag=nobody`)).toSorted()).deep.equal(even)
      })
    }

    it('are a 503 while the store fails, and there again afterwards', async () => {
      await sql`alter table requests rename to requests_away`.execute(own.db)
      try {
        for (const query of [`/v1/endpoints/requests?endpoint=${ONE}`, `/v1/endpoints/metrics?endpoint=${ONE}`]) {
          const { status, json, headers } = await ask(query, 'alice')
          expect(status).equal(503)
          expect(headers['retry-after']).match(/^\d+$/)
          expect((json as JsonObject).error).include({ code: 'internal_error' })
        }
      } finally {
        await sql`alter table requests_away rename to requests`.execute(own.db)
      }
      expect((await ask(`/v1/endpoints/requests?endpoint=${ONE}`, 'alice')).status).equal(200)
    })
  })
}

describe('inspection', () => {
  describe('on SQLite', () => inspection(() => undefined))
  describe('on PostgreSQL', () => inspection(usePostgres()))
})

/** Records reach the store within a second or so of the answer. */
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 8000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not arrive`)
    await sleep(50)
  }
}
