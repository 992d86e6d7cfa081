/** Streams of records and audit entries to other systems: what is to be sent, and which process sends it. */
import type { JsonObject } from '../base/json.ts'
import { entryJson } from './audit.ts'
import { type Session, transact } from './database.ts'
import { toJson } from './queries/lookup.ts'

export type ExportName = 'records' | 'audit'

/**
 * Acquires or renews the lease of the stream until `until`, microseconds since the epoch. The first call switches the
 * stream on: what is committed later is exported. False: another process has the lease.
 */
export async function leadExport(
  { db }: Session,
  name: ExportName,
  holder: string,
  now: number,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ holder, until })
    .where('name', '=', name)
    .where(({ eb, or }) => or([eb('holder', '=', holder), eb('until', '<', now)]))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('exports')
    .values({ name, holder, until })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Releases the lease, so that another process may send at once. */
export async function leaveExport({ db }: Session, name: ExportName, holder: string): Promise<void> {
  await db.updateTable('exports').set({ until: 0 }).where('name', '=', name).where('holder', '=', holder).execute()
}

/** Switches the stream off and drops what waits, if no process has had the lease since `before`. */
export async function endExport(session: Session, name: ExportName, before: number): Promise<void> {
  await transact(session, async ({ db }) => {
    const ended = db.deleteFrom('exports').where('name', '=', name).where('until', '<', before)
    const { numDeletedRows } = await ended.executeTakeFirst()
    if (numDeletedRows > 0n) await db.deleteFrom('export_queue').where('name', '=', name).execute()
  })
}

export interface Waiting {
  readonly ids: readonly string[]
  /** As the operators' API has them, oldest first. Fewer than `ids` if some have expired. */
  readonly lines: readonly JsonObject[]
  /** Microseconds since the epoch. null: nothing waits. */
  readonly since: number | null
}

/** The oldest entries that have not been sent. */
export async function waitingExports(session: Session, name: ExportName, limit: number): Promise<Waiting> {
  const { db } = session
  const rows = await db
    .selectFrom('export_queue')
    .select(['id', 'created_at'])
    .where('name', '=', name)
    .orderBy('id')
    .limit(limit)
    .execute()
  if (rows.length === 0) return { ids: [], lines: [], since: null }
  const ids = rows.map(({ id }) => id)
  const times = rows.map(row => row.created_at)
  const read = name === 'audit' ? auditLines : recordLines
  const lines = await read(session, ids, [Math.min(...times), Math.max(...times)])
  return { ids, lines, since: Math.min(...times) }
}

async function auditLines({ db }: Session, ids: readonly string[]): Promise<JsonObject[]> {
  return (await db.selectFrom('audit_log').selectAll().where('id', 'in', ids).orderBy('id').execute()).map(entryJson)
}

async function recordLines({ db }: Session, ids: readonly string[], [from, to]: readonly [number, number]) {
  const found = new Map<string, JsonObject>()
  for (const table of ['requests', 'request_errors'] as const) {
    const missing = ids.filter(id => !found.has(id))
    if (missing.length === 0) break
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where('id', 'in', missing)
      // PostgreSQL's partitions are days.
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .execute()
    for (const row of rows) found.set(row.id, toJson(row))
  }
  return ids.map(id => found.get(id)).filter(line => line !== undefined)
}

/** Removes what has been sent. */
export async function noteExported({ db }: Session, name: ExportName, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('export_queue').where('name', '=', name).where('id', 'in', ids).execute()
}
