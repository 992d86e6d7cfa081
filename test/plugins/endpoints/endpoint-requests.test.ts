import { expect } from 'chai'
import { failure } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/endpoints/endpoint-requests/index.ts'
import { key } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'

const given = [[key, keyOf({}, { endpoints: ['a.test', 'b.test'] })]] as const
const page = { requests: [{ request_id: '00000000000a' }], has_more: true, cursor: '2026-11-21T10:07:33.000001Z' }

const ask = async (query: string) => {
  const { reports, asked } = fakeReports({ requests: async () => page })
  return { ...(await play(plugin, { given, query, services: { reports } })), asked }
}

describe('endpoint-requests', () => {
  it('answers with a page of 50 by default', async () => {
    const { reply, asked } = await ask('endpoint=a.test')
    expect(reply).include({ status: 200 })
    expect(reply?.body).deep.equal(page)
    expect(asked).deep.equal([['requests', { endpoint: 'a.test', errors_only: false, tags: [] }, undefined, 50]])
  })

  it('passes every filter on, each tag once', async () => {
    const query =
      'endpoint=B.test&limit=200&errors_only=true&min_ttft_ms=1&max_ttft_ms=2&min_total_latency_ms=3' +
      '&max_total_latency_ms=4&max_cache_hit_pct=5.5&min_input_tokens=6&tag=x&tag=y&tag=x'
    const filter = {
      endpoint: 'b.test',
      errors_only: true,
      min_ttft_ms: 1,
      max_ttft_ms: 2,
      min_total_latency_ms: 3,
      max_total_latency_ms: 4,
      max_cache_hit_pct: 5.5,
      min_input_tokens: 6,
      tags: ['x', 'y'],
    }
    expect((await ask(query)).asked).deep.equal([['requests', filter, undefined, 200]])
  })

  it('passes on its own cursors and any other time', async () => {
    const own = await ask('endpoint=a.test&cursor=2026-11-21T10:07:33.000001000000000000042Z')
    expect(own.asked[0]![2]).equal('2026-11-21T10:07:33.000001000000000000042Z')
    const other = await ask('endpoint=a.test&cursor=2026-11-21T12:07:33%2B02:00')
    expect(other.asked[0]![2]).equal('2026-11-21T12:07:33+02:00')
  })

  it('refuses an unknown parameter by name, before it queries the store', async () => {
    const params = { '': 'endpoint', 'endpoint=a.test&limit=0': 'limit', 'endpoint=a.test&cursor=2026-11-21': 'cursor' }
    for (const [query, param] of Object.entries(params)) {
      const { error, asked } = await ask(query)
      expect(error, query).include({ code: 'schema_validation_failed', status: 422 })
      expect(error!.details.param).equal(param)
      expect(asked).deep.equal([])
    }
  })

  it("refuses another's endpoint", async () => {
    const { error, asked } = await ask('endpoint=c.test')
    expect(error).include({ code: 'http_403', status: 403 })
    expect(asked).deep.equal([])
  })

  it('passes on that the store is unavailable', async () => {
    const away = failure('internal_error', {}, { status: 503 })
    const { reports } = fakeReports({ requests: () => Promise.reject(away) })
    const played = play(plugin, { given, query: 'endpoint=a.test', services: { reports } })
    expect(await played.catch((thrown: unknown) => thrown)).equal(away)
  })
})
