import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { openStore } from '../../../../lib/store/store.ts'
import { ACCOUNT, eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'

describe('the page of requests', () => {
  const pages = usePages()
  const ids: string[] = []
  const table = async (query: string) => {
    const { text, status } = await pages().get(`/requests?${query}`)
    expect(status, query).equal(200)
    return text.includes('<tbody>') ? text.split('<tbody>')[1]!.split('</tbody>')[0]! : ''
  }

  before(async () => {
    for (const more of [{}, { model: 'no-such' }, { temperature: 9 }]) {
      const body = { model: 'm', messages: [{ role: 'user', content: 'secret words' }], ...more }
      ids.push((await pages().gateway.post('/v1/chat/completions', body)).headers.get('x-request-id')!)
    }
    await eventually(async () => {
      const rows = await table('')
      return ids.every(id => rows.includes(id))
    })
  })

  it('lists requests, newest first, with their account and without content', async () => {
    const rows = await table('')
    expect(rows.indexOf(ids[2]!)).below(rows.indexOf(ids[0]!))
    expect(textIn(rows)).match(/test m :\d+ /)
    expect(rows).not.contain('secret words')
  })

  it('filters by account, model, backend, status and latency', async () => {
    const found = async (query: string) => {
      const rows = await table(query)
      return ids.map(id => rows.includes(id))
    }
    expect(await found(`account=${ACCOUNT}`)).deep.equal([true, true, true])
    expect(await found('account=0d7f5c5e-6d4c-4a53-9f0e-2f5d2b6f1a09')).deep.equal([false, false, false])
    expect(await found('model=no-such')).deep.equal([false, true, false])
    expect(await found('backend=127.0.0.1')).deep.equal([true, false, false])
    expect(await found('status=errors')).deep.equal([false, true, true])
    expect(await found('status=404')).deep.equal([false, true, false])
    expect(await found('status=4xx')).deep.equal([false, true, true])
    expect(await found('status=5xx')).deep.equal([false, false, false])
    expect(await found('account=test')).deep.equal([true, true, true])
    expect(await found(`around=${new Date().toISOString()}`)).deep.equal([true, true, true])
    expect(await found('around=2026-01-01T00:00:00Z')).deep.equal([false, false, false])
    expect(await found('slow=60000')).deep.equal([false, false, false])
    expect(await found('since=1&account=&model=&backend=&status=&slow=')).deep.equal([true, true, true])
  })

  it('links from a request to those of its session', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    const id = await pages().gateway.post('/v1/chat/completions', body, { headers: { 'x-session-id': 'of alice' } })
    const shown = id.headers.get('x-request-id')!
    await eventually(async () => (await table('')).includes(shown))
    const { text } = await pages().get(`/requests/${shown}`)
    const [, query = ''] = /href="\/requests\?([^"]*session=[0-9a-f]{16}[^"]*)"/.exec(text) ?? []
    const rows = await table(query.replaceAll('&amp;', '&'))
    expect([shown, ...ids].map(one => rows.includes(one))).deep.equal([true, false, false, false])
    expect(text).not.contain('of alice')
  })

  it('shows the requests of a batch, of any age', async () => {
    const { text } = await pages().get('/requests?batch=batch_1')
    expect(text).contain('name="batch" value="batch_1"').and.contain('<option value="" selected>any time</option>')
    expect((await pages().get('/requests')).text).not.contain('name="batch"')
    const created_at = Date.now() * 1000 - 3 * 86_400_000_000
    const line = makeRecord({ created_at, batch_id: 'batch_1', batch_line: 7, surface: 'batch', endpoint: null })
    const path = join(pages().gateway.dir, 'store.db')
    const store = await openStore(`sqlite:${path}`, { log: pino({ level: 'silent' }) })
    await insertRecords(store, [line])
    await store.close()
    expect(await table('batch=batch_1')).contain(line.id)
    expect(await table('batch=batch_1&since=24')).not.contain(line.id)
    expect((await pages().get(`/requests/${line.id}`)).text).contain('href="/requests?batch=batch_1"')
  })

  it('keeps the chosen filters', async () => {
    const { text } = await pages().get('/requests?model=m&since=168&backend=%22%3E%3Cb%3E')
    expect(text).contain('<option value="m" selected>').and.contain('<option value="168" selected>')
    expect(text).contain('value="&quot;&gt;&lt;b&gt;"')
  })

  it('refuses a wrong filter with its name', async () => {
    const { status, text } = await pages().get('/requests?status=many')
    expect(status).equal(422)
    expect(textIn(text)).match(/'Status' must be a whole number/)
  })

  it('redirects from an id to its request', async () => {
    const { text } = await pages().get(`/requests?id=%20${ids[0]}%20`)
    expect(text).contain(`<h1>Request ${ids[0]}</h1>`)
  })

  it('has pages without gaps', async () => {
    for (let i = 0; i < 55; i++) await pages().gateway.post('/v1/chat/completions', { model: 'no-such', messages: [] })
    let path: string | undefined = '/requests?model=no-such'
    const seen: string[] = []
    await eventually(async () => (await table('model=no-such')).split('<tr>').length === 51)
    await eventually(async () => {
      seen.length = 0
      for (path = '/requests?model=no-such'; path !== undefined; ) {
        const { text } = await pages().get(path)
        seen.push(...[...text.matchAll(/href="\/requests\/([0-9a-f-]{36})"/g)].map(([, id]) => id!))
        path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      }
      return seen.length === 56
    })
    expect(new Set(seen).size).equal(56)
  })
})
