/** Keys of operators. They are made by commands alone: who has the API may not give it to others. */
import type { Actor } from '../store/audit.ts'
import { createOperatorKey, findOperator, type OperatorKey, revokeOperatorKey } from '../store/operator-keys.ts'
import { OIDC_OPERATOR } from '../store/operator-sessions.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { audited, type Desk } from './desk.ts'

/** The operator with this valid key. What cannot be such a key costs no query. */
export async function operatorOf(read: RunQuery, brand: string, secret: string): Promise<OperatorKey | undefined> {
  if (!secret.startsWith(`${brand}_operator_`) || secret.length >= 200) return undefined
  return read(session => findOperator(session, secret))
}

/** The operator as the audit log shows it. */
export function actorOf({ name, id }: Pick<OperatorKey, 'name' | 'id'>, address: string | null): Actor {
  return { name: `operator ${name} (${id})`, address }
}

/** An operator whom an issuer vouches for, as the audit log shows them. */
export function oidcActor(name: string, address: string | null): Actor {
  return actorOf({ name, id: OIDC_OPERATOR }, address)
}

/** Creates a key for the operator's API. `name`: the operator, as the audit log shows it. */
export function issueOperatorKey(desk: Desk, name: string): Promise<{ readonly id: string; readonly secret: string }> {
  return audited(desk, async session => {
    const created = await createOperatorKey(session, desk.config.brand, name, desk.now)
    return { change: { action: 'operator_key.create', target: created.id, after: { operator: name } }, result: created }
  })
}

/** False: there is no such valid key. */
export function revokeOperatorKeyOf(desk: Desk, id: string): Promise<boolean> {
  return audited(desk, async session => {
    const operator = await revokeOperatorKey(session, id, desk.now)
    const change = { action: 'operator_key.revoke', target: id, before: { operator: operator ?? null } }
    return { change: operator === undefined ? undefined : change, result: operator !== undefined }
  })
}
