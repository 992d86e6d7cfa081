import {
  CLIENT_SURFACES,
  type Config,
  definePlugin,
  type FinishPhase,
  type FormatOptions,
  failure,
  formatOptionsByKey,
  type GatewayError,
  type PlanQuota,
  quotaOf,
  whenKnown,
} from '../../../lib/plugin.ts'
import { key, type QuotaUse, quotaUse } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { usedUp } from '../used-up.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

interface Quota extends Pick<PlanQuota, 'limit' | 'windowMs'> {
  readonly tier: string | undefined
}

export default definePlugin({
  name: 'quota',
  summary: "Refuses a request when its plan's included requests are used up.",
  routes: { proxied: true, surface: CLIENT_SURFACES },
  options,
  needs: [key],
  provides: [quotaUse],

  setup({ shadow, on_store_failure }: Options, services) {
    const { quotas } = services.limits
    const plans = new Map(tieredQuotas(services.config))
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('quota', shadow, services)
    const optionsOf = formatOptionsByKey(services.config)
    return {
      onHeaders(exchange) {
        const caller = exchange.get(key)
        const account = caller.account.id
        const quota = plans.get(caller.account.plan ?? '')
        if (quota === undefined) return exchange.set(quotaUse, null)
        const { limit, windowMs } = quota
        const claim = { account, id: exchange.id, limit, windowMs, enforced: !shadow, onStoreFailure } as const
        const decision = whenKnown(quotas.take(claim), state => {
          exchange.set(quotaUse, state.allowed ? { account, limit, windowMs, state } : null)
          if (!state.allowed) enforce(exchange.logId, caller, refusal(quota, state, optionsOf(caller)))
        })
        exchange.holdUntil(decision)
      },

      onFinish(exchange) {
        const taken = exchange.find(quotaUse) ?? null
        if (taken === null || isCounted(exchange)) return
        quotas.giveBack(taken.account, exchange.id, taken.windowMs, taken.state)
      },
    }
  },
})

function tieredQuotas(config: Pick<Config, 'plans'>): [plan: string, Quota][] {
  return Object.entries(config.plans).flatMap(([plan, { tier }]) => {
    const quota = quotaOf(config, plan)
    return quota === undefined ? [] : [[plan, { ...quota, tier }]]
  })
}

function refusal({ limit, tier }: Quota, { end, resetMs }: QuotaUse['state'], options: FormatOptions): GatewayError {
  const until = new Date(end).toISOString()
  // An unknown tier is absent, not null (docs/errors/request_quota_exceeded.md).
  const extra = { request_limit: limit, window_end: until, ...(tier === undefined ? null : { plan_tier: tier }) }
  return failure('request_quota_exceeded', { limit, until }, { extra, ...usedUp(options, limit, resetMs) })
}

type Ending = Pick<FinishPhase, 'outcome' | 'error' | 'brokeMidStream' | 'requestSent'>

/**
 * Whether the request counts. It does not if it was refused or failed before its response began. It does if its stream
 * broke, or if its client disconnected after it was sent to a backend.
 */
function isCounted({ outcome, error, brokeMidStream, requestSent }: Ending): boolean {
  return outcome === 'client_gone' ? requestSent : error === undefined || brokeMidStream
}
