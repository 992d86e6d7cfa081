import type { AccountConfig } from '../config/config.ts'
import type { Role, StoredMember } from '../store/accounts.ts'

export interface TeamMember {
  readonly user: string
  /** null: was a member of an account in the configuration, which does not say what former members were. */
  readonly role: Role | null
  readonly removed: boolean
}

/** Who has the account now, and had it: by the configuration, by the store, and by usage that nobody else explains. */
export function teamOf(
  configured: AccountConfig['members'],
  stored: readonly StoredMember[],
  users: Iterable<string>,
): ReadonlyMap<string, TeamMember> {
  const team = new Map<string, TeamMember>()
  for (const user of users) team.set(user, { user, role: null, removed: true })
  for (const member of stored) team.set(member.user, member)
  for (const { user, role } of configured) team.set(user, { user, role, removed: false })
  return team
}
