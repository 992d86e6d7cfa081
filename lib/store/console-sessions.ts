/**
 * One-time links to the console, and its sessions (docs/plugins/session.md). Sign-ins and sign-outs are in the audit
 * log.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/sha256.ts'
import { appendAudit, consoleActor } from './audit.ts'
import { type Session, transact } from './database.ts'
import { isFirstUse } from './first-use.ts'
import type { RunQuery } from './query-runner.ts'

/** Long enough to paste a link. Short enough to make a link in a terminal's history useless. */
const LINK_MICROS = 10 * 60 * 1_000_000
const SESSION_MICROS = 12 * 3600 * 1_000_000

/** All methods reject with 503 internal_error if the store does not answer. */
export interface Sessions {
  /** Opens a session with a one-time link. undefined: the link was used, has expired, or is unknown. */
  open(link: string): Promise<OpenedSession | undefined>
  /**
   * Opens a session for a user whom an issuer has verified. `once`: secret of the sign-in. undefined: it was used
   * before.
   */
  start(user: string, once: string): Promise<OpenedSession | undefined>
  /** The user of the session. undefined: the session has expired or is unknown. */
  userOf(secret: string): Promise<string | undefined>
  /** Ends a session. Does nothing if there is none. */
  close(secret: string): Promise<void>
}

interface OpenedSession {
  readonly secret: string
  readonly user: string
  /** Lifetime of the session. */
  readonly seconds: number
}

export function storeSessions(run: RunQuery, clock: Clock): Sessions {
  const now = () => clock.now() * 1000
  return {
    open: link => run(store => openSession(store, link, now())),
    start: (user, once) => run(store => startOnce(store, user, once, now())),
    userOf: secret => run(store => userOf(store, 'session', secret, now())),
    close: secret => run(store => closeSession(store, secret, now())),
  }
}

/** Path of the one-time link, and the query parameter with its secret. */
export const LOGIN_PATH = '/console/login'
export const LOGIN_PARAMETER = 'token'

/** The name of the session's cookie, which contains the brand. */
export function cookieName(brand: string): string {
  return `${brand}_session`
}

/** Creates a one-time link and returns its secret, 256 random bits. `now`: microseconds since the epoch. */
export async function createLink({ db }: Session, user: string, now: number): Promise<string> {
  await db.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  const link = newSecret()
  await db
    .insertInto('console_sessions')
    .values({ sha256: sha256(link), kind: 'link', user_id: user, expires_at: now + LINK_MICROS })
    .execute()
  return link
}

/** Opens a session with a one-time link. undefined: the link was used, has expired, or is unknown. */
async function openSession(session: Session, link: string, now: number): Promise<OpenedSession | undefined> {
  // Checked without a transaction first, so that attempts with unknown links do not block other writers.
  if ((await userOf(session, 'link', link, now)) === undefined) return undefined
  return transact(session, async transaction => {
    const used = await transaction.db
      .deleteFrom('console_sessions')
      .where('sha256', '=', sha256(link))
      .returning('user_id')
      .executeTakeFirst()
    return used && startSession(transaction, used.user_id, 'link', now)
  })
}

/** Opens a session for an authenticated user. `by`: the way of authentication, for the audit log. */
function startSession(session: Session, user: string, by: string, now: number): Promise<OpenedSession> {
  return transact(session, async transaction => {
    const secret = newSecret()
    const expires_at = now + SESSION_MICROS
    const row = { sha256: sha256(secret), kind: 'session', user_id: user, expires_at }
    await transaction.db.insertInto('console_sessions').values(row).execute()
    await appendAudit(transaction, consoleActor(user), { action: 'session.open', target: user, after: { by } }, now)
    return { secret, user, seconds: SESSION_MICROS / 1_000_000 }
  })
}

/** Opens a session for a user whom an issuer has verified. undefined: `once` was used before. */
function startOnce(session: Session, user: string, once: string, now: number): Promise<OpenedSession | undefined> {
  return transact(session, async transaction =>
    (await isFirstUse(transaction, once, now)) ? startSession(transaction, user, 'oidc', now) : undefined,
  )
}

/** Ends a session. Does not affect links. */
function closeSession(session: Session, secret: string, now: number): Promise<void> {
  return transact(session, async transaction => {
    const closed = await transaction.db
      .deleteFrom('console_sessions')
      .where('sha256', '=', sha256(secret))
      .where('kind', '=', 'session')
      .returning('user_id')
      .executeTakeFirst()
    if (closed === undefined) return
    const { user_id: user } = closed
    await appendAudit(transaction, consoleActor(user), { action: 'session.close', target: user }, now)
  })
}

async function userOf(
  { db }: Session,
  kind: 'link' | 'session',
  secret: string,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('console_sessions')
    .select('user_id')
    .where('sha256', '=', sha256(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/** Whether the user is a current member of any account in the store. */
export async function isStoredMember({ db }: Session, user: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('user_id')
    .where('user_id', '=', user)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
