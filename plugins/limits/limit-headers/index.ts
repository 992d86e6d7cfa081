import { definePlugin, MICROCENTS_PER_CENT, type SendPhase } from '../../../lib/plugin.ts'
import { charge, quotaUse, rateUse, usageReservations } from '../../slots.ts'

/** A limit after this request has been counted, in its own unit: requests, tokens or cents. */
interface LimitState {
  readonly limit: number
  readonly remaining: number
  /** Time until the whole limit is available again if no further request is sent. */
  readonly resetMs: number
}

type Optional = typeof rateUse | typeof quotaUse | typeof usageReservations | typeof charge
type Exchange = SendPhase<never, never, Optional>

/** The longest time for which a request counts in a limit per minute. */
const MINUTE_MS = 60_000

const NONE: readonly never[] = []

/** Concurrency has no headers: the rest changes with each response. Clients would wait for a reset without need. */
export default definePlugin<Record<string, never>, never, never, Optional>({
  name: 'limit-headers',
  summary: 'Reports the remaining limits in the headers of every response.',
  routes: { access: 'key' },
  reads: [rateUse, quotaUse, usageReservations, charge],

  setup(_options, { config: { brand } }) {
    const quotaHeader = `x-${brand}-quota-remaining`
    const creditsHeader = `x-${brand}-credits-available-cents`
    const budgetHeader = `x-${brand}-budget-remaining-cents`
    return {
      onSend(exchange) {
        // A refusal by a limit already has the headers of that limit.
        if (exchange.status === 429) return
        let tightest: LimitState | undefined
        const consider = (state: LimitState) => {
          if (tightest === undefined || shareOf(state) < shareOf(tightest)) tightest = state
        }
        for (const { perMinute, state } of exchange.find(rateUse) ?? NONE)
          consider({ limit: perMinute, remaining: state.remaining, resetMs: MINUTE_MS })
        const quota = exchange.find(quotaUse) ?? null
        if (quota !== null) {
          consider({ limit: quota.limit, remaining: quota.state.remaining, resetMs: quota.state.resetMs })
          setNumber(exchange, quotaHeader, quota.state.remaining)
        }
        const usage = exchange.find(usageReservations) ?? null
        for (const { perMinute, state } of [...(usage?.requests ?? NONE), ...(usage?.tokens ?? NONE)])
          consider({ limit: perMinute, remaining: state.remaining, resetMs: MINUTE_MS })
        let budget = Number.POSITIVE_INFINITY
        for (const { limitMicrocents, state } of usage?.budgets ?? NONE) {
          const remaining = state.remainingMicrocents / MICROCENTS_PER_CENT
          budget = Math.min(budget, remaining)
          consider({ limit: limitMicrocents / MICROCENTS_PER_CENT, remaining, resetMs: state.resetMs })
        }
        setNumber(exchange, budgetHeader, budget)
        const paid = exchange.find(charge) ?? null
        if (paid !== null) setNumber(exchange, creditsHeader, (paid.available - paid.reserved) / MICROCENTS_PER_CENT)
        if (tightest === undefined) return
        setNumber(exchange, 'ratelimit-limit', Math.ceil(tightest.limit))
        setNumber(exchange, 'ratelimit-remaining', tightest.remaining)
        setNumber(exchange, 'ratelimit-reset', Math.ceil(tightest.resetMs / 1000))
      },
    }
  },
})

function shareOf({ remaining, limit }: LimitState): number {
  return remaining / limit
}

/** Sets a header to a whole number, rounded down: at least this much is left. Sets none if the number is not known. */
function setNumber(exchange: Exchange, name: string, value: number): void {
  if (Number.isFinite(value)) exchange.setHeader(name, String(Math.max(0, Math.floor(value))))
}
