import { expect } from 'chai'
import type { PageReply, PageRequest } from '../../../../lib/admin/pages/page.ts'
import { requestRoute } from '../../../../lib/admin/pages/request.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the latency of a request', () => {
  /** Milliseconds of each segment in the table of the page. */
  const segments = async (request: JsonObject) => {
    const call = async () => ({ account_id: null, ...request })
    const reply = await requestRoute.handle({ params: { id: 'x' }, call } as unknown as PageRequest)
    const rows = textIn((reply as PageReply).body.toString()).matchAll(
      /(Gateway|Queue|First byte|First token|Tokens) (\d+) ms/g,
    )
    return Object.fromEntries(Array.from(rows, ([, name, ms]) => [name, Number(ms)]))
  }

  it('is the sum of its segments', async () => {
    const request = { total_latency_ms: 1000, queue_ms: 100, duration_ms: 850, first_byte_ms: 200, ttft_ms: 400 }
    expect(await segments(request)).deep.equal({
      ...{ Gateway: 50, Queue: 100, 'First byte': 200, 'First token': 50, Tokens: 600 },
    })
  })

  it('is that of the gateway if no backend was called, and has no negative segments', async () => {
    expect(await segments({ total_latency_ms: 7, queue_ms: null, duration_ms: null })).deep.equal({ Gateway: 7 })
    const odd = { total_latency_ms: 10, queue_ms: 0, duration_ms: 12, first_byte_ms: 20, ttft_ms: 30 }
    expect(await segments(odd)).deep.equal({ 'First byte': 10 })
  })
})

describe('the attempts of a request', () => {
  const shown = async (attempt_list: JsonObject[] | null) => {
    const call = async () => ({ account_id: null, attempt_list })
    const reply = await requestRoute.handle({ params: { id: 'x' }, call } as unknown as PageRequest)
    return textIn((reply as PageReply).body.toString())
  }

  it('are a table, and no row of the facts', async () => {
    const text = await shown([
      { backend: 'http://a/v1', reason: 'status 503', tokens: null, prompt_tokens: null, ms: 12 },
      { backend: 'http://b/v1', reason: null, tokens: 1234, prompt_tokens: 5, ms: 800 },
    ])
    expect(text).contain('1 a:80 status 503 – – 12 ms').and.contain('2 b:80 answered 5 1,234 800 ms')
    expect(text).not.contain('attempt_list')
    for (const none of [null, []]) expect(await shown(none)).not.contain('Attempts')
  })
})

describe('the page of a request', () => {
  const pages = usePages()
  const show = async (more: object) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more }
    const response = await pages().gateway.post('/v1/chat/completions', body)
    await response.text()
    const id = response.headers.get('x-request-id')!
    await eventually(async () => (await pages().get(`/requests/${id}`)).status === 200)
    return { id, ...(await pages().get(`/requests/${id}`)) }
  }

  it('shows its latency and all its fields', async () => {
    const { id, text } = await show({ messages: [{ role: 'user', content: 'simulate: first_token=40 tokens=5' }] })
    expect(textIn(text))
      .contain(`Request ${id}`)
      .and.contain('First byte')
      .and.contain('until the backend began to answer')
    expect(text).match(/<svg class="time"[^>]*>(<rect class="part-\d" [^>]*>.*?<\/rect>)+<\/svg>/)
    expect(textIn(text)).contain('test').and.contain('/v1/chat/completions').and.contain('output_tokens 5')
    expect(text).not.contain('What went wrong')
  })

  it('shows the error, the message of the backend, and advice', async () => {
    const { text } = await show({ messages: [{ role: 'user', content: 'simulate: status=500' }] })
    expect(textIn(text)).contain('What went wrong').and.contain('What to do').and.contain('The backend:')
    const { text: refused } = await show({ model: 'no-such' })
    expect(textIn(refused)).contain('What to do')
  })

  it('answers 404 for an unknown request', async () => {
    for (const id of ['req_000000000000', 'x', '%E0%A4%A', '%3Cscript%3E'])
      expect((await pages().get(`/requests/${id}`)).status, id).equal(404)
  })
})
