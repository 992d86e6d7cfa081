import {
  CLIENT_SURFACES,
  type Config,
  definePlugin,
  failure,
  type Key,
  limitHeaders,
  rateName,
  whenKnown,
} from '../../../lib/plugin.ts'
import { key, type RateUse, rateUse } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { isRefusedByLimit, type RequestLimits, requestLimitsOf } from '../request-limits.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

/** Members of `rate_limits_per_minute` by route. Routes with the same member are counted together. */
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
  ['batch-list', 'batches'],
  ['batch-create', 'batches'],
  ['batch', 'batches'],
  ['batch-cancel', 'batches'],
  ['message-batch-list', 'batches'],
  ['message-batch-create', 'batches'],
  ['message-batch', 'batches'],
  ['message-batch-delete', 'batches'],
  ['message-batch-cancel', 'batches'],
  ['message-batch-results', 'batches'],
] as const)

/** A limit on the requests that are counted under a name. */
interface RateLimit {
  readonly name: string
  readonly perMinute: number
  /** Whose limit it is, for the message; absent: the key's. */
  readonly owner?: string
}

const NONE: readonly RateLimit[] = []

/** `plan`: the limits of the plan. Without one, the limit is that of the plugin, for each account. */
function ownerOf(plan: RequestLimits | undefined): string {
  return plan?.requests_per_minute === undefined ? 'on this account' : 'on this account, which is the limit of its plan'
}

export default definePlugin({
  name: 'rate-limit',
  summary: 'Refuses a request when its account or key has sent too many within a minute.',
  routes: { access: ['key', 'visitor'], surface: CLIENT_SURFACES },
  options,
  needs: [key],
  provides: [rateUse],

  setup({ inference_per_minute: inference, shadow, on_store_failure }: Options, services) {
    const { rates } = services.limits
    const { rate_limits_per_minute: perMinuteOf } = services.config
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('rate-limit', shadow, services)
    const limitsOf = requestLimitsOf(services.config)
    /** Limits of the account and of the key. */
    const ofInference = (caller: Key): readonly RateLimit[] => {
      const { plan, key: own } = limitsOf(caller)
      const ofAccount = plan?.requests_per_minute ?? inference
      const ofKey = own?.requests_per_minute
      if (ofAccount === undefined && ofKey === undefined) return NONE
      return [
        ...(ofAccount === undefined
          ? []
          : [{ name: rateName('inference'), perMinute: ofAccount, owner: ownerOf(plan) }]),
        ...(ofKey === undefined ? [] : [{ name: rateName('inference', caller.id), perMinute: ofKey }]),
      ]
    }
    /** Requests to the management API are counted per key. */
    const ofManagement = (route: string, caller: Key): readonly RateLimit[] => {
      const member = MEMBERS.get(route)
      const perMinute = member && perMinuteOf[member]
      return perMinute === undefined ? NONE : [{ name: `${member}:${caller.id}`, perMinute }]
    }
    return {
      onHeaders(exchange) {
        const caller = exchange.get(key)
        const { proxied, name: route } = exchange.route
        const limits = proxied ? ofInference(caller) : ofManagement(route, caller)
        if (limits.length === 0) return exchange.set(rateUse, [])
        const account = caller.account.id
        const uses: RateUse[] = []
        exchange.set(rateUse, uses)
        for (const { name, perMinute, owner } of limits) {
          const claim = { account, id: exchange.id, name, perMinute, enforced: !shadow, onStoreFailure } as const
          const decision = whenKnown(rates.take(claim), state => {
            if (state.allowed) return void uses.push({ account, name, perMinute, state })
            const headers = limitHeaders(perMinute, Math.max(1, state.resetMs) / 1000)
            const message = owner && `More than ${perMinute} requests a minute ${owner}: slow down.`
            enforce(exchange.logId, caller, failure('rate_limit_exceeded', { limit: perMinute }, { message, headers }))
          })
          // Waits for the decision, because a refused request must not cause a query of the store.
          if (!proxied) return decision
          exchange.holdUntil(decision)
        }
      },

      onFinish(exchange) {
        if (!isRefusedByLimit(exchange)) return
        for (const { account, name, state } of exchange.find(rateUse) ?? [])
          rates.giveBack(account, exchange.id, name, state)
      },
    }
  },
})
