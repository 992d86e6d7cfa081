import { CompiledQuery } from 'kysely'
import type { Insertion, Insertions } from './bulk.ts'
import type { Session } from './database.ts'
import type { SqlValue } from './rows.ts'
import type { RowsText } from './sqlite/thread.ts'

/** Runs the insertions in the session and returns what the work does. */
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
