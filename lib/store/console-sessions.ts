/** One-time links to the console, and its sessions (docs/plugins/session.md). Sign-ins and sign-outs are audited. */
import type { Clock } from '../base/clock.ts'
import { appendAudit, consoleActor } from './audit.ts'
import { type Session, transact } from './database.ts'
import { JUDGE_MICROS } from './judged-sessions.ts'
import type { RunQuery } from './query-runner.ts'
import { addRow, isFirstUse, LINK_MICROS, takeRow, userOf } from './session-rows.ts'

const SESSION_MICROS = 12 * 3600 * 1_000_000

/** All methods reject with 503 internal_error if the store does not answer. */
export interface Sessions {
  /** Opens a session with a one-time link. undefined: the link was used, has expired, or is unknown. */
  open(link: string): Promise<OpenedSession | undefined>
  /** Opens a session for a user whom an issuer has verified. undefined: the sign-in's secret `once` was used before. */
  start(user: string, once: string, judged?: JudgedSignIn): Promise<OpenedSession | undefined>
  /** The user of the session. undefined: the session has expired or is unknown. */
  userOf(secret: string): Promise<string | undefined>
  /** Does nothing if there is no such session. */
  close(secret: string): Promise<void>
}

/** A sign-in whose groups are judged again every 15 minutes. */
interface JudgedSignIn {
  /** undefined: the issuer cannot be asked again, so the session ends when its groups would be judged. */
  readonly renewal: string | undefined
}

interface OpenedSession {
  readonly secret: string
  readonly user: string
  readonly seconds: number
}

export function storeSessions(run: RunQuery, clock: Clock): Sessions {
  const now = () => clock.now() * 1000
  return {
    open: link => run(store => openSession(store, link, now())),
    start: (user, once, judged) => run(store => startOnce(store, user, once, now(), judged)),
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

/** Creates a one-time link and returns its secret. `now`: microseconds since the epoch. */
export function createLink(session: Session, user: string, now: number): Promise<string> {
  return addRow(session, 'link', user, now, LINK_MICROS)
}

async function openSession(session: Session, link: string, now: number): Promise<OpenedSession | undefined> {
  // Checked without a transaction first, so that attempts with unknown links do not block other writers.
  if ((await userOf(session, 'link', link, now)) === undefined) return undefined
  return transact(session, async transaction => {
    const user = await takeRow(transaction, 'link', link)
    return user === undefined ? undefined : startSession(transaction, user, 'link', now)
  })
}

/** Opens a session for an authenticated user. `by`: the way of authentication, for the audit log. */
function startSession(
  session: Session,
  user: string,
  by: string,
  now: number,
  judged?: JudgedSignIn,
): Promise<OpenedSession> {
  return transact(session, async transaction => {
    const lifetime = judged !== undefined && judged.renewal === undefined ? JUDGE_MICROS : SESSION_MICROS
    const renewal = judged?.renewal && { sealed: judged.renewal, judgeAt: now + JUDGE_MICROS }
    const secret = await addRow(transaction, 'session', user, now, lifetime, renewal || undefined)
    await appendAudit(transaction, consoleActor(user), { action: 'session.open', target: user, after: { by } }, now)
    return { secret, user, seconds: lifetime / 1_000_000 }
  })
}

function startOnce(
  session: Session,
  user: string,
  once: string,
  now: number,
  judged?: JudgedSignIn,
): Promise<OpenedSession | undefined> {
  return transact(session, async transaction =>
    (await isFirstUse(transaction, once, now)) ? startSession(transaction, user, 'oidc', now, judged) : undefined,
  )
}

function closeSession(session: Session, secret: string, now: number): Promise<void> {
  return transact(session, async transaction => {
    const user = await takeRow(transaction, 'session', secret)
    if (user === undefined) return
    await appendAudit(transaction, consoleActor(user), { action: 'session.close', target: user }, now)
  })
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
