/** Requests of every account, as `sluiceway requests` looks them up. */
import type { JsonObject } from '../base/json.ts'
import { suggestion } from '../base/nearest.ts'
import { parseIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
import { ROUTES, type Surface } from '../routes/routes.ts'
import type { BoundsFilter } from '../store/queries/bounds.ts'
import { lookUpRequest, lookUpRequests } from '../store/queries/lookup.ts'
import type { Desk } from './desk.ts'
import { refuseValue } from './refuse.ts'

/** Only what `schemas/admin/request-query.json` accepts. */
export interface RequestQuery extends BoundsFilter {
  readonly account?: string
  readonly model?: string
  readonly backend?: string
  readonly surface?: Surface
  readonly route?: string
  readonly status?: number
  readonly errors_only: boolean
  readonly from?: string
  readonly to?: string
  readonly limit: number
  readonly cursor?: string
}

const DAY = 24 * 3_600_000_000

/** A page of requests, newest first. */
export async function requestList({ store, now }: Desk, query: RequestQuery): Promise<JsonObject> {
  const { account, errors_only: errors, route, from, to, limit, cursor, ...rest } = query
  const filter = {
    ...rest,
    account: account?.toLowerCase(),
    errors,
    path: route === undefined ? undefined : pathOf(route),
    since: from === undefined ? now - DAY : parseIso(from)!.micros,
    until: to === undefined ? undefined : parseIso(to)!.micros,
    before: cursor?.toLowerCase(),
  }
  const found = await lookUpRequests(store, filter, limit + 1)
  const requests = found.slice(0, limit)
  const hasMore = found.length > limit
  return { requests, has_more: hasMore, cursor: hasMore ? (requests.at(-1)!.id as string) : null }
}

/** The newest request with this id: any that a client was shown, or the UUID of its record. */
export async function requestOf({ store }: Desk, id: string): Promise<JsonObject> {
  const [request] = await lookUpRequest(store, id)
  return request ?? fail('http_404', { problem: 'There is no request with this id in the store.' })
}

function pathOf(name: string): string {
  const route = ROUTES.find(one => one.name === name)
  if (route !== undefined) return route.path
  const hint = suggestion(
    name,
    ROUTES.map(one => one.name),
  )
  refuseValue('route', `is not the name of a route${hint}`)
}
