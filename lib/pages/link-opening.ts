import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a one-time link is used by being opened. It is by a browser whose user has gone to it from outside of any page, and by a
 * program that asks for no page, such as curl. Scanners of mails ask for a page and have no user, and a page of another
 * site may send its visitors anywhere: these get a page with a button. Browsers tell who opens a link over TLS and on
 * localhost (Fetch Metadata Request Headers, W3C).
 */
export function usesLink(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-purpose'] !== undefined) return false
  if (headers['sec-fetch-user'] === '?1') return headers['sec-fetch-site'] === 'none'
  return headers.accept?.includes('text/html') !== true
}
