import type { Kysely } from 'kysely'
import type { Database } from './database.ts'

export type Dialect = 'sqlite' | 'postgres'

/** What queries run on: the store, or one transaction of it. */
export interface Session {
  readonly dialect: Dialect
  readonly db: Kysely<Database>
}

/** Runs `work` in one transaction: all of it is kept, or nothing. */
export function transact<T>({ dialect, db }: Session, work: (session: Session) => Promise<T>): Promise<T> {
  return db.transaction().execute(transaction => work({ dialect, db: transaction }))
}
