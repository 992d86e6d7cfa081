/** Members of a client's body that engines read as they are (docs/ENGINES.md#members-for-the-engine). */
import { type BackendProfile, PASSTHROUGH_SETS } from './profile.ts'

const KWARGS = 'chat_template_kwargs.'

/** Names with the named sets in place of their names. */
function expandSets(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap(name => PASSTHROUGH_SETS[name] ?? [name]))]
}

/** The names, sets expanded, that all profiles know. */
export function knownToAll(
  names: readonly string[],
  profiles: readonly Pick<BackendProfile, 'passthrough_members'>[],
): readonly string[] {
  return expandSets(names).filter(name =>
    profiles.every(
      ({ passthrough_members: known }) =>
        known.includes(name) || (name.startsWith(KWARGS) && known.includes(`${KWARGS}*`)),
    ),
  )
}
