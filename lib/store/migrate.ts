import { sql } from 'kysely'
import { systemClock } from '../base/clock.ts'
import { type Session, transact } from './database.ts'
import { MIGRATIONS, type Migration } from './migrations/index.ts'

/** Number of the lock that makes processes which start together take turns: any number that nothing else uses. */
const LOCK = 5_481_702_113

/** Brings the tables up to date, once, however many processes try at the same time. */
export async function migrate(session: Session, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  await transact(session, async transaction => {
    const { db, dialect } = transaction
    // SQLite's transactions exclude each other as they are.
    if (dialect === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
    }
    await sql`create table if not exists schema_versions (version integer primary key, applied_at bigint not null)`.execute(
      db,
    )
    const done = new Set(
      await db
        .selectFrom('schema_versions')
        .select('version')
        .execute()
        .then(rows => rows.map(row => row.version)),
    )
    for (const migration of migrations) {
      if (done.has(migration.version)) continue
      for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(db)
      await db
        .insertInto('schema_versions')
        .values({ version: migration.version, applied_at: systemClock.now() * 1000 })
        .execute()
    }
  })
}
