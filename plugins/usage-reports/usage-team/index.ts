import {
  type PricedRow,
  priced,
  priceFactors,
  queryReader,
  type Role,
  type StoredMember,
  totalsBy,
  totalsOf,
} from '../../../lib/console.ts'
import { type Config, definePlugin, fail, type JsonObject, type Key, readSchema } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { coveredBy, type PeriodQuery, periodOf } from '../period.ts'
import { scopeOf } from '../scope.ts'

/** A query that schemas/queries/usage-team.json accepts, with its defaults. */
interface Query extends PeriodQuery {
  readonly endpoint?: string
  readonly include_removed: boolean
}

interface TeamMember {
  readonly user: string
  /** null: a former member of an account in the configuration, which does not contain their roles. */
  readonly role: Role | null
  readonly removed: boolean
}

export default definePlugin({
  name: 'usage-team',
  summary: 'Answers GET /v1/usage/team: what each member of the account has used.',
  routes: { route: ['usage-team'] },
  needs: [key],
  after: ['rate-limit'],

  setup(_options, { config, models, reports, clock }) {
    const read = queryReader<Query>(readSchema('queries/usage-team'), 'http_400')
    const configured = new Map(config.accounts.map(({ id, members }) => [id, members]))
    return {
      async onHeaders(exchange) {
        const caller = exchange.get(key)
        const { id } = caller.account
        if (caller.account.kind !== 'serverless') {
          fail('http_404', { problem: 'Team usage is for serverless accounts: this key belongs to another kind.' })
        }
        const members = configured.get(id) ?? []
        const stored = await reports.members(id)
        if (!isManager(caller, teamOf(members, stored, []))) {
          fail('http_403', { problem: 'Only a key of an owner or admin of the account may read team usage.' })
        }
        const { endpoint, include_removed, ...query } = read(exchange.query)
        const asked = periodOf(query, clock.now())
        const used = await reports.usage({
          account_id: id,
          ...(endpoint === undefined ? { surface: 'gateway' } : scopeOf(endpoint, config)),
          ...asked,
        })
        const rows = priced(used.rows, models.all, priceFactors(config, caller.account.plan))
        const byUser = Map.groupBy(rows, row => row.user_id)
        const team = teamOf(
          members,
          stored,
          used.rows.flatMap(({ user_id }) => user_id ?? []),
        )
        const shown = [...team.values()].filter(
          ({ user, removed }) => !removed || (include_removed && byUser.has(user)),
        )
        exchange.reply(200, { ...coveredBy(asked, used), ...report(shown, byUser) })
      },
    }
  },
})

function isManager({ user }: Key, team: ReadonlyMap<string, TeamMember>): boolean {
  const member = user === undefined ? undefined : team.get(user)
  return member !== undefined && !member.removed && (member.role === 'owner' || member.role === 'admin')
}

/** Totals are those of the members shown, without the usage of omitted members. */
function report(team: readonly TeamMember[], byUser: ReadonlyMap<string | null, readonly PricedRow[]>): JsonObject {
  const members = team.map(({ user, role, removed }) => memberOf(user, role, removed, byUser.get(user) ?? []))
  const rowsWithoutUser = byUser.get(null)
  if (rowsWithoutUser !== undefined) members.push(memberOf(null, null, false, rowsWithoutUser))
  const shown = [...team.flatMap(({ user }) => byUser.get(user) ?? []), ...(rowsWithoutUser ?? [])]
  const total = totalsOf(shown)
  return {
    members,
    total_input_tokens: total.input_tokens,
    total_output_tokens: total.output_tokens,
    total_requests: total.requests,
    total_estimated_cost_cents: total.estimated_cost_cents,
  }
}

function memberOf(
  user: string | null,
  role: TeamMember['role'],
  removed: boolean,
  rows: readonly PricedRow[],
): JsonObject {
  const email = user?.includes('@') === true ? user : null
  return { user_id: user, email, role, removed, days: totalsBy(rows, 'date'), ...totalsOf(rows) }
}

/**
 * Members and former members of an account, by user; the configuration takes precedence over the store. `users`: all
 * users with usage. One that is neither configured nor stored is a former member.
 */
function teamOf(
  configured: Config['accounts'][number]['members'],
  stored: readonly StoredMember[],
  users: Iterable<string>,
): ReadonlyMap<string, TeamMember> {
  const team = new Map<string, TeamMember>()
  for (const user of users) team.set(user, { user, role: null, removed: true })
  for (const member of stored) team.set(member.user, member)
  for (const { user, role } of configured) team.set(user, { user, role, removed: false })
  return team
}
