/** Operators: their keys, their names in the audit log, and their addresses. */
import type { Config } from '../config/config.ts'
import { type ClientView, Proxies } from '../http/proxies.ts'
import type { Actor } from '../store/audit.ts'
import { createOperatorKey, findOperator, type OperatorKey, revokeOperatorKey } from '../store/operator-keys.ts'
import { OIDC_OPERATOR } from '../store/operator-sessions.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { type AdminContext, audited } from './context.ts'

const MAX_KEY_CHARACTERS = 199

/** The operator with this valid key. A text that cannot be such a key causes no query. */
export async function operatorOf(read: RunQuery, brand: string, secret: string): Promise<OperatorKey | undefined> {
  if (!secret.startsWith(`${brand}_operator_`) || secret.length > MAX_KEY_CHARACTERS) return undefined
  return read(session => findOperator(session, secret))
}

export function actorOf({ name, id }: Pick<OperatorKey, 'name' | 'id'>, address: string | null): Actor {
  return { name: `operator ${name} (${id})`, address }
}

/** An operator who signed in by an issuer, as shown in the audit log. */
export function oidcActor(name: string, address: string | null): Actor {
  return actorOf({ name, id: OIDC_OPERATOR }, address)
}

/** Creates a key of an operator. Only commands do this: the API gives nobody access to itself. `name`: the operator. */
export function issueOperatorKey(
  context: AdminContext,
  name: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  return audited(context, async session => {
    const created = await createOperatorKey(session, context.config.brand, name, context.now)
    return { change: { action: 'operator_key.create', target: created.id, after: { operator: name } }, result: created }
  })
}

/** Returns false if there is no such valid key. */
export function revokeOperatorKeyOf(context: AdminContext, id: string): Promise<boolean> {
  return audited(context, async session => {
    const operator = await revokeOperatorKey(session, id, context.now)
    const change = { action: 'operator_key.revoke', target: id, before: { operator: operator ?? null } }
    return { change: operator === undefined ? undefined : change, result: operator !== undefined }
  })
}

/** By the list of trusted networks, which is the same object while a process runs. */
const views = new WeakMap<readonly string[], ClientView>()

/** How the operators' port sees its clients: behind the proxies in `listen.trusted_proxies`, by their headers. */
export function clientOf({ listen: { trusted_proxies: trusted } }: Pick<Config, 'listen'>): ClientView {
  const known = views.get(trusted)
  if (known !== undefined) return known
  // The operators' port has no TLS.
  const view = new Proxies({ trusted, secure: false })
  views.set(trusted, view)
  return view
}
