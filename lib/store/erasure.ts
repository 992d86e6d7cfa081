/**
 * Erasing an account: the store forgets who its people were. Ids, totals and the ledger stay under a tombstone, which
 * is the row of the account with `erased_at`.
 */
import { sql } from 'kysely'
import { removeLines } from './batches.ts'
import { deleteAlerts } from './customer-alerts.ts'
import { type Database, flagOf, type Session, transact } from './database.ts'
import { noteKeyChange } from './key-changes.ts'
import { PERSONAL_MEMBERS, type PersonalMember } from './record.ts'
import { ERASED_ACCOUNTS } from './record-rows.ts'

const NOBODY = Object.fromEntries(PERSONAL_MEMBERS.map(name => [name, null])) as Record<PersonalMember, null>

/** Id of the advisory lock between the insertion of records and a new tombstone. Used for nothing else. */
const LOCK = 5_481_702_115

/** Ids of the erased accounts, for PostgreSQL. Until the transaction ends, no account gets a tombstone. */
export async function erasedAccounts({ db }: Session): Promise<ReadonlySet<string | null>> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(LOCK)})`.execute(db)
  const { rows } = await sql.raw<{ id: string }>(ERASED_ACCOUNTS).execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether anything in the store belongs to this account. It may never have had a row of its own. */
export async function isKnownAccount({ db }: Session, id: string): Promise<boolean> {
  const tables = ['keys', 'members', 'usage_hours', 'credits_ledger', 'requests', 'request_errors'] as const
  for (const table of [...tables, 'customer_alerts'] as const) {
    const found = await db.selectFrom(table).select('account_id').where('account_id', '=', id).limit(1).execute()
    if (found.length > 0) return true
  }
  return false
}

/** Users of the account, also former ones. */
export async function usersOfAccount({ db }: Session, id: string): Promise<readonly string[]> {
  const users = new Set<string | null>()
  for (const table of ['members', 'keys', 'usage_hours', 'requests', 'request_errors'] as const) {
    const rows = await db.selectFrom(table).select('user_id').distinct().where('account_id', '=', id).execute()
    for (const { user_id } of rows) users.add(user_id)
  }
  return [...users].filter(user => user !== null && user !== '') as string[]
}

/**
 * Puts the tombstone in place of the account, and ends its keys, memberships, sessions and alerts; to be run in a
 * transaction. Records that are inserted later have no users and tags. `now`: microseconds since the epoch.
 */
export async function buryAccount(session: Session, id: string, now: number): Promise<void> {
  const { db, dialect } = session
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
  const fields = { name: id, disabled: flagOf(dialect, true), erased_at: now }
  const empty = {
    kind: 'serverless',
    plan: null,
    zdr_required: flagOf(dialect, false),
    models: '*',
    credits_cents: null,
  }
  await db
    .insertInto('accounts')
    .values({ id, ...empty, ...fields, created_at: now })
    .onConflict(conflict => conflict.column('id').doUpdateSet(fields))
    .execute()
  await db
    .updateTable('keys')
    .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(now)), previous_sha256: null }))
    .where('account_id', '=', id)
    .execute()
  const members = db.selectFrom('members').select('user_id').where('account_id', '=', id)
  await db
    .deleteFrom('console_sessions')
    .where('kind', 'in', ['link', 'session'])
    .where('user_id', 'in', members)
    .execute()
  await deleteAlerts(session, 'account_id', id)
  await noteKeyChange(session)
}

/** Removes what says who the people of the account were. May be repeated, also after it has failed. */
export async function forgetPeople(session: Session, id: string): Promise<void> {
  for (const table of ['requests', 'request_errors'] as const) await forgetInRecords(session, table, id)
  await transact(session, own => forgetInTotals(own, id))
  const { db } = session
  await db.updateTable('keys').set({ user_id: null, label: null }).where('account_id', '=', id).execute()
  await db.deleteFrom('members').where('account_id', '=', id).execute()
  const batches = await db.selectFrom('batches').select('id').where('account_id', '=', id).execute()
  for (const batch of batches) await removeLines(session, batch.id)
  await db.deleteFrom('batches').where('account_id', '=', id).execute()
  // One may have been created since buryAccount().
  await deleteAlerts(session, 'account_id', id)
  // The text of an alert has the name of the account.
  await db.deleteFrom('alerts').where('name', 'like', `%${id}%`).execute()
}

/** Records per statement. An update blocks other writers of SQLite for a few milliseconds. */
const BATCH = 200

async function forgetInRecords(session: Session, table: 'requests' | 'request_errors', id: string): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await session.db
      .selectFrom(table)
      .select(['id', 'created_at', 'endpoint', 'public_id', 'request_tags'])
      .where('account_id', '=', id)
      .where(({ eb, or }) => or(PERSONAL_MEMBERS.map(name => eb(name, 'is not', null))))
      .$if(after !== '', query => query.where('id', '>', after))
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    await transact(session, async own => {
      await forgetTags(own, rows)
      const times = rows.map(row => row.created_at)
      await own.db
        .updateTable(table)
        .set(NOBODY)
        .where(
          'id',
          'in',
          rows.map(row => row.id),
        )
        // PostgreSQL's partitions are days.
        .where('created_at', '>=', Math.min(...times))
        .where('created_at', '<=', Math.max(...times))
        .execute()
    })
  }
}

type TaggedRow = Pick<Database['requests'], 'endpoint' | 'created_at' | 'public_id' | 'request_tags'>

async function forgetTags({ db }: Session, rows: readonly TaggedRow[]): Promise<void> {
  for (const { endpoint, created_at, public_id, request_tags } of rows) {
    if (endpoint === null || request_tags === null) continue
    for (const table of ['request_tags', 'request_error_tags'] as const) {
      await db
        .deleteFrom(table)
        .where('endpoint', '=', endpoint)
        .where('tag', 'in', request_tags.split(','))
        .where('created_at', '=', created_at)
        .where('public_id', '=', public_id)
        .execute()
    }
  }
}

const KEY = ['account_id', 'hour', 'user_id', 'key_id', 'surface', 'endpoint', 'model'] as const
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'units'] as const

/**
 * Adds the totals of each user to those of no user. Triggers add what the hours gain to the days, and what these gain
 * to the days of users. Deleted rows take nothing away, so the totals of users are deleted in each table.
 */
async function forgetInTotals({ db, dialect }: Session, id: string): Promise<void> {
  const group = KEY.filter(name => name !== 'user_id').join(', ')
  const sums = SUMS.map(name => `sum(${name})`).join(', ')
  const gains = SUMS.map(name => `${name} = usage_hours.${name} + excluded.${name}`).join(', ')
  await sql`
    insert into usage_hours (${sql.raw([...KEY.filter(name => name !== 'user_id'), 'user_id', ...SUMS].join(', '))})
    select ${sql.raw(group)}, '', ${sql.raw(sums)} from usage_hours where account_id = ${id} and user_id <> ''
    group by ${sql.raw(group)} order by ${sql.raw(group)}
    on conflict (${sql.raw(KEY.join(', '))}) do update set ${sql.raw(gains)}`.execute(db)
  const days = dialect === 'sqlite' ? (['usage_days', 'usage_user_days'] as const) : (['usage_days'] as const)
  for (const table of ['usage_hours', ...days] as const)
    await db.deleteFrom(table).where('account_id', '=', id).where('user_id', '<>', '').execute()
}
