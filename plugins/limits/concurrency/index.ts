import { definePlugin, failure, limitHeaders, type OnStoreFailure, whenKnown } from '../../../lib/plugin.ts'
import { concurrencyLease, key } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly shadow: boolean
  readonly on_store_failure: OnStoreFailure
}

export default definePlugin({
  name: 'concurrency',
  summary: 'Refuses a request when its account has too many in flight.',
  routes: { proxied: true },
  options,
  needs: [key],
  provides: [concurrencyLease],

  setup({ shadow, on_store_failure }: Options, services) {
    const { leases } = services.limits
    const plans = new Map(Object.entries(services.config.plans))
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('concurrency', shadow, services)
    return {
      onHeaders(exchange) {
        const caller = exchange.get(key)
        const account = caller.account.id
        const limit = plans.get(caller.account.plan ?? '')?.concurrency
        if (limit === undefined) return exchange.set(concurrencyLease, null)
        const decided = (taken: boolean) => {
          exchange.set(concurrencyLease, taken ? account : null)
          if (taken) return
          const error = failure('concurrency_limit_exceeded', { limit }, { headers: limitHeaders(limit) })
          enforce(exchange.logId, caller, error)
        }
        const claim = { account, id: exchange.id, limit, enforced: !shadow, onStoreFailure } as const
        exchange.holdUntil(whenKnown(leases.take(claim), decided))
      },

      onFinish(exchange) {
        const account = exchange.find(concurrencyLease) ?? null
        if (account !== null) leases.release(account, exchange.id)
      },
    }
  },
})
