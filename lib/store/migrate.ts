import { sql } from 'kysely'
import { systemClock } from '../base/clock.ts'
import { type Dialect, type Session, transact } from './database.ts'
import { accountRequests } from './migrations/account-requests.ts'
import { alerts } from './migrations/alerts.ts'
import { auditSearch } from './migrations/audit-search.ts'
import { consoleSessions } from './migrations/console-sessions.ts'
import { diagnosis } from './migrations/diagnosis.ts'
import { engineQueue } from './migrations/engine-queue.ts'
import { initialSchema } from './migrations/initial.ts'
import { keyLimits } from './migrations/key-limits.ts'
import { operators } from './migrations/operators.ts'
import { recordHorizon } from './migrations/record-horizon.ts'
import { usageDays } from './migrations/usage-days.ts'
import { usageUserDays } from './migrations/usage-user-days.ts'
import { zones } from './migrations/zones.ts'

interface Migration {
  readonly version: number
  /** Statements to run in this order. They must not be changed after a release. */
  statements(dialect: Dialect): readonly string[]
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, statements: initialSchema },
  { version: 2, statements: consoleSessions },
  { version: 3, statements: zones },
  { version: 4, statements: diagnosis },
  { version: 5, statements: recordHorizon },
  { version: 6, statements: operators },
  { version: 7, statements: accountRequests },
  { version: 8, statements: engineQueue },
  { version: 9, statements: keyLimits },
  { version: 10, statements: alerts },
  { version: 11, statements: usageDays },
  { version: 12, statements: auditSearch },
  { version: 13, statements: usageUserDays },
]

/** Id of the advisory lock that serialises processes which start at the same time. Used for nothing else. */
const LOCK = 5_481_702_113

/**
 * Brings the tables up to date in one transaction; several processes may do it at the same time. Unknown versions stay
 * unchanged, so that this build can run next to a newer one (docs/adr/0034).
 */
export async function migrate(session: Session, migrations: readonly Migration[]): Promise<void> {
  await transact(session, async transaction => {
    const { db, dialect } = transaction
    // SQLite needs no lock, because its transactions begin with `begin immediate`.
    if (dialect === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
    }
    await sql`create table if not exists schema_versions (version integer primary key, applied_at bigint not null)`.execute(
      db,
    )
    const rows = await db.selectFrom('schema_versions').select('version').execute()
    const done = new Set(rows.map(({ version }) => version))
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
