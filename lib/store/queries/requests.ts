/** The list and the lookup of a dedicated endpoint (docs/api/endpoint-requests.md, docs/api/endpoint-request.md). */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JsonObject } from '../../base/json.ts'
import type { Dialect, RequestRow, Session } from '../database.ts'
import { publicIdOf } from '../rows.ts'
import { type BoundsFilter, boundsOf, liesWithin } from './bounds.ts'
import { type Cursor, formatCursor } from './cursor.ts'
import { LIST_PROJECTION, LOOKUP_PROJECTION, type Projection } from './projection.ts'
import { type Range, rangesToScan } from './ranges.ts'

/** Members are combined with AND. */
export interface RequestFilter extends BoundsFilter {
  readonly endpoint: string
  /** Only 4xx and 5xx, from the error log. Bounds are ignored then. */
  readonly errors_only?: boolean | undefined
  /** Requests with at least one of these tags. */
  readonly tags?: readonly string[] | undefined
}

export interface RequestPage extends JsonObject {
  requests: JsonObject[]
  has_more: boolean
  cursor: string | null
}

type Condition = Expression<SqlBool>

/** A page of requests, newest first. `cursor`: only strictly older requests. */
export async function listRequests(
  session: Session,
  filter: RequestFilter,
  cursor: Cursor | undefined,
  limit: number,
): Promise<RequestPage> {
  const rows = await findPage(session, filter, cursor, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows[limit]
  return {
    requests: shown.map(LIST_PROJECTION.toJson),
    has_more: next !== undefined,
    cursor: last === undefined || next === undefined ? null : formatCursor(last, next),
  }
}

const HEX_ID = /^(?:req_)?[0-9a-f]{12}$/i
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text is a public id or a UUID. */
export function isRequestId(text: string): boolean {
  return HEX_ID.test(text) || UUID.test(text)
}

/** The request with this public id or UUID; undefined if the endpoint has none. */
export async function findRequest({ db }: Session, endpoint: string, id: string): Promise<JsonObject | undefined> {
  const conditions = [sql<SqlBool>`r.endpoint = ${endpoint}`, sql<SqlBool>`r.public_id = ${publicIdOf(id)}`]
  if (UUID.test(id)) conditions.push(sql`r.id = ${id.toLowerCase()}`)
  for (const table of ['requests', 'request_errors']) {
    // Without order and limit, because with them, planners scan the list's index through the whole endpoint.
    const query = sql<RequestRow>`
      select ${columnsOf(LOOKUP_PROJECTION)} from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)}`
    const { rows } = await query.execute(db)
    if (rows[0] !== undefined) return LOOKUP_PROJECTION.toJson(rows[0])
  }
  return undefined
}

/** With bounds, times without possible matches are skipped (ranges.ts), and the others are read in portions. */
async function findPage(
  session: Session,
  filter: RequestFilter,
  cursor: Cursor | undefined,
  limit: number,
): Promise<readonly RequestRow[]> {
  const bounds = filter.errors_only === true ? [] : boundsOf(filter)
  if (bounds.length === 0) return scan(session, filter, [], { cursor, limit })
  const within = bounds.map(liesWithin)
  const rows: RequestRow[] = []
  for await (const range of rangesToScan(session, filter.endpoint, bounds, cursor?.created_at)) {
    rows.push(...(await scan(session, filter, within, { range, cursor, limit: limit - rows.length })))
    if (rows.length >= limit) break
  }
  return rows
}

interface ScanOptions {
  readonly range?: Range
  readonly cursor: Cursor | undefined
  readonly limit: number
}

/** Reads the newest `limit` rows that satisfy the conditions, in the range and before the cursor, by one statement. */
async function scan(
  { db, dialect }: Session,
  { endpoint, errors_only: errorsOnly = false, tags = [] }: RequestFilter,
  conditions: readonly Condition[],
  options: ScanOptions,
): Promise<readonly RequestRow[]> {
  const all = [sql<SqlBool>`r.endpoint = ${endpoint}`, ...conditions]
  const query =
    tags.length > 0
      ? byTag(TAGGED[dialect](errorsOnly ? 'request_error' : 'request', options.range), endpoint, tags, all, options)
      : newest(sql`${sql.table(errorsOnly ? 'request_errors' : 'requests')} as r`, 'r', all, options)
  const { rows } = await query.execute(db)
  return rows
}

/** `scanned`: the table of the source whose index gives the order. */
function newest(
  source: RawBuilder<unknown>,
  scanned: 'r' | 't',
  conditions: readonly Condition[],
  { range, cursor, limit }: ScanOptions,
): RawBuilder<RequestRow> {
  const time = sql.ref(`${scanned}.created_at`)
  const publicId = sql.ref(`${scanned}.public_id`)
  const all = [...conditions]
  if (range !== undefined) all.push(...liesIn(range, scanned))
  if (cursor !== undefined) {
    // The second condition implies the first, which lets PostgreSQL skip the partitions of later days.
    all.push(sql`${time} <= ${cursor.created_at}`)
    all.push(sql`(${time}, ${publicId}) < (${cursor.created_at}, ${cursor.public_id})`)
  }
  return sql`
    select ${columnsOf(LIST_PROJECTION)} from ${source} where ${sql.join(all, sql` and `)}
    order by ${time} desc, ${publicId} desc limit ${limit}`
}

type Tagged = (rows: 'request' | 'request_error', range: Range | undefined) => RawBuilder<unknown>

/**
 * Joins tags with requests, so that planners scan the tags and find requests by an index: SQLite keeps the order of a
 * cross join, PostgreSQL that of a lateral join with a limit. The range in it lets PostgreSQL skip partitions.
 */
const TAGGED: Readonly<Record<Dialect, Tagged>> = {
  sqlite: rows => sql`${sql.table(`${rows}_tags`)} as t cross join ${sql.table(`${rows}s`)} as r
    on r.endpoint = t.endpoint and r.created_at = t.created_at and r.public_id = t.public_id`,
  postgres: (rows, range) => sql`${sql.table(`${rows}_tags`)} as t cross join lateral (
    select * from ${sql.table(`${rows}s`)} as i
    where i.endpoint = t.endpoint and i.created_at = t.created_at and i.public_id = t.public_id
      ${range === undefined ? sql`` : sql`and ${sql.join(liesIn(range, 'i'), sql` and `)}`} limit 1) as r`,
}

function liesIn({ from, to }: Range, table: string): Condition[] {
  const time = sql.ref(`${table}.created_at`)
  return [sql`${time} >= ${from}`, sql`${time} < ${to}`]
}

/** One index scan per tag, of at most a page each, so that a rare tag is found as fast as a common one. */
function byTag(
  source: RawBuilder<unknown>,
  endpoint: string,
  tags: readonly string[],
  conditions: readonly Condition[],
  options: ScanOptions,
): RawBuilder<RequestRow> {
  const scans = tags.map(tag => {
    const own = [sql<SqlBool>`t.endpoint = ${endpoint}`, sql<SqlBool>`t.tag = ${tag}`, ...conditions]
    return sql`select * from (${newest(source, 't', own, options)}) as w`
  })
  return sql`${sql.join(scans, sql` union `)} order by created_at desc, public_id desc limit ${options.limit}`
}

function columnsOf({ columns }: Projection): RawBuilder<unknown> {
  return sql.join(columns.map(column => sql.ref(`r.${column}`)))
}
