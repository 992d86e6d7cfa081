/** Rows of sessions, one-time links and used sign-ins. Only the SHA-256 of a secret is stored. */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../base/sha256.ts'
import type { Session } from './database.ts'

/** Long enough to paste a link. Short enough to make a link in a terminal's history useless. */
export const LINK_MICROS = 10 * 60 * 1_000_000
/** Longer than the time limit of a sign-in. */
const REMEMBERED_MICROS = 20 * 60 * 1_000_000

/**
 * Adds a row and returns its secret, 256 random bits. `now` and `lifetime` are microseconds. `renewal`: of a judged
 * session.
 */
export async function addRow(
  { db }: Session,
  kind: string,
  user: string,
  now: number,
  lifetime: number,
  renewal?: { readonly sealed: string; readonly judgeAt: number },
): Promise<string> {
  await db.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('console_sessions')
    .values({
      sha256: sha256(secret),
      kind,
      user_id: user,
      expires_at: now + lifetime,
      renewal: renewal?.sealed,
      judge_at: renewal?.judgeAt,
    })
    .execute()
  return secret
}

/** Removes the row with this secret and returns its user. undefined: there is none. */
export async function takeRow({ db }: Session, kind: string, secret: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('console_sessions')
    .where('sha256', '=', sha256(secret))
    .where('kind', '=', kind)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** The user of the row with this secret. undefined: it has expired or is unknown. */
export async function userOf({ db }: Session, kind: string, secret: string, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('console_sessions')
    .select('user_id')
    .where('sha256', '=', sha256(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Whether `once` opens its first session. Stores it as a row of the kind `used`, so that a repeated callback of an
 * issuer opens no second one. To be called in the transaction that opens the session.
 */
export async function isFirstUse({ db }: Session, once: string, now: number): Promise<boolean> {
  await db.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  const added = await db
    .insertInto('console_sessions')
    .values({ sha256: sha256(once), kind: 'used', user_id: '', expires_at: now + REMEMBERED_MICROS })
    .onConflict(conflict => conflict.doNothing())
    .returning('sha256')
    .executeTakeFirst()
  return added !== undefined
}
