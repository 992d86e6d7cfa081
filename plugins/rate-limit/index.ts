import { limitHeaders } from '../../lib/backend/limit-headers.ts'
import { failure } from '../../lib/errors.ts'
import { enforcement } from '../../lib/limits/enforce.ts'
import { type OnStoreFailure, whenKnown } from '../../lib/limits/limits.ts'
import { definePlugin } from '../../lib/plugin.ts'
import type { Route } from '../../lib/routes.ts'
import { key } from '../slots.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly inference_per_minute?: number
  readonly shadow: boolean
  readonly on_store_failure: OnStoreFailure
}

/** Members of `rate_limits_per_minute` by route: routes of the same member count together. */
const NAMES = {
  endpoints: 'endpoints',
  'endpoint-metrics': 'metrics',
  'endpoint-requests': 'requests',
  'endpoint-request': 'request',
  'usage-me': 'usage',
  'usage-team': 'usage',
} as const

const limitedName = (route: Route) =>
  (NAMES as Readonly<Record<string, (typeof NAMES)[keyof typeof NAMES]>>)[route.name]

export default definePlugin({
  name: 'rate-limit',
  summary: 'Refuses a request when there were too many within a minute.',
  routes: { access: 'key' },
  options,
  needs: [key],

  setup({ inference_per_minute: inference, shadow, on_store_failure: onStoreFailure }: Options, services) {
    const { rates } = services.limits
    const { rate_limits_per_minute: perMinuteOf } = services.config
    const enforce = enforcement('rate-limit', shadow, services)
    return {
      onHeaders(exchange) {
        const name = exchange.route.proxied ? 'inference' : limitedName(exchange.route)
        if (name === undefined) return
        const perMinute = name === 'inference' ? inference : perMinuteOf[name]
        if (perMinute === undefined) return
        const caller = exchange.get(key)
        const { id: account } = caller.account
        // Questions are counted for each key, requests to models for the account.
        const counted = name === 'inference' ? name : `${name}:${caller.id}`
        const claim = { account, id: exchange.id, name: counted, perMinute, onStoreFailure }
        return whenKnown(rates.take(claim), ({ allowed, resetMs }) => {
          if (allowed) return
          const headers = limitHeaders(perMinute, Math.max(1, Math.ceil(resetMs / 1000)))
          enforce(exchange.requestId, caller, failure('rate_limit_exceeded', { limit: perMinute }, { headers }))
        })
      },
    }
  },
})
