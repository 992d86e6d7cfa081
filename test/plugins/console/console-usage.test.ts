import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import type { OwnAlerts } from '../../../lib/console.ts'
import type { UsageRow } from '../../../lib/store/queries/usage.ts'
import plugin from '../../../plugins/console/console-usage/index.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { fakeReports } from '../../support/reports.ts'
import { type Visit, visit } from '../../support/visit.ts'
import { MEMBER, members, sessions } from '../../support/visitors.ts'

const today = new Date().toISOString().slice(0, 10)
const row = (user_id: string, model: string): UsageRow => {
  return {
    user_id,
    model,
    date: today,
    requests: 3,
    input_tokens: 1_000_000,
    output_tokens: 500,
    cache_read_tokens: 7,
    units: 0,
    batch: 0,
  }
}
const config = configOf(`${MODEL}\nplans: { team: { requests: { limit: 1000, window: 1d } } }\n`)
const catalog = new ModelCatalog([{ ...config.models[0]!, pricing: { input: 150, cached_input: 150, output: 0 } }])

async function ask(request: Partial<Visit> = {}, ownAlerts: OwnAlerts | null = null) {
  const rows = [row('alice', 'm'), row('=carol', '<m2>')]
  const { reports, asked } = fakeReports({
    usage: async ({ from, to }) => ({ rows, from, to }),
    booked: async () => -125_000_000,
  })
  const services = { sessions, ownKeys: members, ownAlerts, reports, config, models: catalog }
  const answer = await visit(plugin, services, { route: 'console-usage', ...request })
  return { ...answer, asked: asked.filter(([name]) => name === 'usage').map(([, filter]) => filter) }
}

describe('console-usage', () => {
  it('shows sums by day and model, their cost, and the remaining credit', async () => {
    const { status, page, headers } = await ask()
    expect(status).equal(200)
    expect(page).contain('2,000,000').and.contain('&lt;m2&gt;').and.not.contain('<m2>')
    expect(page)
      .contain('<dt>Cost</dt><dd><a href="#models"><span title="1.50 USD">1.50 <')
      .and.contain('<dt>Balance</dt><dd><span title="3.75 USD">3.75 <')
    expect(page).contain('<dt>Quota left</dt><dd>1,000').and.contain('data-plot=').and.contain('/plot.js"')
    expect(headers['cache-control']).equal('no-store')
  })

  it('links to the alerts of the account if the console has them', async () => {
    expect((await ask()).page).not.contain('/console/alerts')
    expect((await ask({}, {} as OwnAlerts)).page).contain('href="/console/alerts?subject=account:')
  })

  it('shows the usage of the user, and that of all members to managers of the account', async () => {
    expect((await ask()).asked[0]).include({ account_id: ACCOUNT_ID, user_id: 'alice' })
    const team = await ask({ query: 'who=team&period=7d' })
    expect(team.asked[0]).include({ account_id: ACCOUNT_ID }).and.not.property('user_id')
    expect(team.page).contain('Usage by member')
    const member = await ask({ query: 'who=team', cookie: MEMBER })
    expect(member).include({ status: 404 })
    expect(member.asked).deep.equal([])
    expect((await ask({ query: 'account=another' })).status).equal(404)
  })

  it('sorts its tables by links in their heads, and refuses other columns', async () => {
    const { page } = await ask({ query: 'who=team&sort=member&order=desc' })
    expect(page).match(
      /aria-sort="descending"><a href="[^"]*who=team&amp;sort=member&amp;order=asc">Member<.*alice.*=carol/s,
    )
    const models = await ask({ query: 'sort=model' })
    expect(models.page).match(/>&lt;m2&gt;<.*>m</s)
    const { error } = await ask({ query: 'sort=colour' })
    expect(error?.status).equal(400)
    expect(error?.message).contain("'sort' must be of day, model, member, requests,")
  })

  it('is a file for spreadsheets without formulas', async () => {
    const { status, page, headers } = await ask({ route: 'console-usage-csv', query: 'who=team' })
    expect(status).equal(200)
    const [head, first, second] = page.split('\r\n')
    expect(head).equal(
      '\ufeffdate,user,model,requests,input_tokens,cache_read_tokens,output_tokens,estimated_cost_cents (USD)',
    )
    expect(first).equal(`${today},alice,m,3,1000000,7,500,150`)
    expect(second).match(/,'=carol,<m2>,/)
    expect(headers['content-disposition']).match(/^attachment; filename="usage-[\d-]+\.csv"$/)
    expect(headers['cache-control']).equal('no-store')
  })

  it('requires a session', async () => {
    for (const route of ['console-usage', 'console-usage-csv'] as const)
      expect(await ask({ route, cookie: '' }))
        .include({ status: 401 })
        .and.deep.include({ asked: [] })
  })
})
