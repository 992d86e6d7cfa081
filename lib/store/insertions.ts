import { CompiledQuery } from 'kysely'
import type { Insertion, Insertions } from './bulk.ts'
import { type Dialect, type Session, transact } from './database.ts'
import { erasedAccounts } from './erasure.ts'
import { readLines } from './journal-lines.ts'
import type { RequestRecord } from './record.ts'
import type { Inserted } from './record-rows.ts'
import type { SqlValue } from './rows.ts'
import type { RecordLines, RowsText } from './sqlite/thread.ts'
import type { Store } from './store.ts'

/** Runs insertions (bulk.ts) in the session, and returns the result of the generator. */
export async function runInsertions<T>(session: Session, work: Insertions<T>): Promise<T> {
  let step = work.next()
  while (!step.done) step = work.next(await run(session, step.value))
  return step.value
}

async function run({ dialect, db }: Session, { insert, rows }: Insertion): Promise<readonly SqlValue[]> {
  const text = JSON.stringify(rows)
  if (dialect === 'sqlite') {
    const parameter: RowsText = { rowsText: text }
    return (await db.executeQuery<SqlValue>(CompiledQuery.raw(insert.sqlite, [parameter]))).rows
  }
  const { rows: returned } = await db.executeQuery<{ key: SqlValue }>(CompiledQuery.raw(insert.postgres, [text]))
  return returned.map(row => row.key)
}

/** Records per transaction, which costs at least a millisecond. For PostgreSQL, the event loop parses the records. */
export const RECORDS_PER_TRANSACTION: Readonly<Record<Dialect, number>> = { sqlite: 1000, postgres: 200 }

/**
 * Inserts the records of lines and updates their totals, in one transaction. Idempotent, like insertionOf().
 * SQLite's thread parses the lines itself (docs/adr/0085-the-thread-of-sqlite-reads-the-journal.md).
 */
export async function insertLines(store: Store, lines: Buffer): Promise<Inserted> {
  if (store.dialect === 'sqlite') {
    const parameter: RecordLines = { recordLines: lines }
    const { rows } = await store.db.executeQuery<Inserted>(CompiledQuery.raw('insert records', [parameter]))
    return rows[0]!
  }
  const { records, corrupt } = readLines(lines)
  return { inserted: await insertInto(store, records), corrupt }
}

async function insertInto(store: Store, records: readonly RequestRecord[]): Promise<number> {
  await store.partitions?.ensure(records.map(record => record.created_at))
  // Loaded on demand, because with SQLite only the thread needs it.
  const { insertionOf } = await import('./record-rows.ts')
  try {
    return await transact(store, async session =>
      runInsertions(session, insertionOf(records, await erasedAccounts(session))),
    )
  } catch (error) {
    // Another process may have dropped a partition. The next attempt checks all of them.
    store.partitions?.forget()
    throw error
  }
}
