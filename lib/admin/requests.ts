/** Searches requests of all accounts, by the same queries as `sluiceway requests`. */
import type { JsonObject } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { ROUTES, type Surface } from '../routes/routes.ts'
import type { BoundsFilter } from '../store/queries/bounds.ts'
import { lookUpRequest, REQUEST_MEMBERS, toJson } from '../store/queries/lookup.ts'
import { searchRequests } from '../store/queries/search.ts'
import { suggestion } from '../text/nearest.ts'
import { withAccountNames, withNameMember } from './account-names.ts'
import { accountIdOf } from './accounts.ts'
import type { AdminContext } from './context.ts'
import { microsOf, refuseValue } from './values.ts'

/** A query that `schemas/admin/request-query.json` accepts. */
export interface RequestQuery extends BoundsFilter {
  readonly account?: string
  readonly model?: string
  readonly backend?: string
  readonly key?: string
  readonly user?: string
  readonly client?: string
  readonly session?: string
  readonly batch?: string
  readonly surface?: Surface
  readonly endpoint?: string
  readonly route?: string
  readonly tag?: readonly string[]
  readonly status?: number
  readonly status_class?: 4 | 5
  readonly errors_only: boolean
  readonly from?: string
  readonly to?: string
  readonly limit: number
  readonly cursor?: string
}

/** Members of a request, in order. */
export const OPERATORS_REQUEST = withNameMember(REQUEST_MEMBERS)

const DAY_MICROS = 24 * 3_600_000_000

/** A page of requests, newest first. A long search stops before the page is full and returns a cursor to continue. */
export async function requestList(context: AdminContext, query: RequestQuery): Promise<JsonObject> {
  const { account, errors_only: errors, endpoint, tag, route, from, to, limit, cursor, ...rest } = query
  const { store, now } = context
  const filter = {
    ...rest,
    account: await accountIdOf(context, account),
    errors,
    endpoint: endpoint?.toLowerCase(),
    tags: tag,
    path: route === undefined ? undefined : pathOf(route),
    // A batch may be older than a day, and an index finds its lines.
    since: microsOf(from) ?? (rest.batch === undefined ? now - DAY_MICROS : 0),
    until: microsOf(to),
    before: cursor?.toLowerCase(),
  }
  const { rows, next } = await searchRequests(store, filter, limit)
  return { requests: await withAccountNames(context, rows.map(toJson)), has_more: next !== null, cursor: next }
}

/** The newest request with this id: any id that clients see, or the UUID of the record. */
export async function requestOf(context: AdminContext, id: string): Promise<JsonObject> {
  const [request] = await withAccountNames(context, await lookUpRequest(context.store, id))
  return request ?? fail('http_404', { problem: 'There is no request with this id in the store.' })
}

function pathOf(wanted: string): string {
  const route = ROUTES.find(({ name, method, path }) => [name, path, `${method} ${path}`].includes(wanted))
  if (route !== undefined) return route.path
  const hint = suggestion(
    wanted,
    ROUTES.flatMap(({ name, path }) => [name, path]),
  )
  refuseValue(
    'route',
    `is '${wanted}', which is neither the name nor the path of a route${hint || ': chat and /v1/chat/completions are one'}`,
  )
}
