import { CompiledQuery } from 'kysely'
import { type Dialect, transact } from './database.ts'
import { runInsertions } from './insertions.ts'
import { readLines } from './journal-lines.ts'
import type { RequestRecord } from './record.ts'
import type { Inserted } from './record-rows.ts'
import type { RecordLines } from './sqlite/thread.ts'
import type { Store } from './store.ts'

/**
 * How many records go into a transaction. Each one has a price of its own, of a millisecond and more. For PostgreSQL the event
 * loop reads them, which takes it some microseconds each.
 */
export const BATCH: Readonly<Record<Dialect, number>> = { sqlite: 1000, postgres: 200 }

/**
 * Inserts the records of lines (lines.ts) and updates everything that is counted from them, in one transaction. Idempotent: a
 * record whose id is in the store is left as it is and not counted again. SQLite's thread reads the lines itself, so that they cost
 * the event loop nothing but a copy (docs/adr/0085-the-thread-of-sqlite-reads-the-journal.md).
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
  // Loaded with the first records, because with SQLite only the thread takes it.
  const { insertionOf } = await import('./record-rows.ts')
  try {
    return await transact(store, session => runInsertions(session, insertionOf(records)))
  } catch (error) {
    // Another process may have dropped a partition: the next attempt checks all of them.
    store.partitions?.forget()
    throw error
  }
}
