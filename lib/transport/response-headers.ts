import type { IncomingHttpHeaders } from 'node:http'

/** Of headers whose values make no list, the first counts. */
const FIRST_COUNTS: ReadonlySet<string> = new Set(['content-type', 'retry-after'])

/** Headers that came several times become one value, as RFC 9110 section 5.3 says. Nearly always there are none. */
export function singleValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'object') headers[name] = FIRST_COUNTS.has(name) ? value[0]! : value.join(', ')
  }
  return headers
}
