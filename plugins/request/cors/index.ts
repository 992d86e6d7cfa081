import { definePlugin } from '../../../lib/plugin.ts'

/** Response headers that scripts may read; a browser hides all but a few otherwise. */
const exposedTo = (brand: string) =>
  `x-request-id, request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-${brand}-input-tokens-estimated, x-${brand}-ignored`

/** How long a browser may remember a preflight, in seconds. Chromium's own limit. */
const MAX_AGE = '7200'

/** Fetch standard, "CORS protocol". Keys travel in a header and never in cookies, so credentials are not allowed. */
export default definePlugin({
  name: 'cors',
  summary: 'Lets pages of the configured origins call from browsers.',

  setup(_options, { config }) {
    const { origins } = config.cors
    if (origins.length === 0) return {}
    const all = origins.includes('*')
    const known = new Set(origins)
    const exposed = exposedTo(config.brand)
    return {
      onHeaders(exchange) {
        if (exchange.route.name !== 'preflight') return
        exchange.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
        // All names that the page asks for: unknown request headers are ignored, as those of other clients are.
        const wanted = exchange.headers['access-control-request-headers']
        if (wanted !== undefined) exchange.setHeader('access-control-allow-headers', wanted)
        exchange.setHeader('access-control-max-age', MAX_AGE)
        exchange.reply(204, '')
      },

      onSend(exchange) {
        const { origin } = exchange.headers
        if (!all) exchange.setHeader('vary', 'origin')
        if (origin === undefined || !(all || known.has(origin))) return
        exchange.setHeader('access-control-allow-origin', all ? '*' : origin)
        exchange.setHeader('access-control-expose-headers', exposed)
      },
    }
  },
})
