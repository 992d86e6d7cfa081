/** The requests of a dedicated endpoint: the list and the single lookup (api.md "List requests", "Single-request lookup"). */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JsonObject } from '../../json.ts'
import type { RequestRow } from '../database.ts'
import { publicIdOf } from '../rows.ts'
import type { Dialect, Session } from '../session.ts'
import { type Cursor, formatCursor } from './cursor.ts'
import { LIST_PROJECTION, LOOKUP_PROJECTION, type Projection } from './projection.ts'

/** All members combine with AND; bounds are inclusive. */
export interface RequestFilter {
  readonly endpoint: string
  /** Only 4xx and 5xx, from the error log. Of the members below only `tags` counts then. */
  readonly errors_only?: boolean | undefined
  readonly min_ttft_ms?: number | undefined
  readonly max_ttft_ms?: number | undefined
  readonly min_total_latency_ms?: number | undefined
  readonly max_total_latency_ms?: number | undefined
  readonly max_cache_hit_pct?: number | undefined
  readonly min_input_tokens?: number | undefined
  /** Requests that carry at least one of them. */
  readonly tags?: readonly string[] | undefined
}

/** The envelope of the API. */
export interface RequestPage extends JsonObject {
  requests: JsonObject[]
  has_more: boolean
  cursor: string | null
}

type Condition = Expression<SqlBool>

/** Newest first. `cursor`: only what is strictly older. */
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

/** The request of this public id or UUID with all its members; undefined where the endpoint has none. */
export async function findRequest({ db }: Session, endpoint: string, id: string): Promise<JsonObject | undefined> {
  const conditions = [sql<SqlBool>`r.endpoint = ${endpoint}`, sql<SqlBool>`r.public_id = ${publicIdOf(id)}`]
  if (UUID.test(id)) conditions.push(sql`r.id = ${id.toLowerCase()}`)
  for (const table of ['requests', 'request_errors']) {
    // No order and no limit: with either, planners prefer to walk the list's index, through all of the endpoint.
    const query = sql<RequestRow>`
      select ${columnsOf(LOOKUP_PROJECTION)} from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)}`
    const { rows } = await query.execute(db)
    if (rows[0] !== undefined) return LOOKUP_PROJECTION.toJson(rows[0])
  }
  return undefined
}

async function findPage(
  { db, dialect }: Session,
  filter: RequestFilter,
  cursor: Cursor | undefined,
  limit: number,
): Promise<readonly RequestRow[]> {
  const { errors_only: errorsOnly = false, tags = [] } = filter
  const conditions = [
    sql<SqlBool>`r.endpoint = ${filter.endpoint}`,
    ...(errorsOnly ? [] : boundsOf(filter)),
    ...(errorsOnly && tags.length > 0 ? [carriesOneOf(tags)] : []),
  ]
  const query =
    !errorsOnly && tags.length > 0
      ? byTag(TAGGED[dialect], filter.endpoint, tags, conditions, cursor, limit)
      : newest(sql`${sql.table(errorsOnly ? 'request_errors' : 'requests')} as r`, 'r', conditions, cursor, limit)
  const { rows } = await query.execute(db)
  return rows
}

/** The rows of `source` that are older than the cursor. `walked`: the table along whose index they are found. */
function newest(
  source: RawBuilder<unknown>,
  walked: 'r' | 't',
  conditions: readonly Condition[],
  cursor: Cursor | undefined,
  limit: number,
): RawBuilder<RequestRow> {
  const time = sql.ref(`${walked}.created_at`)
  const place = sql.ref(`${walked}.public_id`)
  const all =
    cursor === undefined
      ? conditions
      : [
          ...conditions,
          // The first says nothing new, but by it PostgreSQL leaves out the partitions of later days.
          sql<SqlBool>`${time} <= ${cursor.created_at}`,
          sql<SqlBool>`(${time}, ${place}) < (${cursor.created_at}, ${cursor.public_id})`,
        ]
  return sql`
    select ${columnsOf(LIST_PROJECTION)} from ${source} where ${sql.join(all, sql` and `)}
    order by ${time} desc, ${place} desc limit ${limit}`
}

/**
 * Tags with their requests, in words that make each planner walk along the tags and look each request up: SQLite nests
 * the loops of a cross join as they are written, and PostgreSQL cannot turn a lateral join with a limit inside out.
 */
const TAGGED: Readonly<Record<Dialect, RawBuilder<unknown>>> = {
  sqlite: sql`request_tags as t cross join requests as r
    on r.endpoint = t.endpoint and r.created_at = t.created_at and r.public_id = t.public_id`,
  postgres: sql`request_tags as t cross join lateral (
    select * from requests
    where endpoint = t.endpoint and created_at = t.created_at and public_id = t.public_id limit 1) as r`,
}

/** One walk along each tag's index, none longer than a page: a rare tag is found as fast as a common one. */
function byTag(
  source: RawBuilder<unknown>,
  endpoint: string,
  tags: readonly string[],
  conditions: readonly Condition[],
  cursor: Cursor | undefined,
  limit: number,
): RawBuilder<RequestRow> {
  const walks = tags.map(tag => {
    const own = [sql<SqlBool>`t.endpoint = ${endpoint}`, sql<SqlBool>`t.tag = ${tag}`, ...conditions]
    return sql`select * from (${newest(source, 't', own, cursor, limit)}) as w`
  })
  return sql`${sql.join(walks, sql` union `)} order by created_at desc, public_id desc limit ${limit}`
}

function carriesOneOf(tags: readonly string[]): Condition {
  return sql<SqlBool>`exists (
    select 1 from request_tags as t
    where t.endpoint = r.endpoint and t.created_at = r.created_at and t.public_id = r.public_id
    and t.tag in (${sql.join(tags)}))`
}

/** A member of the filter, the column it bounds, and how. */
const BOUNDS = [
  ['min_ttft_ms', 'ttft_ms', '>='],
  ['max_ttft_ms', 'ttft_ms', '<='],
  ['min_total_latency_ms', 'total_latency_ms', '>='],
  ['max_total_latency_ms', 'total_latency_ms', '<='],
  ['max_cache_hit_pct', 'cache_hit_pct', '<='],
  ['min_input_tokens', 'input_tokens', '>='],
] as const

function boundsOf(filter: RequestFilter): Condition[] {
  return BOUNDS.flatMap(([member, column, operator]) => {
    const value = filter[member]
    // At least no tokens: true of every request, also of those whose tokens nobody counted.
    if (value === undefined || (member === 'min_input_tokens' && value <= 0)) return []
    return [sql<SqlBool>`${sql.ref(`r.${column}`)} ${sql.raw(operator)} ${value}`]
  })
}

function columnsOf({ columns }: Projection): RawBuilder<unknown> {
  return sql.join(columns.map(column => sql.ref(`r.${column}`)))
}
