/** Sessions of the console whose groups are judged again while they last. */
import { type Actor, appendAudit } from './audit.ts'
import { type Session, transact } from './database.ts'

/** Time between two judgements of a session. */
export const JUDGE_MICROS = 15 * 60 * 1_000_000

export interface DueSession {
  readonly sha256: string
  readonly user: string
  /** Sealed text for the issuer. */
  readonly renewal: string
}

/** At most `limit` sessions whose judgement is due. Until `until`, no other process takes them. */
export async function takeDueSessions(
  { db }: Session,
  now: number,
  until: number,
  limit: number,
): Promise<readonly DueSession[]> {
  const due = db
    .selectFrom('console_sessions')
    .select('sha256')
    .where('judge_at', '<=', now)
    .where('expires_at', '>', now)
    .orderBy('judge_at')
    .limit(limit)
  const rows = await db
    .updateTable('console_sessions')
    .set({ judge_at: until })
    .where('sha256', 'in', due)
    // Again for the process that has waited for the row's lock.
    .where('judge_at', '<=', now)
    .returning(['sha256', 'user_id', 'renewal'])
    .execute()
  return rows.map(({ sha256, user_id, renewal }) => ({ sha256, user: user_id, renewal: renewal ?? '' }))
}

/** Stores what asks the issuer next time. A session that has ended stays ended. */
export async function noteRenewal({ db }: Session, { sha256 }: DueSession, renewal: string, at: number): Promise<void> {
  await db.updateTable('console_sessions').set({ renewal, judge_at: at }).where('sha256', '=', sha256).execute()
}

/** Ends a session that can no longer be judged, and adds an entry to the audit log. */
export function endJudgedSession(
  session: Session,
  { sha256, user }: DueSession,
  { actor, reason, now }: { readonly actor: Actor; readonly reason: string; readonly now: number },
): Promise<void> {
  return transact(session, async transaction => {
    const { numDeletedRows } = await transaction.db
      .deleteFrom('console_sessions')
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await appendAudit(transaction, actor, { action: 'session.close', target: user, after: { reason } }, now)
  })
}
