import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import type { StoredMember } from '../../../lib/console.ts'
import type { Config, Key } from '../../../lib/plugin.ts'
import type { UsageRow } from '../../../lib/store/queries/usage.ts'
import { play } from '../../../lib/testing.ts'
import { key } from '../../../plugins/slots.ts'
import plugin from '../../../plugins/usage-reports/usage-team/index.ts'
import { ManualClock } from '../../support/clock.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'

const clock = new ManualClock()

const config = {
  plans: {},
  hosts: { gateway: null, api: null },
  accounts: [
    {
      id: ACCOUNT_ID,
      members: [
        { user: 'alice@acme.test', role: 'owner' },
        { user: 'bob', role: 'member' },
      ],
    },
  ],
} as unknown as Config
const models = new ModelCatalog([
  { id: 'a', aliases: [], pricing: { input: 10, cached_input: 2, output: 40 } },
] as never)

const stored: readonly StoredMember[] = [
  { user: 'carol', role: 'admin', removed: false },
  { user: 'dave', role: 'member', removed: true },
  { user: 'erin', role: 'member', removed: true },
  // The configuration has precedence: bob is a member there.
  { user: 'bob', role: 'owner', removed: true },
]

const row = (user_id: string | null, date = '2026-11-21'): UsageRow => ({
  user_id,
  date,
  model: 'a',
  requests: 1,
  input_tokens: 1000,
  output_tokens: 100,
  cache_read_tokens: 400,
  units: 0,
  batch: 0,
})
const rows = [row('alice@acme.test', '2026-11-20'), row('alice@acme.test'), row('dave'), row('frank'), row(null)]

interface Member {
  readonly user_id: string | null
  readonly days: readonly object[]
}

const ask = async (query: string, caller: Key = keyOf(), widened = 0) => {
  const { reports, asked } = fakeReports({
    usage: async ({ from, to }) => ({ rows, from, to: to + widened }),
    members: async () => stored,
  })
  const services = { reports, clock, config, models }
  const played = await play(plugin, { given: [[key, caller]], query, services })
  const body = (played.reply?.body ?? {}) as Record<string, unknown>
  const members = new Map((body.members as readonly Member[] | undefined)?.map(member => [member.user_id, member]))
  return { ...played, asked, body, members }
}

describe('usage-team', () => {
  it('has its period if it differs from the requested one', async () => {
    const range = 'start_at=2026-11-21T10:00:00Z&end_at=2026-11-21T11:20:00Z'
    const { body } = await ask(range, undefined, 2_400_000_000)
    expect(body).include({ from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T12:00:00.000Z' })
    expect((await ask(range)).body).not.have.any.keys('from', 'to')
  })

  it('answers with every member, what each used by day, and totals', async () => {
    const { reply, members, body } = await ask('period=7d')
    expect(reply).include({ status: 200 })
    const once = { input_tokens: 1000, output_tokens: 100, cache_read_tokens: 400, requests: 1 }
    const cost = { estimated_cost_cents: 0.0108 }
    expect(members.get('alice@acme.test')).deep.equal({
      user_id: 'alice@acme.test',
      email: 'alice@acme.test',
      role: 'owner',
      removed: false,
      days: [
        { date: '2026-11-20', ...once, ...cost },
        { date: '2026-11-21', ...once, ...cost },
      ],
      input_tokens: 2000,
      output_tokens: 200,
      cache_read_tokens: 800,
      requests: 2,
      estimated_cost_cents: 0.0216,
    })
    expect(members.get('bob')).include({ email: null, role: 'member', removed: false, requests: 0 })
    expect(members.get('carol')).include({ role: 'admin', removed: false, requests: 0 })
    expect(members.get('carol')!.days).deep.equal([])
    const { members: _, ...totals } = body
    expect(totals).deep.equal({
      total_input_tokens: 5000,
      total_output_tokens: 500,
      total_requests: 5,
      total_estimated_cost_cents: 0.054,
    })
  })

  it('keeps former members with usage, and keys without a user, in the account', async () => {
    const { members } = await ask('period=7d')
    expect(members.get('dave')).include({ role: 'member', removed: true, requests: 1 })
    expect(members.get('frank')).include({ role: null, removed: true, requests: 1 })
    expect(members.has('erin')).equal(false)
    expect(members.get(null)).include({ user_id: null, email: null, role: null, removed: false, requests: 1 })
  })

  it('omits former members and their usage on request', async () => {
    const { members, body } = await ask('period=7d&include_removed=false')
    expect([...members.keys()]).have.members(['alice@acme.test', 'bob', 'carol', null])
    expect(body).include({ total_requests: 3, total_input_tokens: 3000 })
  })

  it('is about the serverless gateway, or about one endpoint', async () => {
    const asked = async (query: string) => (await ask(query)).asked.find(([name]) => name === 'usage')![1]
    expect(await asked('period=7d'))
      .include({ account_id: ACCOUNT_ID, surface: 'gateway' })
      .and.not.property('user_id')
    expect(await asked('period=7d&endpoint=A.test'))
      .include({ endpoint: 'a.test' })
      .and.not.property('surface')
  })

  it('is for owners and admins, by the configuration or the store', async () => {
    expect((await ask('period=7d', keyOf({}, { user: 'carol' }))).reply).include({ status: 200 })
    for (const user of ['bob', 'dave', 'frank', 'nobody', undefined]) {
      const { error, asked } = await ask('period=7d', keyOf({}, { user }))
      expect(error, user).include({ code: 'http_403', status: 403 })
      expect(asked.map(([name]) => name)).deep.equal(['members'])
    }
  })

  it('does not exist for accounts that are not serverless', async () => {
    for (const kind of ['enterprise', 'dedicated'] as const) {
      const { error, asked } = await ask('period=7d', keyOf({ kind }))
      expect(error, kind).include({ code: 'http_404', status: 404 })
      expect(asked).deep.equal([])
    }
  })

  it('refuses an invalid time, and the parameters of the other report', async () => {
    expect((await ask('')).error).include({ code: 'http_400', status: 400 })
    expect((await ask('period=7d&include_removed=yes')).error).include({ code: 'http_400' })
    expect((await ask(`period=7d&pass_account_id=${ACCOUNT_ID}`)).error).include({ code: 'unsupported_parameter' })
  })
})
