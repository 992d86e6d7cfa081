/** One-time links that open a session of the console or of the operators' pages. */
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

/** A link for a user. The caller checks that the user exists. `base`: the URL at which browsers reach the gateway. */
export async function userLink(store: Store, user: string, base: string): Promise<string> {
  const link = new URL(LOGIN_PATH, base)
  link.searchParams.set(LOGIN_PARAMETER, await createLink(store, user, systemClock.micros()))
  return link.href
}

/** A link for the newest valid key of the operator. Throws CommandError if no operator has this name. */
export async function operatorLink(store: Store, name: string, base: string): Promise<string> {
  const valid = (await listOperatorKeys(store)).filter(({ revoked_at }) => revoked_at === null)
  const key = valid.findLast(one => one.name === name)
  if (key === undefined) {
    const names = valid.map(one => one.name)
    const hint = suggestion(name, names) || ': `sluiceway keys create --operator NAME` creates one'
    throw new CommandError(`there is no operator '${name}'${hint}`)
  }
  const link = new URL(SIGN_IN_PATH, base)
  link.searchParams.set(LOGIN_PARAMETER, await createOperatorLink(store, key.id, systemClock.micros()))
  return link.href
}

/** The links of the demo. `operators`: null if the operators' pages are off. */
export interface FirstLinks {
  readonly console: string
  readonly operators: string | null
}

/** The name of the operator that the demo creates. */
const DEMO_OPERATOR = 'demo'

/** Links for the person who starts the demo. undefined: the store is in memory, so a link would be lost. */
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
    const hasOperator = keys.some(({ name, revoked_at }) => name === DEMO_OPERATOR && revoked_at === null)
    // The secret is not shown: one-time links are the only way to sign in.
    if (!hasOperator) await issueOperatorKey(contextOf(config, store), DEMO_OPERATOR)
    return { console, operators: await operatorLink(store, DEMO_OPERATOR, reachable(admin)) }
  })
}
