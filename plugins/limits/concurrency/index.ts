import { CLIENT_SURFACES, definePlugin, failure, limitHeaders, whenKnown } from '../../../lib/plugin.ts'
import { type ConcurrencyLease, concurrencyLease, key } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { requestLimitsOf } from '../request-limits.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

const NONE: readonly ConcurrencyLease[] = []

export default definePlugin({
  name: 'concurrency',
  summary: 'Refuses a request when its account or its key has too many in flight.',
  routes: { proxied: true, surface: CLIENT_SURFACES },
  options,
  needs: [key],
  provides: [concurrencyLease],

  setup({ shadow, on_store_failure }: Options, services) {
    const { leases } = services.limits
    const plans = new Map(Object.entries(services.config.plans))
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('concurrency', shadow, services)
    const limitsOf = requestLimitsOf(services.config)
    return {
      onHeaders(exchange) {
        const caller = exchange.get(key)
        const account = caller.account.id
        const { plan, key: own } = limitsOf(caller)
        const ofAccount = plan?.concurrency ?? plans.get(caller.account.plan ?? '')?.concurrency
        const ofKey = own?.concurrency
        if (ofAccount === undefined && ofKey === undefined) return exchange.set(concurrencyLease, NONE)
        const acquired: ConcurrencyLease[] = []
        exchange.set(concurrencyLease, acquired)
        const acquire = (limit: number | undefined, id: string | undefined) => {
          if (limit === undefined) return
          const claim = { account, scope: id, id: exchange.id, limit, enforced: !shadow, onStoreFailure } as const
          const decision = whenKnown(leases.take(claim), isAcquired => {
            if (isAcquired) return void acquired.push({ account, key: id })
            const message =
              id === undefined ? undefined : `Requests in flight with this key have reached its limit: ${limit}.`
            const details = { headers: limitHeaders(limit), message }
            enforce(exchange.logId, caller, failure('concurrency_limit_exceeded', { limit }, details))
          })
          exchange.holdUntil(decision)
        }
        acquire(ofAccount, undefined)
        acquire(ofKey, caller.id)
      },

      onFinish(exchange) {
        for (const { account, key: id } of exchange.find(concurrencyLease) ?? NONE)
          leases.release(account, exchange.id, id)
      },
    }
  },
})
