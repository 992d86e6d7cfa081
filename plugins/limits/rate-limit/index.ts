import {
  type Config,
  definePlugin,
  type FinishPhase,
  failure,
  type Key,
  limitHeaders,
  whenKnown,
} from '../../../lib/plugin.ts'
import { key, type RateUse, rateUse } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { scopesOf } from '../scopes.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

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

interface Count {
  readonly name: string
  readonly perMinute: number
}

const NONE: readonly never[] = []

export default definePlugin({
  name: 'rate-limit',
  summary: 'Refuses a request when there were too many within a minute.',
  routes: { access: ['key', 'visitor'] },
  options,
  needs: [key],
  provides: [rateUse],

  setup({ inference_per_minute: inference, shadow, on_store_failure }: Options, services) {
    const { rates } = services.limits
    const { rate_limits_per_minute: perMinuteOf } = services.config
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('rate-limit', shadow, services)
    const scopes = scopesOf(services.config)
    /** Of the account and of the key. */
    const ofInference = (caller: Key): readonly Count[] => {
      const { plan, key: own } = scopes(caller)
      const all = plan?.requests_per_minute ?? inference
      const alone = own?.requests_per_minute
      if (all === undefined && alone === undefined) return NONE
      return [
        ...(all === undefined ? [] : [{ name: 'inference', perMinute: all }]),
        ...(alone === undefined ? [] : [{ name: `inference:${caller.id}`, perMinute: alone }]),
      ]
    }
    /** Requests to the management API are counted per key. */
    const ofManagement = (route: string, caller: Key): readonly Count[] => {
      const member = MEMBERS.get(route)
      const perMinute = member && perMinuteOf[member]
      return perMinute === undefined ? NONE : [{ name: `${member}:${caller.id}`, perMinute }]
    }
    return {
      onHeaders(exchange) {
        const caller = exchange.get(key)
        const { proxied, name: route } = exchange.route
        const counts = proxied ? ofInference(caller) : ofManagement(route, caller)
        if (counts.length === 0) return exchange.set(rateUse, NONE)
        const account = caller.account.id
        const uses: RateUse[] = []
        exchange.set(rateUse, uses)
        for (const { name, perMinute } of counts) {
          const claim = { account, id: exchange.id, name, perMinute, enforced: !shadow, onStoreFailure } as const
          const decision = whenKnown(rates.take(claim), state => {
            if (state.allowed) return void uses.push({ account, name, perMinute, state })
            const headers = limitHeaders(perMinute, Math.max(1, Math.ceil(state.resetMs / 1000)))
            enforce(exchange.logId, caller, failure('rate_limit_exceeded', { limit: perMinute }, { headers }))
          })
          // Waits here: an account over its limit must not cause a query of the store.
          if (!proxied) return decision
          exchange.holdUntil(decision)
        }
      },

      onFinish(exchange) {
        const uses = exchange.find(rateUse) ?? NONE
        if (uses.length === 0 || !refusedByLimit(exchange)) return
        for (const { account, name, state } of uses) rates.giveBack(account, exchange.id, name, state)
      },
    }
  },
})

/** A request that another limit has refused is not counted. One that was refused or failed for any other reason is. */
export function refusedByLimit({ error, backend }: Pick<FinishPhase, 'error' | 'backend'>): boolean {
  return backend === null && (error?.status === 402 || error?.status === 429)
}
