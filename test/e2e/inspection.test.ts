import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Day, DISPATCHED, IN_ERROR_LOG, liveDay, ONE, type Page, type Row, secretOf, TWO } from '../support/day.ts'
import { replyProblems } from '../support/reply-schemas.ts'
import { usePostgres } from '../support/services.ts'

const idsOf = (rows: readonly Row[]) => rows.map(row => row.request_id).sort()

function inspection(store: () => string | undefined): void {
  let day: Day
  before(async () => {
    day = await liveDay(store())
  })
  after(() => day?.close())

  describe('the list', () => {
    it('has what was dispatched on the endpoint, under the id that the client was shown', async () => {
      const ids = DISPATCHED.map(day.idOf)
      for (const id of ids) expect(id).match(/^[0-9a-f]{12}$/)
      expect(idsOf(await day.rows(ONE))).deep.equal(ids.sort())
      expect(idsOf(await day.rows(TWO))).deep.equal([day.idOf('otherEndpoint'), day.idOf('otherAccount')].sort())
    })

    it('is newest first', async () => {
      const times = (await day.rows(ONE)).map(row => row.created_at)
      expect(times).deep.equal(times.toSorted().reverse())
    })

    it('has times in microseconds, each of them once', async () => {
      const times = (await day.rows(ONE)).map(row => String(row.created_at))
      expect(new Set(times).size).equal(times.length)
      expect(times.some(time => !time.endsWith('000Z'))).equal(true)
    })

    /** The query, applied to fetched rows. */
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
        const all = await day.rows(ONE)
        const expected = all.filter(matches)
        expect(expected.length, 'some match and some do not').above(0).and.below(all.length)
        expect(idsOf(await day.rows(ONE, query))).deep.equal(idsOf(expected))
      })
    }

    for (const member of ['ttft_ms', 'total_latency_ms'] as const) {
      it(`finds by bounds of ${member}, inclusively, what lies between, and nothing else`, async () => {
        const all = await day.rows(ONE)
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
        for (const [query, ids] of Object.entries(queries)) {
          expect(idsOf(await day.rows(ONE, query)), query).deep.equal(ids)
        }
      })
    }

    it('finds nothing by an unused tag, and untagged requests by none', async () => {
      expect(await day.rows(ONE, 'tag=unheard-of')).deep.equal([])
      const tagged = await day.rows(ONE, ['batch', 'nightly', 'slow'].map(tag => `tag=${tag}`).join('&'))
      expect(idsOf(tagged)).not.include(day.idOf('whole'))
    })

    it('is paged without a row that is skipped or repeated', async () => {
      const seen: Row[] = []
      let cursor = ''
      for (let page: Page | undefined; page === undefined || page.has_more; ) {
        page = await day.list(ONE, `limit=3${cursor}`)
        expect(page.has_more).equal(page.cursor !== null)
        seen.push(...page.requests)
        cursor = `&cursor=${encodeURIComponent(page.cursor ?? '')}`
      }
      expect(seen).deep.equal(await day.rows(ONE))
    })
  })

  describe('the error log', () => {
    it('has every 4xx and 5xx, also of requests that never reached the request table', async () => {
      const rows = await day.rows(ONE, 'errors_only=true')
      expect(idsOf(rows)).deep.equal(IN_ERROR_LOG.map(day.idOf).sort())
      const found = new Map(rows.map(row => [row.request_id, [row.status_code, row.error_code]]))
      const of = (name: (typeof IN_ERROR_LOG)[number]) => found.get(day.idOf(name))!
      expect(of('notJson')).deep.equal([400, 'invalid_json_request'])
      expect(of('tooLarge')).deep.equal([413, 'request_body_too_large'])
      expect(of('badTag')).deep.equal([400, 'invalid_request_tag'])
      expect(of('noModel')).deep.equal([404, 'model_not_found'])
      expect(of('failed')).deep.equal([502, 'backend_http_error'])
      expect(of('left')[0]).equal(499)
    })

    it('ignores bounds, but not tags', async () => {
      const bounds = 'errors_only=true&min_input_tokens=100000&min_ttft_ms=9999&max_cache_hit_pct=0'
      expect(idsOf(await day.rows(ONE, bounds))).deep.equal(IN_ERROR_LOG.map(day.idOf).sort())
      const tagged = await day.rows(ONE, 'errors_only=true&tag=nightly')
      expect(idsOf(tagged)).deep.equal([day.idOf('failed'), day.idOf('notJson')].sort())
    })
  })

  describe('the lookup', () => {
    it('shows everything about a stream', async () => {
      const row = await day.lookup('plain')
      expect(row).deep.include({
        request_id: day.idOf('plain'),
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

    it('distinguishes a JSON reply, a stall, a broken stream and a client that disconnected', async () => {
      const untagged = { request_tag: null, request_tags: null }
      expect(await day.lookup('whole')).include({ is_streaming: false, ttft_ms: null, ...untagged })
      expect((await day.lookup('stalled')).stall_count).least(1)
      const torn = await day.lookup('broken')
      expect(torn).include({ status_code: 200, output_tokens: 4, finish_reason: null, stream_error_status_code: 502 })
      expect(torn.stream_error_type).a('string')
      expect(await day.lookup('left')).include({ status_code: 499, output_tokens: 3, finish_reason: null })
      expect(await day.lookup('messages')).include({ path: '/v1/messages', cache_read_tokens: 40 })
      const refused = { model_requested: 'nobody', model_resolved: null, duration_ms: null }
      expect(await day.lookup('noModel')).include(refused)
    })

    it("does not find another endpoint's request, nor one that does not exist", async () => {
      for (const id of [day.idOf('otherEndpoint'), day.idOf('serverless').slice(-12), '000000000000']) {
        const { status, json } = await day.ask(`/v1/endpoints/requests/${id}?endpoint=${ONE}`, 'alice')
        expect(status).equal(404)
        expect(replyProblems('error', json)).deep.equal([])
      }
    })
  })

  it('lists the endpoints of the key', async () => {
    const { json, headers } = await day.ask('/v1/endpoints', 'bob')
    expect(json).deep.equal({ endpoints: [{ endpoint: ONE }] })
    expect(headers['x-request-id']).match(/^req_[0-9a-f]{12}$/)
  })

  it('sums up an endpoint in its metrics', async () => {
    const { status, json } = await day.ask(`/v1/endpoints/metrics?endpoint=${ONE}`, 'alice')
    expect(status).equal(200)
    expect(replyProblems('endpoint-metrics', json)).deep.equal([])
    const all = [...(await day.rows(ONE)), ...(await day.rows(ONE, 'errors_only=true'))]
    const rows = [...new Map(all.map(row => [row.request_id, row])).values()]
    const sum = (member: 'input_tokens' | 'output_tokens' | 'cache_read_tokens') =>
      rows.reduce((total, row) => total + row[member], 0)
    expect(json).include({
      endpoint: ONE,
      range_minutes: 60,
      request_count: rows.length,
      // The broken stream had status 200.
      error_count: IN_ERROR_LOG.length + 1,
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cache_read_tokens: sum('cache_read_tokens'),
    })
  })

  describe('a refusal', () => {
    const refusal = async (path: string, key?: string, headers = {}) => {
      const { status, json } = await day.ask(path, key, { headers })
      expect(replyProblems('error', json), path).deep.equal([])
      return { status, code: ((json as JsonObject).error as JsonObject).code }
    }
    const SCOPED = [
      `/v1/endpoints/metrics?endpoint=${ONE}`,
      `/v1/endpoints/requests?endpoint=${ONE}`,
      `/v1/endpoints/requests/000000000000?endpoint=${ONE}`,
    ]

    it('is a 401 without a key, and only a bearer key is one here', async () => {
      for (const path of [...SCOPED, '/v1/endpoints', '/v1/usage/me?period=1d', '/v1/usage/team?period=1d']) {
        const missing = { status: 401, code: 'missing_api_key' }
        expect(await refusal(path), path).deep.equal(missing)
        expect(await refusal(path, undefined, { 'x-api-key': secretOf('alice') }), path).deep.equal(missing)
        expect(await refusal(path, 'nobody'), path).deep.equal({ status: 401, code: 'invalid_api_key' })
      }
    })

    it('is a 403 for endpoints of others', async () => {
      for (const path of SCOPED) {
        expect(await refusal(path, 'eve'), path).deep.equal({ status: 403, code: 'http_403' })
      }
    })

    it('is a 422 that names the parameter', async () => {
      const path = `/v1/endpoints/requests?endpoint=${ONE}&cursor=2026-11-21T10:00:00`
      const { status, json } = await day.ask(path, 'alice')
      expect(status).equal(422)
      expect((json as JsonObject).error).include({ code: 'schema_validation_failed', param: 'cursor' })
      expect((await refusal(`/v1/endpoints/requests/xyz?endpoint=${ONE}`, 'alice')).status).equal(422)
    })
  })
}

describe('inspection', () => {
  describe('on SQLite', () => inspection(() => undefined))
  describe('on PostgreSQL', () => inspection(usePostgres()))
})
