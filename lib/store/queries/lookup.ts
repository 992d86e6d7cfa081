/** Requests of every surface for operators, with members that customers do not see. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { isUuid } from '../../base/ids.ts'
import { type JsonObject, parseJson } from '../../base/json.ts'
import { toIso } from '../../base/time.ts'
import type { Surface } from '../../config/surface.ts'
import type { RequestRow, Session } from '../database.ts'
import { MEMBER_NAMES } from '../record.ts'
import { publicIdOf } from '../rows.ts'
import { type BoundsFilter, boundsOf, liesWithin } from './bounds.ts'

/** Members are combined with AND. */
export interface LookupFilter extends BoundsFilter {
  readonly account?: string | undefined
  /** With `account`, an index finds it. */
  readonly user?: string | undefined
  readonly status?: number | undefined
  /** 4: only 4xx; 5: only 5xx. */
  readonly status_class?: 4 | 5 | undefined
  /** The requested or the resolved model. */
  readonly model?: string | undefined
  readonly backend?: string | undefined
  /** Family of the client. */
  readonly client?: string | undefined
  /** Id of the key. */
  readonly key?: string | undefined
  /** Hash of the session. With `account`, an index finds it. */
  readonly session?: string | undefined
  /** Id of a batch: its lines. An index finds them. */
  readonly batch?: string | undefined
  /** Only requests that were refused or failed, including broken streams. */
  readonly errors?: boolean | undefined
  /** Only requests from this time on, in microseconds since the epoch. */
  readonly since: number
  /** Only requests before this time. */
  readonly until?: number | undefined
  readonly surface?: Surface | undefined
  /** Host of the dedicated endpoint. */
  readonly endpoint?: string | undefined
  /** Only requests with at least one of these tags. */
  readonly tags?: readonly string[] | undefined
  /** The path of the request, without its query. */
  readonly path?: string | undefined
  /** Only requests before the one with this id, which is the last of the previous page. */
  readonly before?: string | undefined
  /** Only the request with this id and later ones. */
  readonly from?: string | undefined
}

type RequestTable = 'requests' | 'request_errors'

/** The tables that may contain such requests (record-rows.ts). The error log has every 4xx and 5xx, and no others. */
export function tablesOf({
  status,
  status_class: hundreds,
}: Pick<LookupFilter, 'status' | 'status_class'>): readonly RequestTable[] {
  if (hundreds !== undefined) return ['request_errors']
  if (status === undefined) return ['requests', 'request_errors']
  return status < 400 ? ['requests'] : ['request_errors']
}

export async function lookUpRequests(session: Session, filter: LookupFilter, limit: number): Promise<JsonObject[]> {
  return (await newestRows(session, filter, limit)).map(toJson)
}

export async function newestRows(session: Session, filter: LookupFilter, limit: number): Promise<RequestRow[]> {
  const { errors = false, status, status_class: hundreds } = filter
  const all = [...conditionsOf(filter), ...(session.dialect === 'postgres' ? partitionBounds(filter) : [])]
  const own: Readonly<Record<RequestTable, readonly Expression<SqlBool>[]>> = {
    requests: errors ? [sql`r.stream_error_type is not null`] : [],
    request_errors: errors || (status ?? hundreds) !== undefined ? [] : [sql`not r.dispatched`],
  }
  const scans = tablesOf(filter).map(table => newest(session, table, [...all, ...own[table]], limit))
  const rows = (await Promise.all(scans)).flat()
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
}

/** The newest MAX_WITH_ID requests with this id: `req_` and 12 hex digits, the digits, a UUID, or `client_…`. */
export async function lookUpRequest(session: Session, id: string): Promise<JsonObject[]> {
  return (await rowsWithId(session, id)).map(toJson)
}

/** Maximum number of requests that are read by an id. A client may give the same id to every request. */
const MAX_WITH_ID = 100

/** The account of a request, and the member if `user` is given. */
interface Owner {
  readonly account: string
  readonly user?: string | undefined
}

/** The newest MAX_WITH_ID rows with this id. `owner`: only requests of this owner. */
export async function rowsWithId(session: Session, id: string, owner?: Owner): Promise<RequestRow[]> {
  const conditions = idConditions(id)
  if (conditions === undefined) return []
  const own = sql.join([sql`true`, ...ownerConditions(owner)], sql` and `)
  const found = new Map<string, RequestRow>()
  for (const table of ['requests', 'request_errors'] as const) {
    // A separate query for the id, because with owner, order or limit, planners may scan another index.
    const query = sql<RequestRow>`
      with found as materialized (select r.* from ${sql.table(table)} as r where ${sql.join(conditions, sql` and `)})
      select * from found as r where ${own} order by r.id desc limit ${MAX_WITH_ID}`
    for (const row of (await query.execute(session.db)).rows) found.set(row.id, row)
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MAX_WITH_ID)
}

function ownerConditions(owner: Owner | undefined): Expression<SqlBool>[] {
  if (owner === undefined) return []
  const ofAccount = sql<SqlBool>`r.account_id = ${owner.account}`
  return owner.user === undefined ? [ofAccount] : [ofAccount, sql<SqlBool>`r.user_id = ${owner.user}`]
}

const PUBLIC_ID = /^(?:req_)?([0-9a-f]{12})$/i
const MINUTE = 60_000_000

function idConditions(id: string): Expression<SqlBool>[] | undefined {
  if (id.startsWith('client_')) return [sql`r.client_request_id = ${id}`]
  const hex = PUBLIC_ID.exec(id)?.[1]
  if (hex !== undefined) return [sql`r.public_id = ${publicIdOf(hex)}`]
  if (!isUuid(id)) return undefined
  return [sql`r.id = ${id.toLowerCase()}`, ...partitionBounds({ from: id, before: id })]
}

/** Lets PostgreSQL skip partitions by the time in a UUIDv7. Planning for a partition costs more than finding a row. */
function partitionBounds({ from, before }: Pick<LookupFilter, 'from' | 'before'>): Expression<SqlBool>[] {
  const [first, last] = [microsOf(from), microsOf(before)]
  const bounds: Expression<SqlBool>[] = []
  if (first !== undefined) bounds.push(sql`r.created_at >= ${first - MINUTE}`)
  if (last !== undefined) bounds.push(sql`r.created_at < ${last + MINUTE}`)
  return bounds
}

/** Microseconds since the epoch. undefined: not a UUIDv7. */
function microsOf(id: string | undefined): number | undefined {
  return id?.[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) * 1000 : undefined
}

function conditionsOf(filter: LookupFilter): Expression<SqlBool>[] {
  const {
    account,
    user,
    status,
    status_class: hundreds,
    model,
    backend,
    client,
    key,
    session,
    batch,
    since,
    until,
    surface,
    endpoint,
    tags = [],
    path,
  } = filter
  const conditions: Expression<SqlBool>[] = [sql`r.created_at >= ${since}`, ...idBounds(filter)]
  if (until !== undefined) conditions.push(sql`r.created_at < ${until}`)
  if (surface !== undefined) conditions.push(sql`r.surface = ${surface}`)
  if (endpoint !== undefined) conditions.push(sql`r.endpoint = ${endpoint}`)
  if (tags.length > 0) conditions.push(sql`(${sql.join(tags.map(hasTag), sql` or `)})`)
  if (path !== undefined) conditions.push(sql`r.path = ${path}`)
  if (account !== undefined) conditions.push(sql`r.account_id = ${account}`)
  if (user !== undefined) conditions.push(sql`r.user_id = ${user}`)
  if (status !== undefined) conditions.push(sql`r.status_code = ${status}`)
  if (hundreds !== undefined) conditions.push(sql`r.status_code between ${hundreds * 100} and ${hundreds * 100 + 99}`)
  if (model !== undefined) conditions.push(sql`(r.model_resolved = ${model} or r.model_requested = ${model})`)
  if (client !== undefined) conditions.push(sql`r.client = ${client}`)
  if (key !== undefined) conditions.push(sql`r.key_id = ${key}`)
  if (session !== undefined) conditions.push(sql`r.session = ${session}`)
  if (batch !== undefined) conditions.push(sql`r.batch_id = ${batch}`)
  if (backend !== undefined) conditions.push(contains(sql`r.backend`, backend))
  return [...conditions, ...boundsOf(filter).map(liesWithin)]
}

/** Tags are stored as one text, joined by commas. */
function hasTag(tag: string): Expression<SqlBool> {
  return contains(sql`',' || r.request_tags || ','`, `,${tag},`)
}

function contains(column: Expression<unknown>, text: string): Expression<SqlBool> {
  return sql`${column} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}

/** Conditions on ids: one per end, because SQLite seeks by only one of several and may choose the widest. */
export function idBounds({
  since,
  until,
  before,
  from,
}: Pick<LookupFilter, 'since' | 'until' | 'before' | 'from'>): Expression<SqlBool>[] {
  const lows = [firstIdAt(since), from?.toLowerCase() ?? '']
  const highs = [until === undefined ? [] : [firstIdAt(until + 1000)], before ?? []].flat()
  const low = sql<SqlBool>`r.id >= ${lows.toSorted().at(-1)!}`
  return highs.length === 0 ? [low] : [low, sql<SqlBool>`r.id < ${highs.toSorted()[0]!}`]
}

/** The lowest UUIDv7 of this time. Ids are ordered by time, so the primary key finds the newest rows. */
export function firstIdAt(micros: number): string {
  const time = Math.max(0, Math.floor(micros / 1000))
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

async function newest(
  { db }: Session,
  table: RequestTable,
  conditions: readonly Expression<SqlBool>[],
  limit: number,
): Promise<readonly RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select r.* from ${sql.table(table)} as r where ${sql.join([...conditions], sql` and `)}
    order by r.id desc limit ${limit}`.execute(db)
  return rows
}

const FLAGS = ['is_streaming', 'usage_present', 'zdr', 'dispatched'] as const

/** The members of toJson(). */
export const REQUEST_MEMBERS = ['request_id', ...MEMBER_NAMES.filter(name => name !== 'client_request_id')]

/** Every member of the record, with the request id of the response. */
export function toJson(stored: RequestRow): JsonObject {
  const { public_id: _id, cache_hit_pct: _pct, request_tags, client_request_id: _client, ...row } = stored
  return {
    request_id: shownId(stored),
    ...row,
    ...Object.fromEntries(FLAGS.map(name => [name, Boolean(row[name])])),
    created_at: toIso(row.created_at),
    request_tags: request_tags?.split(',') ?? null,
    attempt_list: parseJson(stored.attempt_list ?? 'null') ?? null,
  }
}

/** The request id of the response. */
export function shownId({ public_id, surface, client_request_id }: RequestRow): string {
  const digits = public_id.toString(16).padStart(12, '0')
  return client_request_id ?? (surface === 'dedicated' ? digits : `req_${digits}`)
}
