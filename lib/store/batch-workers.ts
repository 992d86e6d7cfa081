/**
 * Leases of the processes that run lines. A line belongs to its process until that has ended it, or until the lease of
 * the process has expired and an heir has taken its lines over.
 */
import { isObject, parseJson } from '../base/json.ts'
import { type EndedLine, endLines } from './batch-lines.ts'
import { type Session, transact } from './database.ts'

/** Begins the lease of a new process. Times are milliseconds since the epoch. */
export async function enterWorker({ db }: Session, id: string, until: number): Promise<void> {
  await db.insertInto('batch_workers').values({ id, until }).execute()
}

/** False: the lease has expired, and an heir takes over. */
export async function renewWorker({ db }: Session, id: string, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batch_workers')
    .set({ until })
    .where('id', '=', id)
    .where('heir', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the process still owns its lines. What it wrote before, every later heir reads. */
export async function isWorker({ db }: Session, id: string): Promise<boolean> {
  const own = db.selectFrom('batch_workers').select('id').where('id', '=', id).where('heir', 'is', null)
  return (await own.execute()).length > 0
}

/** Ends the lease of a process, and gives back all that it holds. */
export function leaveWorker(session: Session, id: string): Promise<void> {
  return transact(session, async own => {
    await free(own, id)
    await own.db.deleteFrom('batch_workers').where('id', '=', id).execute()
  })
}

/** Ends the lease of a process that may have results which it has not stored: an heir reads them. */
export async function abandonWorker({ db }: Session, id: string, now: number): Promise<void> {
  await db.updateTable('batch_workers').set({ until: now }).where('id', '=', id).where('heir', 'is', null).execute()
}

export interface Heritage {
  readonly id: string
  /** When the lease has expired. */
  readonly until: number
}

/** Takes over processes whose leases have expired: `heir` has until `until` to finish() each. */
export function inherit(session: Session, heir: string, now: number, until: number): Promise<readonly Heritage[]> {
  return transact(session, async ({ db, dialect }) => {
    const expired = await db
      .selectFrom('batch_workers')
      .select(['id', 'until'])
      .where('until', '<=', now)
      .where('id', '<>', heir)
      .$if(dialect === 'postgres', query => query.forUpdate().skipLocked())
      .execute()
    for (const { id } of expired)
      await db.updateTable('batch_workers').set({ heir, until }).where('id', '=', id).execute()
    return expired
  })
}

interface Inherited {
  readonly id: string
  readonly heir: string
  /** Lines of the process whose results are in its parts. */
  readonly ended: readonly EndedLine[]
  /** Number of valid results by part and batch. What the process appends later does not count. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, number>>>
}

/** Ends and frees the lines of a process that has ended. Does nothing if another heir has taken over. */
export function finishHeritage(session: Session, { id, heir, ended, parts }: Inherited): Promise<boolean> {
  return transact(session, async own => {
    const { db } = own
    const gone = db.deleteFrom('batch_workers').where('id', '=', id).where('heir', '=', heir)
    if ((await gone.executeTakeFirst()).numDeletedRows === 0n) return false
    await endLines(own, id, ended)
    for (const [batch, counts] of parts) {
      const row = await db
        .selectFrom('batches')
        .select('parts')
        .where('id', '=', batch)
        .$if(own.dialect === 'postgres', query => query.forUpdate())
        .executeTakeFirst()
      const known = parseJson(row?.parts ?? '{}')
      const all = JSON.stringify({ ...(isObject(known) ? known : {}), ...counts })
      await db.updateTable('batches').set({ parts: all }).where('id', '=', batch).execute()
    }
    await free(own, id)
    return true
  })
}

async function free({ db }: Session, holder: string): Promise<void> {
  await db.updateTable('batch_lines').set({ holder: null }).where('holder', '=', holder).execute()
  await db.updateTable('batches').set({ holder: null }).where('holder', '=', holder).execute()
}
