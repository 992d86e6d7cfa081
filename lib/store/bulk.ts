import type { Database } from './database.ts'
import type { Column, SqlValue } from './rows.ts'

/** An INSERT of many rows, in the SQL of both stores. */
export interface BulkInsert {
  readonly sqlite: string
  readonly postgres: string
}

/**
 * `onConflict`: the text after ON CONFLICT. PostgreSQL receives all rows as one JSON text, which costs the event loop a
 * fraction of thousands of parameters. SQLite's thread runs a prepared statement per row.
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

/** Rows to insert. */
export interface Insertion {
  readonly insert: BulkInsert
  readonly rows: readonly (readonly SqlValue[])[]
}

/**
 * A generator that yields insertions. After each one it receives the first column of every row that was inserted or
 * updated. A session (insertions.ts) or SQLite's thread (sqlite/worker.ts) runs them.
 */
export type Insertions<T> = Generator<Insertion, T, readonly SqlValue[]>

/** Yields one insertion and returns the first column of every row that was inserted or updated. */
export function* insertRows(insert: BulkInsert, rows: Insertion['rows']): Insertions<readonly SqlValue[]> {
  return rows.length === 0 ? [] : yield { insert, rows }
}
