/**
 * Requests of every surface for the members of an account. Only operators see the backend of a request and its errors
 * (lookup.ts).
 */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { RequestRow, Session } from '../database.ts'
import { rowsWithId, shownId } from './lookup.ts'
import { LIST_PROJECTION, LOOKUP_PROJECTION } from './projection.ts'
import { searchRequests } from './search.ts'

/** Members are combined with AND. */
export interface AccountRequestFilter {
  /** Id of the account. */
  readonly account: string
  /** Only requests of this member. Requests of legacy keys have no user. */
  readonly user?: string | undefined
  /** The requested or the resolved model. */
  readonly model?: string | undefined
  /** HTTP status. */
  readonly status?: number | undefined
  /** Only requests that were refused or failed, including broken streams. */
  readonly errors?: boolean | undefined
  /** Only requests from this time on, in microseconds since the epoch. */
  readonly since: number
  /** Only requests before this time. */
  readonly until?: number | undefined
  /** The `cursor` of the previous page. A text that is not a UUID is ignored. */
  readonly cursor?: string | undefined
  /** UUID. Only the request with this id and later ones. */
  readonly from?: string | undefined
}

/**
 * Pages neither repeat nor skip a request, also while others arrive. A page may be short, or empty, although there are
 * further ones. The next page then continues the search.
 */
export interface AccountRequestPage {
  /**
   * Newest first: the members of a list row (docs/api/endpoint-requests.md#record) with the `request_id` of the
   * response, and `id`, `surface`, `endpoint`, `user_id`, `key_id`, `path`, `cost_microcents`.
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
 * The newest request of an account with this id of a response, or with this UUID. undefined: the account, or its member
 * `user`, has none. The members are those of docs/api/endpoint-request.md#record, the additional ones of the list,
 * `queue_ms`, `first_byte_ms` and `reasoning_tokens`.
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
