import type { DatabaseSync } from 'node:sqlite'
import type { Insertion } from '../bulk.ts'
import { readLines } from '../journal-lines.ts'
import { type Inserted, insertionOf } from '../record-rows.ts'
import type { SqlValue } from '../rows.ts'

/** Inserts the records of lines (../lines.ts) in one transaction. `run`: runs the statement for each row and returns the first column of those that changed something. */
export function insertLines(
  database: DatabaseSync,
  lines: Uint8Array,
  run: (statement: string, rows: Insertion['rows']) => readonly SqlValue[],
): Inserted {
  const { records, corrupt } = readLines(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength))
  const work = insertionOf(records)
  database.exec('begin immediate')
  try {
    let step = work.next()
    while (!step.done) {
      const { insert, rows } = step.value
      step = work.next(run(insert.sqlite, rows))
    }
    database.exec('commit')
    return { inserted: step.value, corrupt }
  } catch (error) {
    // After a full or failing disk SQLite has rolled back by itself.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
