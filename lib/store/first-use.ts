/** Sign-ins by an issuer that have opened a session, so that a repeated callback opens no second one. */
import { sha256 } from '../base/sha256.ts'
import type { Session } from './database.ts'

/** Longer than the time limit of a sign-in. */
const REMEMBERED_MICROS = 20 * 60 * 1_000_000

/**
 * Whether `once` is used for the first time. Stores it as a row of the sessions with the kind `used`. To be called in
 * the transaction that opens the session. `now`: microseconds since the epoch.
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
