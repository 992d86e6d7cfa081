/** The counter of changes of accounts and keys, which is also their lock. */
import { sql } from 'kysely'
import { type Session, transact } from './database.ts'

/**
 * Runs `work` in a transaction, one at a time among all processes. Accounts and keys that it reads do not change before
 * it ends, because every change locks the row of the counter.
 */
export function inTurn<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  return transact(session, async transaction => {
    await addToCounter(transaction, 0)
    return work(transaction)
  })
}

/** To be called in the transaction of every change of accounts or keys. */
export function noteKeyChange(session: Session): Promise<void> {
  return addToCounter(session, 1)
}

/** The counter of changes. A cheap query for it shows whether keys must be loaded again. */
export async function keyChanges({ db }: Session): Promise<number> {
  return (await db.selectFrom('key_changes').select('counter').where('id', '=', 1).executeTakeFirstOrThrow()).counter
}

async function addToCounter({ db }: Session, count: number): Promise<void> {
  await db
    .updateTable('key_changes')
    .set({ counter: sql`counter + ${count}` })
    .where('id', '=', 1)
    .execute()
}
