/**
 * Sessions of operators' pages, and one-time links that open them. A session belongs to a key of an operator and ends
 * with it, or it belongs to a person whom an issuer has verified.
 */
import { randomBytes } from 'node:crypto'
import { parseJson } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { type Session, transact } from './database.ts'
import { isFirstUse } from './first-use.ts'

/** Long enough to paste a link. Short enough to make a link in a terminal's history useless. */
const LINK_MICROS = 10 * 60 * 1_000_000
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

/**
 * Creates a one-time link for the operator with this key and returns its secret. `now`: microseconds since the epoch.
 */
export async function createOperatorLink({ db }: Session, keyId: string, now: number): Promise<string> {
  await db.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  return add(db, KINDS.link, keyId, now + LINK_MICROS)
}

/**
 * Opens a session with a one-time link and returns its secret. undefined: the link was used, has expired, or is
 * unknown.
 */
export async function openByLink(session: Session, link: string, now: number): Promise<string | undefined> {
  // Checked without a transaction first, so that attempts with unknown links do not block other writers.
  if ((await operatorOf(session, KINDS.link, link, now)) === undefined) return undefined
  return transact(session, async ({ db }) => {
    const used = await db
      .deleteFrom('console_sessions')
      .where('sha256', '=', sha256(link))
      .where('kind', '=', KINDS.link)
      .returning('user_id')
      .executeTakeFirst()
    return used && add(db, KINDS.session, used.user_id, now + SESSION_MICROS)
  })
}

/** Opens a session for the operator with this key, which must be valid, and returns its secret. */
export async function openOperatorSession({ db }: Session, keyId: string, now: number): Promise<string> {
  await db.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  return add(db, KINDS.session, keyId, now + SESSION_MICROS)
}

/**
 * Opens a session for an operator whom an issuer has verified and returns its secret. undefined: `once` was used
 * before.
 */
export function openOidcSession(
  session: Session,
  { name, rule }: Pick<Required<SignedIn>, 'name' | 'rule'>,
  once: string,
  now: number,
): Promise<string | undefined> {
  return transact(session, async used => {
    if (!(await isFirstUse(used, once, now))) return undefined
    return add(used.db, KINDS.oidc, JSON.stringify({ name, rule }), now + SESSION_MICROS)
  })
}

/** The operator of the session. undefined: it has ended, or the key has been revoked. */
export async function operatorOfSession(session: Session, secret: string, now: number): Promise<SignedIn | undefined> {
  return (await operatorOf(session, KINDS.session, secret, now)) ?? oidcOperatorOf(session, secret, now)
}

async function oidcOperatorOf({ db }: Session, secret: string, now: number): Promise<SignedIn | undefined> {
  const row = await db
    .selectFrom('console_sessions')
    .select('user_id')
    .where('sha256', '=', sha256(secret))
    .where('kind', '=', KINDS.oidc)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  // Written by openOidcSession().
  return row && { id: OIDC_OPERATOR, ...(parseJson(row.user_id) as { readonly name: string; readonly rule: string }) }
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

async function add(db: Session['db'], kind: string, keyId: string, expires: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('console_sessions')
    .values({ sha256: sha256(secret), kind, user_id: keyId, expires_at: expires })
    .execute()
  return secret
}
