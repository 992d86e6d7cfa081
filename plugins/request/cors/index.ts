import { definePlugin } from '../../../lib/plugin.ts'

/** Response headers that scripts may read: by default a browser exposes only a few. */
const EXPOSED =
  'x-request-id request-id retry-after retry-after-ms x-should-retry ratelimit-limit ratelimit-remaining ratelimit-reset'

/** Names behind the brand: `ignored` is x-service-ignored. */
const EXPOSED_OF_BRAND =
  'input-tokens-estimated ignored quota-remaining budget-remaining-cents credits-available-cents queue-ms fallback loop'

function exposedTo(brand: string): string {
  return [...EXPOSED.split(' '), ...EXPOSED_OF_BRAND.split(' ').map(name => `x-${brand}-${name}`)].join(', ')
}

/** Seconds for which a browser may cache a preflight. Chromium's own limit. */
const MAX_AGE = '7200'

/** Fetch standard, "CORS protocol". No credentials: keys are sent in a header and never in cookies. */
export default definePlugin({
  name: 'cors',
  summary: 'Lets pages of the configured origins call from browsers.',

  setup(_options, { config }) {
    const { origins } = config.cors
    if (origins.length === 0) return {}
    const isAny = origins.includes('*')
    const allowed = new Set(origins)
    const exposed = exposedTo(config.brand)
    return {
      onHeaders(exchange) {
        if (exchange.route.name !== 'preflight') return
        exchange.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
        // Every requested name is allowed, because the gateway ignores unknown request headers.
        const requested = exchange.headers['access-control-request-headers']
        if (requested !== undefined) exchange.setHeader('access-control-allow-headers', requested)
        exchange.setHeader('access-control-max-age', MAX_AGE)
        exchange.reply(204, '')
      },

      onSend(exchange) {
        const { origin } = exchange.headers
        if (!isAny) exchange.setHeader('vary', 'origin')
        if (origin === undefined || !(isAny || allowed.has(origin))) return
        exchange.setHeader('access-control-allow-origin', isAny ? '*' : origin)
        exchange.setHeader('access-control-expose-headers', exposed)
      },
    }
  },
})
