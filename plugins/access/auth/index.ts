import type { IncomingHttpHeaders } from 'node:http'
import { definePlugin, fail, type HeadersPhase, type Key } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'

type Surface = HeadersPhase['surface']

/**
 * The secret of a request. Two headers with different keys are refused: it would not be clear which account pays. Only
 * the serverless gateway reads x-api-key (docs/api/README.md#authentication).
 */
function secretOf(headers: IncomingHttpHeaders, surface: Surface): string | undefined {
  const { authorization } = headers
  // An empty header counts as absent: some clients send both and leave one empty.
  const bearer = authorization ? bearerOf(authorization) : undefined
  const plain = surface === 'gateway' ? headers['x-api-key']?.toString() || undefined : undefined
  if (bearer !== undefined && plain !== undefined && bearer !== plain) fail('invalid_api_key', {})
  return bearer ?? plain
}

/** RFC 6750 section 2.1. The key is everything after the scheme, spaces included: a malformed key is not repaired. */
function bearerOf(authorization: string): string | undefined {
  const scheme = /^bearer(?: |$)/i.exec(authorization)
  if (scheme === null) fail('invalid_api_key', {})
  const secret = authorization.slice(scheme[0].length)
  return secret === '' ? undefined : secret
}

/** True for inference and the model list of the gateway, which need a serverless key. */
function isServerless({ surface, route }: Pick<HeadersPhase, 'surface' | 'route'>): boolean {
  return surface === 'gateway' && (route.canonical || route.name === 'model-list' || route.name === 'model-card')
}

/** For surfaces that ignore x-api-key: the message must not suggest that header. */
const BEARER_ALONE = { message: "No API key was sent: use 'Authorization: Bearer <API_KEY>'." } as const

export default definePlugin({
  name: 'auth',
  summary: 'Finds the API key of a request and its account.',
  routes: { access: 'key' },
  provides: [key],

  setup(_options, { keys }) {
    const admit = (exchange: HeadersPhase<never, typeof key>, found: Key | undefined) => {
      if (found === undefined) fail('invalid_api_key', {})
      const problem = problemOf(found, exchange.startedMicros)
      if (problem !== undefined) fail('invalid_api_key', {}, { message: problem })
      if (exchange.endpoint !== null && !found.endpoints.includes(exchange.endpoint)) {
        fail('http_403', { problem: 'This key is not authorized for this endpoint.' })
      }
      if (found.kind === 'dedicated' && isServerless(exchange)) {
        fail('http_403', { problem: 'This key opens dedicated endpoints: send the request to the host of one.' })
      }
      keys.noteUse(found, exchange.startedMicros)
      exchange.set(key, found)
    }
    return {
      onHeaders(exchange) {
        const secret = secretOf(exchange.headers, exchange.surface)
        if (secret === undefined) fail('missing_api_key', {}, exchange.surface === 'gateway' ? undefined : BEARER_ALONE)
        const found = keys.find(secret)
        if (found !== undefined) return admit(exchange, found)
        return keys.findFresh(secret).then(fresh => admit(exchange, fresh))
      },
    }
  },
})

/** Why a known key is refused, which only its holder can see. `now`: microseconds since the epoch. */
function problemOf({ disabled, expiresAt, account }: Key, now: number): string | undefined {
  if (disabled) return 'This API key is disabled.'
  if (expiresAt <= now) return 'This API key has expired.'
  return account.disabled ? 'The account of this API key is disabled.' : undefined
}
