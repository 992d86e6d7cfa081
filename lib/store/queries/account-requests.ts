/** Requests of every surface for the members of an account. Only operators see backends and their errors (lookup.ts) */
import { isUuid } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { RequestRow, Session } from '../database.ts'
import { type LookupFilter, rowsWithId, shownId } from './lookup.ts'
import { LIST_PROJECTION, LOOKUP_PROJECTION } from './projection.ts'
import { searchRequests } from './search.ts'

/** Members are combined with AND. */
export interface AccountRequestFilter
  extends Pick<
    LookupFilter,
    'user' | 'key' | 'session' | 'batch' | 'model' | 'status' | 'errors' | 'since' | 'until' | 'from'
  > {
  readonly account: string
  /** The `cursor` of the previous page. A text that is not a UUID is ignored. */
  readonly cursor?: string | undefined
}

/** Pages neither repeat nor skip a request. A short or empty page may have a next page, which continues the search. */
export interface AccountRequestPage {
  /**
   * Newest first: a list row (docs/api/endpoint-requests.md#record) with the `request_id` of the response, and `id`,
   * `surface`, `endpoint`, `user_id`, `key_id`, `path`, `cost_microcents`, `session`, `batch_id`, `batch_line`.
   */
  readonly requests: readonly JsonObject[]
  readonly has_more: boolean
  /** null: this is the last page. */
  readonly cursor: string | null
}

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
 * The newest request of an account, or of its member `user`, with this id of a response or this UUID.
 * The members are those of docs/api/endpoint-request.md#record, the additional ones of the list, `queue_ms`,
 * `first_byte_ms` and `reasoning_tokens`.
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
  const { id, surface, endpoint, user_id, key_id, path, cost_microcents, session, batch_id, batch_line } = row
  return {
    ...{ id, request_id: shownId(row), surface, endpoint, user_id, key_id, path },
    ...{ cost_microcents, session, batch_id, batch_line },
  }
}
