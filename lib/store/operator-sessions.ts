/**
 * Sessions of operators' pages, and the one-time links that open them. A session belongs to a key of an operator and
 * ends with it, or to a person whom an issuer has verified.
 */
import { parseJson } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { type Session, transact } from './database.ts'
import { addRow, isFirstUse, LINK_MICROS, takeRow, userOf } from './session-rows.ts'

/** A working day. */
const SESSION_MICROS = 8 * 3600 * 1_000_000
export const OPERATOR_SESSION_SECONDS = SESSION_MICROS / 1_000_000

/** An operator with a valid key, or one whom an issuer has verified. */
export interface SignedIn {
  /** Id of the key, or OIDC_OPERATOR. */
  readonly id: string
  readonly name: string
  /** Without a key: the entry of the configuration that made the person an operator. It may have been removed. */
  readonly rule?: string
}

/** Replaces the id of a key if an issuer has verified the operator. */
export const OIDC_OPERATOR = 'oidc'

/** Kinds of rows in the table that also has the sessions of the console. */
const KINDS = { link: 'operator_link', session: 'operator_session', oidc: 'operator_oidc' } as const

/** Creates a one-time link for the operator with this key and returns its secret. `now`: microseconds (epoch). */
export function createOperatorLink(session: Session, keyId: string, now: number): Promise<string> {
  return addRow(session, KINDS.link, keyId, now, LINK_MICROS)
}

/** Opens a session with a one-time link and returns its secret. undefined: the link is used, expired, or unknown. */
export async function openByLink(session: Session, link: string, now: number): Promise<string | undefined> {
  // Checked without a transaction first, so that attempts with unknown links do not block other writers.
  if ((await operatorOf(session, KINDS.link, link, now)) === undefined) return undefined
  return transact(session, async transaction => {
    const id = await takeRow(transaction, KINDS.link, link)
    return id === undefined ? undefined : addRow(transaction, KINDS.session, id, now, SESSION_MICROS)
  })
}

/** Opens a session for the operator with this key, which must be valid, and returns its secret. */
export function openOperatorSession(session: Session, keyId: string, now: number): Promise<string> {
  return addRow(session, KINDS.session, keyId, now, SESSION_MICROS)
}

/** Opens a session for an operator whom an issuer has verified. undefined: `once` was used before. */
export function openOidcSession(
  session: Session,
  { name, rule }: Pick<Required<SignedIn>, 'name' | 'rule'>,
  once: string,
  now: number,
): Promise<string | undefined> {
  return transact(session, async transaction => {
    if (!(await isFirstUse(transaction, once, now))) return undefined
    return addRow(transaction, KINDS.oidc, JSON.stringify({ name, rule }), now, SESSION_MICROS)
  })
}

/** The operator of the session. undefined: it has ended, or the key has been revoked. */
export async function operatorOfSession(session: Session, secret: string, now: number): Promise<SignedIn | undefined> {
  const operator = await operatorOf(session, KINDS.session, secret, now)
  if (operator !== undefined) return operator
  const person = await userOf(session, KINDS.oidc, secret, now)
  if (person === undefined) return undefined
  // Written by openOidcSession().
  return { id: OIDC_OPERATOR, ...(parseJson(person) as { readonly name: string; readonly rule: string }) }
}

/** The operator whom this link would sign in. undefined: it was used, has expired, or is unknown. */
export function operatorOfLink(session: Session, link: string, now: number): Promise<SignedIn | undefined> {
  return operatorOf(session, KINDS.link, link, now)
}

export async function closeOperatorSession({ db }: Session, secret: string): Promise<void> {
  await db
    .deleteFrom('console_sessions')
    .where('sha256', '=', sha256(secret))
    .where('kind', 'in', [KINDS.session, KINDS.oidc])
    .execute()
}

function operatorOf({ db }: Session, kind: string, secret: string, now: number): Promise<SignedIn | undefined> {
  return db
    .selectFrom('console_sessions as s')
    .innerJoin('operator_keys as k', 'k.id', 's.user_id')
    .select(['k.id', 'k.name'])
    .where('s.sha256', '=', sha256(secret))
    .where('s.kind', '=', kind)
    .where('s.expires_at', '>', now)
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst()
}
