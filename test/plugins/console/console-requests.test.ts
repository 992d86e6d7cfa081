import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import type { AccountRequestFilter } from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'
import plugin from '../../../plugins/console/console-requests/index.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { fakeReports } from '../../support/reports.ts'
import { type Visit, visit } from '../../support/visit.ts'
import { MEMBER, members, sessions } from '../../support/visitors.ts'

const ROW: JsonObject = {
  ...{ id: '01', request_id: 'client_<1>', created_at: '2026-11-21T10:07:33.123456Z', status_code: 429 },
  ...{ error_code: 'rate_limit_exceeded', error_message: 'Slow.', model_requested: 'm', model_resolved: null },
  ...{ input_tokens: 1, output_tokens: 2, ttft_ms: null, total_latency_ms: 3, user_id: 'alice', stall_count: 0 },
}
async function ask(request: Partial<Visit> = {}, config = configOf(MODEL)) {
  const { reports, asked } = fakeReports({
    accountRequests: async () => ({ requests: [ROW], has_more: true, cursor: 'next/1' }),
    accountRequest: async ({ user }, id) => (user === undefined && id === 'client_<1>' ? ROW : undefined),
  })
  const services = { sessions, ownKeys: members, reports, config }
  const answer = await visit(plugin, services, { route: 'console-requests', ...request })
  return { ...answer, asked: asked.map(([, filter]) => filter as AccountRequestFilter) }
}

describe('console-requests', () => {
  it('lists those of the user, with a link to the next page and a stream of news', async () => {
    const { status, page, asked } = await ask({ query: 'status=429' })
    expect(status).equal(200)
    expect(page)
      .contain('href="/console/requests/client_%3C1%3E?account=')
      .and.contain('cursor=next%2F1')
      .and.contain('data-live="/console/live/requests?status=429')
      .and.not.contain('<1>')
    expect(asked[0]).include({ account: ACCOUNT_ID, user: 'alice', status: 429 })
  })

  it('links models and statuses to their requests, of the same members', async () => {
    const { page } = await ask({ query: 'who=team' })
    const list = `href="/console/requests?account=${ACCOUNT_ID}&amp;who=team&amp;since=30d&amp;`
    expect(page).contain(`${list}status=429"`).and.contain(`${list}model=m"`)
    expect((await ask()).page).contain(`href="/console/requests?account=${ACCOUNT_ID}&amp;since=30d&amp;model=m"`)
  })

  it('lists the requests of a session', async () => {
    const { page, asked } = await ask({ query: 'session=0123456789abcdef' })
    expect(asked[0]).include({ session: '0123456789abcdef' })
    expect(page).contain('name="session" size="16" maxlength="16" value="0123456789abcdef"')
    expect(page).match(/session=0123456789abcdef[^"]*cursor=next%2F1/)
  })

  it('lists the requests of a batch, and has a field for it if the gateway has batches', async () => {
    const { page, asked } = await ask({ query: 'batch=batch_1&since=30d' })
    expect(asked[0]).include({ batch: 'batch_1' })
    expect(page).contain('name="batch" size="24" maxlength="64" value="batch_1"')
    expect(page).match(/batch=batch_1[^"]*cursor=next%2F1/)
    expect((await ask({})).page).not.contain('name="batch"')
    expect((await ask({}, configOf(`${MODEL}\nbatches: {}`))).page).contain('name="batch"')
  })

  it('shows requests of all members only to managers of the account', async () => {
    expect((await ask({ query: 'who=team' })).asked[0]).not.property('user')
    const member = await ask({ query: 'who=team', cookie: MEMBER })
    expect(member).include({ status: 404 }).and.deep.include({ asked: [] })
    expect((await ask({ cookie: MEMBER })).asked[0]).include({ user: 'carol' })
    expect((await ask({ query: 'account=another' })).asked).deep.equal([])
  })

  it('streams no news on a page that is not the newest', async () => {
    expect((await ask({ query: 'cursor=x' })).page)
      .contain('>Newest<')
      .and.not.contain('data-live')
  })

  it('makes no query with an invalid filter', async () => {
    const { status, page, asked } = await ask({ query: 'status=teapot' })
    expect({ status, asked }).deep.equal({ status: 422, asked: [] })
    expect(page).contain('three digits').and.contain('value="teapot"').and.contain('id="status-problem"')
    expect(page).not.contain('data-live').and.not.contain('No requests')
  })

  it('shows one, to those who may see it', async () => {
    const request = { route: 'console-request', params: { request_id: 'client_%3C1%3E' } } as const
    expect((await ask(request)).page)
      .contain('rate_limit_exceeded')
      .and.contain('href="/docs/errors/')
    const member = await ask({ ...request, cookie: MEMBER })
    expect(member).include({ status: 404 })
    expect(member.asked[0]).deep.equal({ account: ACCOUNT_ID, user: 'carol' })
    const unknown = await ask({ ...request, params: { request_id: '%E0%A4%A' } })
    expect(unknown).include({ status: 404 })
    expect(unknown.page).contain('<a href="/console/requests">All requests</a>')
  })

  it('streams news until the browser disconnects', async () => {
    const gone = new AbortController()
    const { status, stream, headers } = await ask({ route: 'console-requests-live', signal: gone.signal })
    expect(status).equal(200)
    expect(headers).include({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    gone.abort()
    expect(await text(stream!)).contain('retry:')
  })

  it('requires a session', async () => {
    for (const route of ['console-requests', 'console-request', 'console-requests-live'] as const)
      expect(await ask({ route, cookie: '' }))
        .include({ status: 401 })
        .and.deep.include({ asked: [] })
  })
})
