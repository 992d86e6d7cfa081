/** Which accounts the groups of a person lead to. */
import type { ConsoleOidcConfig } from '../config/config.ts'
import type { GroupMember } from '../store/group-members.ts'

type GroupMap = NonNullable<ConsoleOidcConfig['accounts']>['map']

const ROLES = ['member', 'admin', 'owner'] as const

/** One membership per account: the highest role, and the first group with it in the configuration. */
export function membershipsOf(groups: readonly string[], map: GroupMap): readonly GroupMember[] {
  const found = new Map<string, GroupMember>()
  for (const [group, { account, role }] of Object.entries(map)) {
    if (!groups.includes(group)) continue
    const id = account.toLowerCase()
    const other = found.get(id)
    if (other === undefined || ROLES.indexOf(role) > ROLES.indexOf(other.role))
      found.set(id, { account: id, role, group })
  }
  return [...found.values()]
}
