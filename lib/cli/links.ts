/** One-time links to the pages for customers and for operators. */
import { issueOperatorKey } from '../admin/operators.ts'
import { SIGN_IN_PATH } from '../admin/pages/visitor.ts'
import { systemClock } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import type { Running } from '../process/gateway.ts'
import { createLink, LOGIN_PARAMETER, LOGIN_PATH } from '../store/console-sessions.ts'
import { listOperatorKeys } from '../store/operator-keys.ts'
import { createOperatorLink } from '../store/operator-sessions.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../text/nearest.ts'
import { CommandError } from './command.ts'
import { reachable } from './output.ts'
import { contextOf, withStore } from './store.ts'

/** A link for a user whom the caller knows. `base`: where browsers reach the gateway. */
export async function userLink(store: Store, user: string, base: string): Promise<string> {
  const link = new URL(LOGIN_PATH, base)
  link.searchParams.set(LOGIN_PARAMETER, await createLink(store, user, systemClock.micros()))
  return link.href
}

/** Of several keys of the operator the newest counts. Throws CommandError where there is no such operator. */
export async function operatorLink(store: Store, name: string, base: string): Promise<string> {
  const valid = (await listOperatorKeys(store)).filter(({ revoked_at }) => revoked_at === null)
  const key = valid.findLast(one => one.name === name)
  if (key === undefined) {
    const hint = suggestion(
      name,
      valid.map(one => one.name),
    )
    throw new CommandError(
      `there is no operator '${name}'${hint || ': `sluiceway keys create --operator NAME` makes one'}`,
    )
  }
  const link = new URL(SIGN_IN_PATH, base)
  link.searchParams.set(LOGIN_PARAMETER, await createOperatorLink(store, key.id, systemClock.micros()))
  return link.href
}

/** Links of a new gateway, of which the operators' is null where they have no pages. */
export interface FirstLinks {
  readonly console: string
  readonly operators: string | null
}

/** The operator that the demo makes. */
const DEMO_OPERATOR = 'demo'

/** One-time links for the user who has started the demo. undefined: the store takes none, because it is in memory. */
export function firstLinks(
  { url, adminUrl: admin }: Pick<Running, 'url' | 'adminUrl'>,
  config: Config,
): Promise<FirstLinks | undefined> {
  const user = config.accounts[0]?.members[0]?.user
  if (user === undefined || config.store === 'sqlite::memory:') return Promise.resolve(undefined)
  return withStore(config, async store => {
    const console = await userLink(store, user, reachable(url))
    if (admin === null || config.admin?.api !== true) return { console, operators: null }
    const keys = await listOperatorKeys(store)
    const isThere = keys.some(({ name, revoked_at }) => name === DEMO_OPERATOR && revoked_at === null)
    // Its secret is not shown: one-time links are the only way to sign in.
    if (!isThere) await issueOperatorKey(contextOf(config, store), DEMO_OPERATOR)
    return { console, operators: await operatorLink(store, DEMO_OPERATOR, reachable(admin)) }
  })
}
