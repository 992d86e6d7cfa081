/** Judges people by their groups: members appear, change and leave (docs/OIDC.md#members-by-groups). */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { ConsoleSignIn, KnownPerson } from '../oidc/audiences.ts'
import { findAccounts } from '../store/accounts.ts'
import type { Actor } from '../store/audit.ts'
import type { Session } from '../store/database.ts'
import { applyGroups } from '../store/group-members.ts'
import { ownAccounts } from '../store/own-accounts.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { membershipsOf } from './memberships.ts'

export interface JudgeParts {
  readonly run: RunQuery
  readonly config: Pick<Config, 'accounts' | 'console'>
  readonly clock: Clock
  readonly log: Logger
  /** Called after each judgement, to apply changes of keys at once in this process. */
  readonly changed: () => Promise<void>
}

/** The issuer as an actor of the audit log. */
export function issuerActor(host: string): Actor {
  return { name: `issuer ${host}`, address: null }
}

/** Brings the memberships of the user in line with the groups. `host`: of the issuer. */
export async function judge(
  { run, config, clock, log, changed }: JudgeParts,
  host: string,
  user: string,
  groups: readonly string[],
): Promise<void> {
  const { accounts: ofFile } = config
  const map = config.console.oidc?.accounts?.map
  if (map === undefined) return
  await run(async session => {
    const memberships = membershipsOf(groups, map)
    const ids = memberships.map(({ account }) => account)
    const known = new Set([...ofFile, ...(await findAccounts(session, ids))].map(({ id }) => id))
    for (const { account, group } of memberships)
      if (!known.has(account))
        log.warn({ account, group }, 'console.oidc.accounts names an account that does not exist')
    // The file's members and roles have precedence.
    const inFile = new Set(ofFile.filter(({ members }) => members.some(one => one.user === user)).map(({ id }) => id))
    const wanted = memberships.filter(({ account }) => known.has(account))
    await applyGroups(session, { user, wanted, inFile, actor: issuerActor(host), now: clock.now() * 1000 })
  })
  await changed()
}

/** The sign-in, which judges people before they open a session. Unchanged if no groups are mapped. */
export function judgingSignIn(signIn: ConsoleSignIn | null, parts: JudgeParts): ConsoleSignIn | null {
  if (signIn === null || parts.config.console.oidc?.accounts === undefined) return signIn
  return {
    ...signIn,
    async finish(query, sealed) {
      const person = await signIn.finish(query, sealed)
      const user = await parts.run(session => userOf(session, parts.config, person))
      await judge(parts, signIn.host, user, person.judged!.groups)
      return { ...person, names: [user, ...person.names] }
    },
  }
}

/** The first name that has an account; for a new member the last one, which is in lower case. */
async function userOf(session: Session, config: JudgeParts['config'], { names }: KnownPerson): Promise<string> {
  for (const name of names) if ((await ownAccounts(session, config, name)).length > 0) return name
  return names.at(-1)!
}
