import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a form was sent by a page of this origin, as browsers tell it. Pages of other ports of a host count as the same site,
 * so that cookies alone prove nothing. Programs that are no browsers send neither header.
 */
export function isOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === host
}
