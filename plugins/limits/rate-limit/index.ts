import {
  type Config,
  definePlugin,
  type FinishPhase,
  failure,
  limitHeaders,
  type OnStoreFailure,
  type RateState,
  whenKnown,
} from '../../../lib/plugin.ts'
import { key, rateUse } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly inference_per_minute?: number
  readonly shadow: boolean
  readonly on_store_failure: OnStoreFailure
}

/** Members of `rate_limits_per_minute` by route: routes of the same member count together. */
const MEMBERS: ReadonlyMap<string, keyof Config['rate_limits_per_minute']> = new Map([
  ['endpoints', 'endpoints'],
  ['endpoint-metrics', 'metrics'],
  ['endpoint-requests', 'requests'],
  ['endpoint-request', 'request'],
  ['usage-me', 'usage'],
  ['usage-team', 'usage'],
  ['file-upload', 'files'],
  ['file-list', 'files'],
  ['file', 'files'],
  ['file-content', 'files'],
  ['file-delete', 'files'],
] as const)

export default definePlugin({
  name: 'rate-limit',
  summary: 'Refuses a request when there were too many within a minute.',
  routes: { access: 'key' },
  options,
  needs: [key],
  provides: [rateUse],

  setup({ inference_per_minute: inference, shadow, on_store_failure }: Options, services) {
    const { rates } = services.limits
    const { rate_limits_per_minute: perMinuteOf } = services.config
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('rate-limit', shadow, services)
    return {
      onHeaders(exchange) {
        const member = exchange.route.proxied ? 'inference' : MEMBERS.get(exchange.route.name)
        const perMinute = member === 'inference' ? inference : member && perMinuteOf[member]
        if (member === undefined || perMinute === undefined) return exchange.set(rateUse, null)
        const caller = exchange.get(key)
        const account = caller.account.id
        // Requests to the management API are counted per key, requests to models per account.
        const name = member === 'inference' ? member : `${member}:${caller.id}`
        const decided = (state: RateState) => {
          exchange.set(rateUse, state.allowed ? { account, name, state } : null)
          if (state.allowed) return
          const headers = limitHeaders(perMinute, Math.max(1, Math.ceil(state.resetMs / 1000)))
          enforce(exchange.logId, caller, failure('rate_limit_exceeded', { limit: perMinute }, { headers }))
        }
        const claim = { account, id: exchange.id, name, perMinute, enforced: !shadow, onStoreFailure } as const
        const decision = whenKnown(rates.take(claim), decided)
        // Waits here: an account over its limit must not cause a query of the store.
        if (!exchange.route.proxied) return decision
        exchange.holdUntil(decision)
      },

      onFinish(exchange) {
        const taken = exchange.find(rateUse) ?? null
        if (taken === null || !refusedByLimit(exchange)) return
        rates.giveBack(taken.account, exchange.id, taken.name, taken.state)
      },
    }
  },
})

/** A request that another limit has refused is not counted. One that was refused or failed for any other reason is. */
export function refusedByLimit({ error, backend }: Pick<FinishPhase, 'error' | 'backend'>): boolean {
  return backend === null && (error?.status === 402 || error?.status === 429)
}
