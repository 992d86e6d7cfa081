import { expect } from 'chai'
import { backendStripsRoute } from '../../../../lib/admin/pages/backend-strips.ts'
import type { PageReply, PageRequest } from '../../../../lib/admin/pages/page.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { writeHistory } from '../../../support/history.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of backends over time', () => {
  const pages = usePages()

  it('has a row of small plots for each backend, each with a link to its page', async () => {
    expect(textIn((await pages().get('/backends/compare')).text)).contain('Nothing was measured in this time')
    const { backends } = await pages().api('GET', '/admin/v1/backends')
    const url = String((backends as { url: string }[])[0]!.url)
    await writeHistory(pages().gateway, url)
    for (const range of ['1h', '24h', '7d', '30d']) {
      const { text } = await pages().get(`/backends/compare?range=${range}`)
      const query = new URLSearchParams({ model: 'm', url, range }).toString().replaceAll('&', '&amp;')
      // The address and seven numbers.
      expect(text.split(`href="/backends/history?${query}"`), range).lengthOf(9)
      expect(textIn(text)).match(/up m \d+ ms .*2 \/ 8 .*25 %/)
    }
    expect((await pages().get('/backends/list')).text).contain('href="/backends/compare"')
    expect((await pages().get('/models/m/history')).text).contain('href="/backends/compare?model=m&amp;range=24h"')
    expect((await pages().get('/backends/compare?range=1y')).status).equal(422)
    const sorted = (await pages().get('/backends/compare?model=m&sort=failures&order=desc')).text
    expect(sorted).contain('aria-sort="descending"').and.contain('sort=failures&amp;order=asc')
    expect(sorted).contain('sort=ttft_p95_ms&amp;order=desc')
    expect(sorted).contain('/backends/compare?model=m&amp;sort=failures&amp;order=desc&amp;range=7d')
    expect((await pages().get('/backends/compare?sort=wait_ms')).status).equal(422)
  })

  const none = { in_flight_mean: null, limit: null, wait_ms: null, requests: null, failures: null, ttft_p95_ms: null }
  const point = (more: JsonObject): JsonObject => {
    return { ...none, input_tokens: null, output_tokens: null, cache_hit_pct: null, ...more }
  }
  const rowOf = (url: string, points: readonly JsonObject[]): JsonObject => {
    return { model: 'm', url, total: points.at(-1)!, points: [...points] }
  }
  const pageOf = async (rows: readonly JsonObject[], more: JsonObject = {}) => {
    const replies: Record<string, JsonObject> = {
      'backend-histories': { step: '1m', backends: [...rows], count: rows.length, cursor: null, ...more },
      backends: { backends: [{ model: 'm', url: 'http://a/v1', state: 'up' }] },
    }
    const query = new URLSearchParams({ range: '1h' })
    const call = async (name: string) => replies[name]!
    const reply = await backendStripsRoute.handle({ query, call } as unknown as PageRequest)
    return (reply as PageReply).body.toString()
  }
  const busy = point({ in_flight_mean: 4, limit: 8, requests: 9, failures: 2, ttft_p95_ms: 100 })
  const slow = point({ in_flight_mean: 2, limit: 4, requests: 9, failures: 0, ttft_p95_ms: 1000 })

  it('has one scale in a column, limits, gaps and no plot of zeros', async () => {
    const text = await pageOf([rowOf('http://a/v1', [point({}), busy, busy]), rowOf('http://b/v1', [slow, slow, slow])])
    // 100 ms of 1000 ms, after a gap; the limit of 8 is the top, that of 4 the middle.
    expect(text).contain('d="M50.0 17.2L100.0 17.2"').and.contain('d="M0.0 1.0L50.0 1.0L100.0 1.0"')
    expect(text).contain('class="bound" d="M0 1.0h100"').and.contain('class="bound" d="M0 10.0h100"')
    expect(text.match(/Errors of 3 steps of 1m, at most 2/g)).lengthOf(2)
    expect(text).not.contain('at most 0')
    expect(textIn(text)).match(/a:80 up m 100 ms .* b:80 – m 1000 ms/)
    expect(text).contain('class="error">2<').and.not.contain('class="error">0<')
    expect(text).not.contain('<select')
  })

  it('leads to the next page', async () => {
    const text = await pageOf([rowOf('http://a/v1', [busy])], { count: 501, cursor: '50' })
    expect(textIn(text)).contain('1 of 501 backends')
    expect(text).contain('href="/backends/compare?range=1h&amp;cursor=50"')
  })
})
