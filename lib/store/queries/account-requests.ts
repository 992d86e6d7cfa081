/**
 * Requests as the members of an account look them up: of every surface, with what customers may see. Which backend served a
 * request, and what it said, is for operators alone (lookup.ts).
 */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { RequestRow, Session } from '../database.ts'
import { rowsWithId, shownId } from './lookup.ts'
import { LIST_PROJECTION, LOOKUP_PROJECTION } from './projection.ts'
import { searchRequests } from './search.ts'

/** Members are combined with AND. */
export interface AccountRequestFilter {
  /** Id. */
  readonly account: string
  /** Only requests of this member. Requests of legacy keys belong to no user. */
  readonly user?: string | undefined
  /** As requested or as resolved. */
  readonly model?: string | undefined
  /** HTTP status. */
  readonly status?: number | undefined
  /** Only requests that were refused or failed, streams that broke included. */
  readonly errors?: boolean | undefined
  /** Only requests from this time on, in microseconds since the epoch. */
  readonly since: number
  /** Only requests before this time. */
  readonly until?: number | undefined
  /** The `cursor` of the page before. A text that is no UUID is ignored. */
  readonly cursor?: string | undefined
  /** UUID: only the request with it and those after it. */
  readonly from?: string | undefined
}

/**
 * Pages neither repeat nor skip a request, also while others arrive. One that has more behind it may be short, and even empty: then
 * the next goes on searching where it has stopped.
 */
export interface AccountRequestPage {
  /**
   * Newest first: the members of a list row (docs/api/endpoint-requests.md#record) with `request_id` as the client was shown
   * it, and `id`, `surface`, `endpoint`, `user_id`, `key_id`, `path`, `cost_microcents`.
   */
  readonly requests: readonly JsonObject[]
  readonly has_more: boolean
  /** null: this is the last page. */
  readonly cursor: string | null
}

/** A page of at most `limit` requests of an account. */
export async function accountRequests(
  session: Session,
  { cursor, ...filter }: AccountRequestFilter,
  limit: number,
): Promise<AccountRequestPage> {
  const before = cursor !== undefined && isUuid(cursor) ? cursor.toLowerCase() : undefined
  const { rows, next } = await searchRequests(session, { ...filter, before }, limit)
  return {
    requests: rows.map(row => ({ ...LIST_PROJECTION.toJson(row), ...ownMembers(row) })),
    has_more: next !== null,
    cursor: next,
  }
}

/**
 * The newest request of an account with this id: any that its client was shown, or its UUID. undefined: the account, or the
 * member that `user` names, has none. As docs/api/endpoint-request.md#record, with the further members of the list,
 * `reasoning_tokens`, and `queue_ms` and `first_byte_ms`: how long the request waited for a backend, and for that one's response head.
 */
export async function accountRequest(
  session: Session,
  owner: Pick<AccountRequestFilter, 'account' | 'user'>,
  id: string,
): Promise<JsonObject | undefined> {
  const [row] = await rowsWithId(session, id, owner)
  if (row === undefined) return undefined
  const { queue_ms, first_byte_ms, reasoning_tokens } = row
  return { ...LOOKUP_PROJECTION.toJson(row), ...ownMembers(row), queue_ms, first_byte_ms, reasoning_tokens }
}

function ownMembers(row: RequestRow): JsonObject {
  const { id, surface, endpoint, user_id, key_id, path, cost_microcents } = row
  return { id, request_id: shownId(row), surface, endpoint, user_id, key_id, path, cost_microcents }
}
