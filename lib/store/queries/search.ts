/**
 * Requests by conditions that no index serves, such as a backend or a duration: read in portions, newest first, until
 * a time limit. What was found until then is a page, and the next one goes on from there. So no
 * filter can block the connection that serves all queries, however few requests match it.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import { systemClock } from '../../base/clock.ts'
import type { RequestRow, Session } from '../database.ts'
import { boundsOf } from './bounds.ts'
import { idBounds, type LookupFilter, newestRows, tablesOf } from './lookup.ts'

export interface Found {
  /** Newest first. */
  readonly rows: readonly RequestRow[]
  /** `before` of the next page; null: there is nothing more. */
  readonly next: string | null
}

export interface SearchPortions {
  /** Requests that the first statement reads at most: what many match needs no more. */
  readonly first: number
  /** And each further one: some ten milliseconds. */
  readonly portion: number
  /** Milliseconds after which no further portion is begun. */
  readonly mostMs: number
}

const PORTIONS: SearchPortions = { first: 2500, portion: 20_000, mostMs: 45 }

/** A page of at most `limit`. It may be shorter, and even empty, where there is more: then the search has not ended. */
export async function searchRequests(
  session: Session,
  filter: LookupFilter,
  limit: number,
  { first, portion, mostMs }: SearchPortions = PORTIONS,
): Promise<Found> {
  const started = systemClock.monotonic()
  const rows: RequestRow[] = []
  for (let { before } = filter, most = first; ; most = portion) {
    const part = { ...filter, before }
    const start = isIndexed(filter) ? undefined : await portionStart(session, part, most)
    rows.push(...(await newestRows(session, { ...part, from: start ?? filter.from }, limit + 1 - rows.length)))
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]!.id }
    if (start === undefined) return { rows, next: null }
    if (systemClock.monotonic() - started >= mostMs) return { rows, next: start }
    before = start
  }
}

/** Whether an index has the newest matches one after the other. */
function isIndexed(filter: LookupFilter): boolean {
  const { errors = false, status, model, backend, surface, endpoint, tags, path } = filter
  const others = [status, model, backend, surface, endpoint, tags, path]
  return !errors && others.every(value => value === undefined) && boundsOf(filter).length === 0
}

/** The id from which on each table has as many requests as a portion, at most. undefined: what is left is no more. */
async function portionStart({ db }: Session, filter: LookupFilter, portion: number): Promise<string | undefined> {
  const { account, user } = filter
  // An index has all of these columns, so that no row is read.
  const conditions: Expression<SqlBool>[] = idBounds(filter)
  if (account !== undefined) conditions.push(sql`r.account_id = ${account}`)
  if (user !== undefined) conditions.push(sql`r.user_id = ${user}`)
  const starts: string[] = []
  for (const table of tablesOf(filter)) {
    const { rows } = await sql<{ id: string }>`
      select r.id from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)}
      order by r.id desc limit 1 offset ${portion - 1}`.execute(db)
    if (rows[0] !== undefined) starts.push(rows[0].id)
  }
  return starts.toSorted().at(-1)
}
