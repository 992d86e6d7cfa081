import type { IncomingHttpHeaders } from 'node:http'
import { definePlugin, fail, type HeadersPhase, type Key } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'

type Surface = HeadersPhase['surface']

/**
 * The secrets of a request: none, one, or two different ones. Only the serverless gateway reads x-api-key
 * (docs/api/README.md#authentication).
 */
function secretsOf(headers: IncomingHttpHeaders, surface: Surface): readonly string[] {
  const { authorization } = headers
  // An empty header counts as absent: some clients send both and leave one empty.
  const bearer = authorization ? bearerOf(authorization) : undefined
  const plain = surface === 'gateway' ? headers['x-api-key']?.toString() || undefined : undefined
  if (bearer === null && plain === undefined) fail('invalid_api_key', {})
  return [...new Set([bearer, plain])].filter(secret => typeof secret === 'string')
}

/**
 * RFC 6750 section 2.1. The key is everything after the scheme, spaces included: a malformed key is not repaired.
 * undefined: no key. null: another scheme, such as Basic for a proxy.
 */
function bearerOf(authorization: string): string | undefined | null {
  const scheme = /^bearer(?: |$)/i.exec(authorization)
  if (scheme === null) return null
  return authorization.slice(scheme[0].length) || undefined
}

/** True for inference and the model list of the gateway, which need a serverless key. */
function isServerless({ surface, route }: Pick<HeadersPhase, 'surface' | 'route'>): boolean {
  return surface === 'gateway' && (route.canonical || route.name === 'model-list' || route.name === 'model-card')
}

/** For surfaces that ignore x-api-key: the message must not suggest that header. */
const BEARER_ALONE = { message: "No API key was sent: use 'Authorization: Bearer <API_KEY>'." } as const

const TWO_KEYS = "'Authorization' and 'x-api-key' have two different keys: send one."

export default definePlugin({
  name: 'auth',
  summary: 'Finds the API key of a request and its account.',
  routes: { access: 'key' },
  provides: [key],

  setup(_options, { keys }) {
    /** Of two secrets, one may be left over from another service. Two keys of this one: it is unclear who pays. */
    const known = (secrets: readonly string[]): Key | undefined => {
      const found = secrets.map(secret => keys.find(secret)).filter(one => one !== undefined)
      if (found.length > 1) fail('invalid_api_key', {}, { message: TWO_KEYS })
      return found[0]
    }
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
        // A request of the gateway itself has its key.
        if (exchange.find(key) !== undefined) return
        const secrets = secretsOf(exchange.headers, exchange.surface)
        const [first] = secrets
        if (first === undefined) fail('missing_api_key', {}, exchange.surface === 'gateway' ? undefined : BEARER_ALONE)
        const found = known(secrets)
        if (found !== undefined) return admit(exchange, found)
        return keys.findFresh(first).then(() => admit(exchange, known(secrets)))
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
