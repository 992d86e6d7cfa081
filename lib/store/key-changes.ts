import { sql } from 'kysely'
import type { Session } from './session.ts'

/** To be called in the transaction of every change that valid keys depend on. */
export async function noteKeyChange({ db }: Session): Promise<void> {
  await db.updateTable('key_changes').set({ counter: sql`counter + 1` }).where('id', '=', 1).execute()
}

/** Moves with every change, so that one cheap query tells whether keys have to be loaded again. */
export async function keyChanges({ db }: Session): Promise<number> {
  const row = await db.selectFrom('key_changes').select('counter').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.counter
}
