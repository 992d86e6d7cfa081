import { fail, type Key } from '../../lib/plugin.ts'

/**
 * The host of the dedicated endpoint that a query names. An endpoint that the key may not read is refused like one that
 * does not exist.
 */
export function readableEndpoint(key: Key, endpoint: string): string {
  const host = endpoint.toLowerCase()
  if (!key.endpoints.includes(host)) {
    fail(
      'http_403',
      { problem: 'This key is not authorized for this endpoint.' },
      { param: 'endpoint', ownParam: true },
    )
  }
  return host
}
