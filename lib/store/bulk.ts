import type { Database } from './database.ts'
import type { ColumnTypes, SqlValue } from './rows.ts'

export interface BulkInsert {
  readonly sqlite: string
  readonly postgres: string
}

/**
 * `onConflict`: the text after ON CONFLICT. PostgreSQL receives all rows as one JSON text, which costs the event loop a
 * fraction of thousands of parameters. SQLite's thread runs a prepared statement per row.
 */
export function bulkInsert(table: keyof Database, columns: ColumnTypes, onConflict: string): BulkInsert {
  const names = Object.keys(columns)
  const values = Object.values(columns).map((type, i) => `(v->>${i})::${type}`)
  const placeholders = names.map(() => '?')
  return {
    sqlite: `insert into ${table} (${names.join(', ')}) values (${placeholders.join(', ')}) on conflict ${onConflict}`,
    postgres:
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as v ` +
      `on conflict ${onConflict} returning ${names[0]} as key`,
  }
}

export interface Insertion {
  readonly insert: BulkInsert
  readonly rows: readonly (readonly SqlValue[])[]
}

/**
 * Yields insertions, and receives the first column of every row that each of them inserted or updated.
 * A session (insertions.ts) or SQLite's thread (sqlite/worker.ts) runs them.
 */
export type Insertions<T> = Generator<Insertion, T, readonly SqlValue[]>

export function* insertRows(insert: BulkInsert, rows: Insertion['rows']): Insertions<readonly SqlValue[]> {
  return rows.length === 0 ? [] : yield { insert, rows }
}
