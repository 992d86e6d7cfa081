/** Requests of every account, as `sluiceway requests` looks them up. */
import type { JsonObject } from '../base/json.ts'
import { suggestion } from '../base/nearest.ts'
import { parseIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
import { ROUTES, type Surface } from '../routes/routes.ts'
import type { BoundsFilter } from '../store/queries/bounds.ts'
import { lookUpRequest, toJson } from '../store/queries/lookup.ts'
import { searchRequests } from '../store/queries/search.ts'
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

/** A page of requests, newest first. A search that takes long ends before the page is full, with a cursor that goes on. */
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
  const { rows, next } = await searchRequests(store, filter, limit)
  return { requests: rows.map(toJson), has_more: next !== null, cursor: next }
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
