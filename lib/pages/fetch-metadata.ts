/**
 * Who follows a link, and which page sends a form. Source: Fetch Metadata Request Headers, W3C. Browsers send these
 * headers over TLS and to localhost.
 */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * True if a page of this origin sends the form. Pages on other ports are of the same site, so cookies prove nothing.
 * Programs that are not browsers send neither header.
 */
export function isOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === host
}

/**
 * True if a GET consumes a one-time link: that of a user from outside any page, or of a program such as curl. Mail
 * scanners and links on other sites get a confirmation page with a button.
 */
export function usesLink(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-purpose'] !== undefined) return false
  if (headers['sec-fetch-user'] === '?1') return headers['sec-fetch-site'] === 'none'
  return !acceptsHtml(headers)
}

/** True for a browser that opens a page. API clients and scripts ask for other types, or for any. */
export function acceptsHtml({ accept }: IncomingHttpHeaders): boolean {
  return accept?.includes('text/html') === true
}
