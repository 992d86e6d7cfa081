import { PREFLIGHT, ROUTES, type Route, type Surface, UNMATCHED, UNMATCHED_MESSAGES } from '../routes/routes.ts'

/** Every row of the route table on each of its surfaces, and the rows for requests that match none of them. */
export function* placements(): Generator<readonly [Route, Surface]> {
  const rows: readonly Route[] = [...ROUTES, PREFLIGHT, UNMATCHED, UNMATCHED_MESSAGES]
  for (const route of rows) {
    for (const surface of route.surfaces) yield [route, surface]
  }
}
