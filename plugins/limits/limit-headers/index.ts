import { definePlugin, MICROCENTS_PER_CENT, type SendPhase } from '../../../lib/plugin.ts'
import { charge, quotaUse, rateUse, usageReservations } from '../../slots.ts'

/** A limit after this request has been counted, in its own unit: requests, tokens or cents. */
interface Left {
  readonly limit: number
  readonly remaining: number
  /** Until all of it is there again, without a further request. */
  readonly resetMs: number
}

type Found = typeof rateUse | typeof quotaUse | typeof usageReservations | typeof charge
type Sending = SendPhase<never, never, Found>

/** No count of a minute is older. */
const MINUTE_MS = 60_000

/**
 * Requests in flight are not among them: how many are left changes with every response, and a client that waited for the
 * reset of a plan with one at a time would wait for nothing.
 */
export default definePlugin<Record<string, never>, never, never, Found>({
  name: 'limit-headers',
  summary: 'Tells on every response how much is left of the limits that apply.',
  routes: { access: 'key' },
  reads: [rateUse, quotaUse, usageReservations, charge],

  setup(_options, { config: { brand } }) {
    const quotaHeader = `x-${brand}-quota-remaining`
    const creditsHeader = `x-${brand}-credits-available-cents`
    const budgetHeader = `x-${brand}-budget-remaining-cents`
    return {
      onSend(exchange) {
        // A refusal by a limit has the headers of that limit.
        if (exchange.status === 429) return
        let tightest: Left | undefined
        const consider = (left: Left) => {
          if (tightest === undefined || shareOf(left) < shareOf(tightest)) tightest = left
        }
        for (const { perMinute, state } of exchange.find(rateUse) ?? NONE)
          consider({ limit: perMinute, remaining: state.remaining, resetMs: MINUTE_MS })
        const quota = exchange.find(quotaUse) ?? null
        if (quota !== null) {
          consider({ limit: quota.limit, remaining: quota.state.remaining, resetMs: quota.state.resetMs })
          tell(exchange, quotaHeader, quota.state.remaining)
        }
        const usage = exchange.find(usageReservations) ?? null
        for (const { perMinute, state } of usage?.tokens ?? NONE)
          consider({ limit: perMinute, remaining: state.remaining, resetMs: MINUTE_MS })
        let budget = Number.POSITIVE_INFINITY
        for (const { limitMicrocents, state } of usage?.budgets ?? NONE) {
          const remaining = state.remainingMicrocents / MICROCENTS_PER_CENT
          budget = Math.min(budget, remaining)
          consider({ limit: limitMicrocents / MICROCENTS_PER_CENT, remaining, resetMs: state.resetMs })
        }
        tell(exchange, budgetHeader, budget)
        const paid = exchange.find(charge) ?? null
        if (paid !== null) tell(exchange, creditsHeader, (paid.available - paid.reserved) / MICROCENTS_PER_CENT)
        if (tightest === undefined) return
        tell(exchange, 'ratelimit-limit', Math.ceil(tightest.limit))
        tell(exchange, 'ratelimit-remaining', tightest.remaining)
        tell(exchange, 'ratelimit-reset', Math.ceil(tightest.resetMs / 1000))
      },
    }
  },
})

const NONE: readonly never[] = []

function shareOf({ remaining, limit }: Left): number {
  return remaining / limit
}

/** Whole numbers, rounded down: at least this much is left. No header where the number is not known. */
function tell(exchange: Sending, name: string, value: number): void {
  if (Number.isFinite(value)) exchange.setHeader(name, String(Math.max(0, Math.floor(value))))
}
