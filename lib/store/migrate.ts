import { sql } from 'kysely'
import { systemClock } from '../base/clock.ts'
import { type Dialect, type Session, transact } from './database.ts'
import { accountRequests } from './migrations/account-requests.ts'
import { agentSessions } from './migrations/agent-sessions.ts'
import { alerts } from './migrations/alerts.ts'
import { attemptList } from './migrations/attempt-list.ts'
import { auditSearch } from './migrations/audit-search.ts'
import { backendHistory } from './migrations/backend-history.ts'
import { backendWaits } from './migrations/backend-waits.ts'
import { batchEvents } from './migrations/batch-events.ts'
import { batchRecords } from './migrations/batch-records.ts'
import { batches } from './migrations/batches.ts'
import { clientFamily } from './migrations/client-family.ts'
import { consoleSessions } from './migrations/console-sessions.ts'
import { customerAlerts } from './migrations/customer-alerts.ts'
import { diagnosis } from './migrations/diagnosis.ts'
import { disabledBy } from './migrations/disabled-by.ts'
import { endUsers } from './migrations/end-users.ts'
import { engineQueue } from './migrations/engine-queue.ts'
import { erasedAccounts } from './migrations/erased-accounts.ts'
import { exports } from './migrations/exports.ts'
import { freeLines } from './migrations/free-lines.ts'
import { gateways } from './migrations/gateways.ts'
import { groupMembers } from './migrations/group-members.ts'
import { initialSchema } from './migrations/initial.ts'
import { keyLimits } from './migrations/key-limits.ts'
import { operators } from './migrations/operators.ts'
import { recordHorizon } from './migrations/record-horizon.ts'
import { storedModels } from './migrations/stored-models.ts'
import { units } from './migrations/units.ts'
import { usageDays } from './migrations/usage-days.ts'
import { usageUserDays } from './migrations/usage-user-days.ts'
import { zones } from './migrations/zones.ts'

export interface Migration {
  readonly version: number
  /** What it adds, for operators. */
  readonly adds: string
  /** It reads or indexes whole tables, and blocks their writers meanwhile. */
  readonly isLong?: true
  /** Statements to run in this order. They must not be changed after a release. */
  statements(dialect: Dialect): readonly string[]
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, adds: 'the first tables', statements: initialSchema },
  { version: 2, adds: 'links and sessions of the console', statements: consoleSessions },
  { version: 3, adds: 'bounds of requests per ten minutes, tags of errors', isLong: true, statements: zones },
  { version: 4, adds: 'columns and indexes for looking up a request, drains', isLong: true, statements: diagnosis },
  { version: 5, adds: 'the time from which records are complete', statements: recordHorizon },
  { version: 6, adds: 'keys of operators, the audit log, disabled accounts', statements: operators },
  { version: 7, adds: 'indexes of requests by member', isLong: true, statements: accountRequests },
  { version: 8, adds: 'the wait inside the engine', statements: engineQueue },
  { version: 9, adds: 'limits of keys', statements: keyLimits },
  { version: 10, adds: 'alerts', statements: alerts },
  { version: 11, adds: 'totals of usage per day', isLong: true, statements: usageDays },
  { version: 12, adds: 'indexes of the audit log', isLong: true, statements: auditSearch },
  { version: 13, adds: 'totals of usage per day and user (SQLite only)', isLong: true, statements: usageUserDays },
  { version: 14, adds: 'end users of requests', isLong: true, statements: endUsers },
  { version: 15, adds: 'the attempts of requests', statements: attemptList },
  { version: 16, adds: 'families of clients', statements: clientFamily },
  { version: 17, adds: 'sessions of clients', isLong: true, statements: agentSessions },
  { version: 18, adds: 'characters, images and seconds of requests', statements: units },
  { version: 19, adds: 'erased accounts', statements: erasedAccounts },
  { version: 20, adds: 'the queue of exports', statements: exports },
  { version: 21, adds: 'members by groups of an issuer', statements: groupMembers },
  { version: 22, adds: 'models of operators', statements: storedModels },
  { version: 23, adds: 'snapshots of gateways', statements: gateways },
  { version: 24, adds: 'batches', statements: batches },
  { version: 25, adds: 'batches of requests, in records and totals', isLong: true, statements: batchRecords },
  { version: 26, adds: 'events and lists of batches', statements: batchEvents },
  { version: 27, adds: 'the history of backends', statements: backendHistory },
  { version: 28, adds: "customers' alerts", statements: customerAlerts },
  { version: 29, adds: 'an index of free lines of batches', statements: freeLines },
  { version: 30, adds: 'who has disabled a key', statements: disabledBy },
  { version: 31, adds: 'waits for backends in their history', statements: backendWaits },
]

/** Id of the advisory lock that serialises processes which start at the same time. Used for nothing else. */
const LOCK = 5_481_702_113

/**
 * Brings the tables up to date in one transaction; several processes may do it at the same time. Unknown versions stay
 * unchanged, so that this build can run next to a newer one (docs/adr/0034). Returns the applied versions.
 */
export function migrate(session: Session, migrations: readonly Migration[]): Promise<readonly number[]> {
  return transact(session, async transaction => {
    const { db, dialect } = transaction
    // SQLite needs no lock, because its transactions begin with `begin immediate`.
    if (dialect === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
    }
    await sql`create table if not exists schema_versions (version integer primary key, applied_at bigint not null)`.execute(
      db,
    )
    const done = await versionsOf(transaction)
    const pending = migrations.filter(({ version }) => !done.has(version))
    for (const migration of pending) {
      for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(db)
      await db
        .insertInto('schema_versions')
        .values({ version: migration.version, applied_at: systemClock.now() * 1000 })
        .execute()
    }
    return pending.map(({ version }) => version)
  })
}

/** The versions of the tables; empty: there are no tables. Changes nothing. */
export async function appliedVersions(session: Session): Promise<ReadonlySet<number>> {
  const found =
    session.dialect === 'sqlite'
      ? sql`select name from sqlite_schema where name = 'schema_versions'`
      : sql`select 1 where to_regclass('schema_versions') is not null`
  const { rows } = await found.execute(session.db)
  return rows.length > 0 ? versionsOf(session) : new Set()
}

async function versionsOf({ db }: Session): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('schema_versions').select('version').execute()
  return new Set(rows.map(({ version }) => version))
}
