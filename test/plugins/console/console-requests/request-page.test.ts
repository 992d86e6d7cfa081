import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/plugin.ts'
import { requestPage } from '../../../../plugins/console/console-requests/request-page.ts'

const REQUEST: JsonObject = {
  ...{
    request_id: 'req_1',
    created_at: '2026-11-21T10:07:33.123456Z',
    status_code: 200,
    method: 'POST',
    path: '/v1/x',
  },
  ...{ model_requested: 'a', model_resolved: '<m>', is_streaming: true, finish_reason: 'stop', stall_count: 2 },
  ...{ queue_ms: 10, first_byte_ms: 20, ttft_ms: 50, total_latency_ms: 100, input_tokens: 5, output_tokens: 6 },
  ...{ cache_read_tokens: 1, reasoning_tokens: null, cost_microcents: 1_000_000, request_tags: ['x'], endpoint: null },
  ...{ error_code: null, error_message: null, key_id: 'k', user_id: 'alice' },
}

const pageOf = (request: JsonObject) =>
  requestPage({ request, scope: { account: 'a', who: 'team' }, docsBase: '/docs/errors', currency: 'EUR' })

describe('page of a request', () => {
  /** Rows of the table of phases: name, begin and duration. */
  function phasesOf(request: JsonObject): readonly string[] {
    const page = pageOf({ ...REQUEST, ...request }).toString()
    const [, table] = /<caption>Parts of the time<\/caption>.*?<tbody>(.*?)<\/tbody>/s.exec(page)!
    return [...table!.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<td[^>]*>(.*?)<\/td>/g)]
        .flatMap(([, cell]) => (cell!.startsWith('<svg') ? [] : cell!))
        .join(', '),
    )
  }

  it('divides the time, without gaps', () => {
    expect(phasesOf({})).deep.equal([
      'Waited, 0 ms, 10 ms',
      'First byte, 10 ms, 20 ms',
      'First token, 30 ms, 20 ms',
      'Tokens, 50 ms, 50 ms',
    ])
    const unknown = { total_latency_ms: 7, queue_ms: null, first_byte_ms: null, ttft_ms: null }
    expect(phasesOf(unknown)).deep.equal(['Tokens, 0 ms, 7 ms'])
    expect(phasesOf({ ...unknown, first_byte_ms: 3, status_code: 502 })).deep.equal([
      'First byte, 0 ms, 3 ms',
      'Until the error, 3 ms, 4 ms',
    ])
    expect(phasesOf({ ...unknown, status_code: 400 })).deep.equal(['Until the error, 0 ms, 7 ms'])
    expect(phasesOf({ total_latency_ms: 7, queue_ms: 9, first_byte_ms: 1, ttft_ms: 3 })).deep.equal([
      'Waited, 0 ms, 7 ms',
      'First byte, 7 ms, 0 ms',
      'First token, 7 ms, 0 ms',
      'Tokens, 7 ms, 0 ms',
    ])
  })

  it('has every fact, as text', () => {
    const page = pageOf({ ...REQUEST, session: '0123456789abcdef' }).toString()
    expect(page).contain('?account=a&amp;who=team&amp;session=0123456789abcdef&amp;since=30d')
    expect(page)
      .contain('&lt;m&gt;')
      .and.contain('stalled 2 times')
      .and.contain('gateway')
      .and.contain('>0.01 <span class="unit">EUR<')
    expect(page).not.contain('<m>').and.not.contain('/docs/errors/')
  })

  it('links to the lists behind its facts, and shows nothing of backends', () => {
    const page = pageOf({ ...REQUEST, backend: 'http://a/v1', attempt_list: [{ backend: 'http://a/v1' }] }).toString()
    expect(page)
      .contain('?account=a&amp;who=team&amp;around=2026-11-21T10%3A07%3A33.123456Z"')
      .and.contain('?account=a&amp;who=team&amp;model=%3Cm%3E&amp;since=30d"')
      .and.contain('?account=a&amp;who=team&amp;status=200&amp;since=30d"')
      .and.not.contain('http://a/v1')
    expect(page).contain('?account=a&amp;who=team&amp;key=').and.not.contain('href="/console/keys"')
    const own = requestPage({ request: REQUEST, scope: { account: 'a' }, docsBase: '/docs/errors', currency: 'EUR' })
    expect(own.toString()).contain('href="/console/keys"')
  })

  it('links from a line to its batch', () => {
    const page = pageOf({ ...REQUEST, batch_id: 'batch_1', batch_line: 1234 }).toString()
    expect(page)
      .contain('?account=a&amp;who=team&amp;batch=batch_1&amp;since=30d')
      .and.match(/line 1.?234/)
    expect(pageOf({ ...REQUEST, batch_id: null }).toString()).not.contain('Batch')
  })

  it('leads to what to do about an error', () => {
    const failed = {
      ...REQUEST,
      status_code: 429,
      error_code: 'rate_limit_exceeded',
      error_message: 'Slow <b>down</b>.',
    }
    expect(pageOf(failed).toString())
      .contain('<a href="/docs/errors/rate_limit_exceeded">')
      .and.contain('A rate or spend limit is reached')
      .and.contain('Slow &lt;b&gt;down&lt;/b&gt;.')
  })
})
