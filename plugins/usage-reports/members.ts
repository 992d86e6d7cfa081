import type { Role, StoredMember } from '../../lib/console.ts'
import type { Config } from '../../lib/plugin.ts'

export interface TeamMember {
  readonly user: string
  /** null: a former member of an account in the configuration, which does not keep the roles of former members. */
  readonly role: Role | null
  readonly removed: boolean
}

/**
 * Members and former members of an account, by user. `users`: all users with usage on it; one who is neither
 * configured nor stored is a former member. The configuration takes precedence over the store.
 */
export function teamOf(
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
