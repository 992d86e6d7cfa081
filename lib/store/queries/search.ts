/**
 * Searches by conditions without an index, such as a backend. Requests are read in portions, newest first, until a time
 * limit; the next page continues from there. So a filter with few matches does not block the connection of all queries.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import { systemClock } from '../../base/clock.ts'
import type { RequestRow, Session } from '../database.ts'
import { boundsOf } from './bounds.ts'
import { idBounds, type LookupFilter, newestRows, tablesOf } from './lookup.ts'

interface SearchPage {
  /** Newest first. */
  readonly rows: readonly RequestRow[]
  /** `before` of the next page. null: this is the last page. */
  readonly next: string | null
}

interface SearchPortions {
  /** Maximum number of requests that the first statement reads. It is enough for a filter with many matches. */
  readonly first: number
  /** Maximum number of requests that each further statement reads, in some ten milliseconds. */
  readonly portion: number
  /** Milliseconds after which no further portion is read. */
  readonly maxMs: number
}

const PORTIONS: SearchPortions = { first: 2500, portion: 20_000, maxMs: 45 }

/** A page of at most `limit` requests. It may be shorter, or empty, although there are further pages. */
export async function searchRequests(
  session: Session,
  filter: LookupFilter,
  limit: number,
  { first, portion, maxMs }: SearchPortions = PORTIONS,
): Promise<SearchPage> {
  const started = systemClock.monotonic()
  const rows: RequestRow[] = []
  for (let { before } = filter, size = first; ; size = portion) {
    const rest = { ...filter, before }
    const start = isIndexed(filter) ? undefined : await portionStart(session, rest, size)
    rows.push(...(await newestRows(session, { ...rest, from: start ?? filter.from }, limit + 1 - rows.length)))
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.id }
    if (start === undefined) return { rows, next: null }
    if (systemClock.monotonic() - started >= maxMs) return { rows, next: start }
    before = start
  }
}

/** Whether an index contains the matches in their order. */
function isIndexed(filter: LookupFilter): boolean {
  const { status_class: hundreds } = filter
  const {
    errors = false,
    account,
    user,
    session,
    status,
    model,
    backend,
    client,
    key,
    surface,
    endpoint,
    tags,
    path,
  } = filter
  // The indexes of users and sessions begin with the account.
  const unindexed = account === undefined ? (user ?? session) : undefined
  const others = [unindexed, status, hundreds, model, backend, client, key, surface, endpoint, tags, path]
  return !errors && others.every(value => value === undefined) && boundsOf(filter).length === 0
}

/** The lowest id of the next portion. undefined: the rest is not more than a portion. */
async function portionStart({ db }: Session, filter: LookupFilter, portion: number): Promise<string | undefined> {
  const { account, user, batch } = filter
  // An index has all of these columns, so no row is read.
  const conditions: Expression<SqlBool>[] = idBounds(filter)
  if (account !== undefined) conditions.push(sql`r.account_id = ${account}`)
  if (batch !== undefined) conditions.push(sql`r.batch_id = ${batch}`)
  if (account !== undefined && user !== undefined) conditions.push(sql`r.user_id = ${user}`)
  const starts: string[] = []
  for (const table of tablesOf(filter)) {
    const { rows } = await sql<{ id: string }>`
      select r.id from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)}
      order by r.id desc limit 1 offset ${portion - 1}`.execute(db)
    if (rows[0] !== undefined) starts.push(rows[0].id)
  }
  return starts.toSorted().at(-1)
}
