import { CompiledQuery } from '#kysely'
import type { Database, Session } from './database.ts'
import type { Column, SqlValue } from './rows.ts'
import type { RowsText } from './sqlite/thread.ts'

/** An INSERT of many rows, in the SQL of both stores. */
export interface BulkInsert {
  readonly sqlite: string
  readonly postgres: string
}

/**
 * `onConflict`: the text after ON CONFLICT. Rows are sent as one JSON text, which costs the event loop a fraction of
 * thousands of parameters; SQLite's thread runs a prepared statement for each row.
 */
export function bulkInsert(table: keyof Database, columns: readonly Column[], onConflict: string): BulkInsert {
  const names = columns.map(column => column.name).join(', ')
  const placeholders = columns.map(() => '?').join(', ')
  const values = columns.map(({ type }, i) => `(v->>${i})::${type}`).join(', ')
  return {
    sqlite: `insert into ${table} (${names}) values (${placeholders}) on conflict ${onConflict}`,
    postgres:
      `insert into ${table} (${names}) select ${values} from jsonb_array_elements($1::jsonb) as v ` +
      `on conflict ${onConflict} returning ${columns[0]!.name} as key`,
  }
}

/** Inserts the rows and returns the first column of every row that was inserted or updated. */
export async function insertRows(
  { dialect, db }: Session,
  insert: BulkInsert,
  rows: readonly (readonly SqlValue[])[],
): Promise<SqlValue[]> {
  if (rows.length === 0) return []
  const text = JSON.stringify(rows)
  if (dialect === 'sqlite') {
    const parameter: RowsText = { rowsText: text }
    const { rows: changed } = await db.executeQuery<number>(CompiledQuery.raw(insert.sqlite, [parameter]))
    return changed.map(index => rows[index]![0]!)
  }
  const { rows: returned } = await db.executeQuery<{ key: SqlValue }>(CompiledQuery.raw(insert.postgres, [text]))
  return returned.map(row => row.key)
}
