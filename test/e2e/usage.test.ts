import { expect } from 'chai'
import { type Day, GATEWAY, liveDay, ONE, PRICE, secretOf, TWO, type UsageReport } from '../support/day.ts'
import { usePostgres } from '../support/services.ts'

const TOKENS = ['input_tokens', 'output_tokens', 'cache_read_tokens'] as const

function usage(store: () => string | undefined): void {
  let day: Day
  before(async () => {
    day = await liveDay(store())
  })
  after(() => day?.close())

  const sum = (reports: readonly UsageReport[], member: string) =>
    reports.reduce((total, report) => total + report[`total_${member}`]!, 0)

  it('adds up to what the backend served, to the token, and what that costs', async () => {
    const reports = await Promise.all(['alice', 'bob', 'legacy', 'eve'].map(key => day.usage('me', key)))
    expect({
      requests: sum(reports, 'requests'),
      input: sum(reports, 'input_tokens'),
      output: sum(reports, 'output_tokens'),
      cached: sum(reports, 'cache_read_tokens'),
    }).deep.equal(day.served)
    const { input, output, cached } = day.served
    const microcents = (input - cached) * PRICE.input + cached * PRICE.cached_input + output * PRICE.output
    expect(Math.round(sum(reports, 'estimated_cost_cents') * 1e6)).equal(microcents)
  })

  it('adds up to the records of each endpoint', async () => {
    const users = { [ONE]: ['alice', 'bob'], [TWO]: ['alice', 'eve'] }
    for (const [endpoint, keys] of Object.entries(users)) {
      const reports = await Promise.all(keys.map(key => day.usage('me', key, `period=1d&endpoint=${endpoint}`)))
      // A failure before the first token has no usage.
      const rows = (await day.rows(endpoint)).filter(row => row.input_tokens > 0)
      expect(sum(reports, 'requests'), endpoint).equal(rows.length)
      for (const member of TOKENS) {
        const recorded = rows.reduce((total, row) => total + row[member], 0)
        expect(sum(reports, member), `${endpoint} ${member}`).equal(recorded)
      }
    }
  })

  it('adds up by day and by model to its totals', async () => {
    const report = await day.usage('me', 'alice')
    for (const parts of [report.days, report.models]) {
      for (const member of [...TOKENS, 'requests']) {
        const total = parts.reduce((so, part) => so + Number(part[member]), 0)
        expect(total, member).equal(report[`total_${member}`])
      }
    }
    expect(report.models.map(({ model }) => model)).deep.equal(['m'])
  })

  it('of the team is that of its members on the gateway, including keys without a user', async () => {
    const team = await day.usage('team', 'alice')
    const requests = Object.fromEntries(team.members.map(({ user_id, requests }) => [String(user_id), requests]))
    expect(requests).deep.equal({ 'alice@team.test': 1, bob: 1, null: 1 })
    expect(team).include({ total_input_tokens: 90 + 13 + 17, total_output_tokens: 9 + 2 + 3, total_requests: 3 })
  })

  it('of the team is that of one endpoint on request', async () => {
    const team = await day.usage('team', 'alice', `period=1d&endpoint=${ONE}`)
    expect(team.members.find(({ user_id }) => user_id === 'bob')).include({ input_tokens: 11, requests: 1 })
    const own = await day.usage('me', 'alice', `period=1d&endpoint=${ONE}`)
    expect(team.total_requests).equal(own.total_requests! + 1)
  })

  it('of the team is for its managers, and of serverless accounts', async () => {
    expect((await day.ask('/v1/usage/team?period=1d', 'bob')).status).equal(403)
    expect((await day.ask('/v1/usage/team?period=1d', 'legacy')).status).equal(403)
    expect((await day.ask('/v1/usage/team?period=1d', 'eve')).status).equal(404)
  })

  it('is the same by period and by range, and nothing before anything happened', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const tomorrow = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString())
    const range = await day.usage('me', 'alice', `start_at=${yesterday}&end_at=${tomorrow}`)
    expect(range).deep.equal(await day.usage('me', 'alice', 'period=7d'))
    const before = await day.usage('me', 'alice', 'start_at=2020-01-01&end_at=2020-12-31')
    expect(before).deep.include({ days: [], models: [], total_requests: 0, total_estimated_cost_cents: 0 })
  })

  it('names the parameter that is invalid', async () => {
    const { status, json } = await day.ask('/v1/usage/me?period=1d&start_at=2026-01-01', 'alice')
    expect(status).equal(400)
    expect(json).nested.include({ 'error.code': 'http_400', 'error.param': 'period' })
  })

  it('is served on the gateway as well', async () => {
    const headers = { 'x-api-key': secretOf('bob') }
    const { status, json } = await day.ask('/v1/usage/me?period=1d', undefined, { host: GATEWAY, headers })
    expect(status).equal(200)
    expect(json).deep.equal(await day.usage('me', 'bob'))
  })
}

describe('usage reports', () => {
  describe('on SQLite', () => usage(() => undefined))
  describe('on PostgreSQL', () => usage(usePostgres()))
})
