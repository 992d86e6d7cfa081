import {
  CLIENT_SURFACES,
  definePlugin,
  failure,
  type GatewayError,
  MICROCENTS_PER_CENT,
  microcentsOf,
  whenKnown,
} from '../../../lib/plugin.ts'
import { batchLine, charge, chat, key, pipe, promptMeasure, target, unitUse, usage } from '../../slots.ts'
import { charged, costOfExchange, FREE, reservationOf } from '../costs.ts'
import { enforcement } from '../enforce.ts'
import { expectedUse, measure } from '../estimate.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

type Needed = typeof key | typeof target
type Provided = typeof charge | typeof promptMeasure
type Optional = typeof chat | typeof pipe | typeof usage | typeof unitUse | typeof batchLine

export default definePlugin<Options, Needed, Provided, Optional>({
  name: 'credits',
  summary: 'Reserves the estimated cost of a request of a prepaid account, and settles the actual cost.',
  routes: { proxied: true, surface: [...CLIENT_SURFACES, 'batch'] },
  options,
  needs: [key, target],
  wants: [chat, pipe, batchLine],
  provides: [charge, promptMeasure],
  reads: [usage, unitUse],
  // A request that one of these refuses or answers needs no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits, tokens } = services
    const { credits } = limits
    const { broken_streams } = config.credits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('credits', shadow, services)
    return {
      onBody(exchange) {
        const request = exchange.find(chat)
        const body = exchange.find(pipe)?.body
        const size = measure(exchange, request, body)
        const caller = exchange.get(key)
        const { id: account, creditsCents } = caller.account
        const to = exchange.get(target)
        exchange.set(promptMeasure, size)
        if (creditsCents === undefined) return exchange.set(charge, null)
        const { pricing = FREE, max_model_len, id: model } = to.model
        const prices = [to, ...(to.fallbacks?.() ?? [])].flatMap(one => one.model.pricing ?? [])
        if (prices.length === 0) return exchange.set(charge, null)
        const known = { tokens, model, context: max_model_len, assumed, config }
        const expected = expectedUse(exchange, request, body, size, known)
        // A fallback may have higher prices.
        const factor = exchange.find(batchLine)?.priceFactor ?? 1
        const microcents = Math.max(...prices.map(pricing => reservationOf({ pricing, factor }, expected)))
        const initialMicrocents = microcentsOf(creditsCents)
        const claim = { account, id: exchange.id, microcents, initialMicrocents, enforced: !shadow, onStoreFailure }
        const decision = whenKnown(credits.reserve(claim), ({ allowed, availableMicrocents: available }) => {
          exchange.set(charge, allowed ? { account, pricing, reserved: microcents, available, microcents: null } : null)
          if (allowed) return
          const error = insufficient(microcents, available, config.topup_url ?? pageOn(exchange.origin))
          enforce(exchange.logId, caller, error)
        })
        exchange.holdUntil(decision)
      },

      onFinish(exchange) {
        const due = exchange.find(charge) ?? null
        if (due === null) return
        // The prices of the model that has served the request.
        due.pricing = exchange.find(target)?.model.pricing ?? FREE
        const units = exchange.find(unitUse) ?? null
        const line = exchange.find(batchLine)
        const price = { pricing: due.pricing, factor: line?.priceFactor ?? 1 }
        const microcents = costOfExchange(exchange, price, exchange.find(usage), units, broken_streams)
        const { account } = due
        const { id } = exchange
        if (microcents === 0) return credits.release(account, id)
        due.microcents = microcents
        charged(line, microcents, cost => credits.settle(account, id, cost))
      },
    }
  },
})

/** The balance is rounded down and the estimate up, so that the balance never seems to cover the request. */
function insufficient(required: number, available: number, topup_url: string): GatewayError {
  const extra = {
    credits_available_cents: Math.max(0, Math.floor(available / MICROCENTS_PER_CENT)),
    credits_required_cents_estimate: Math.ceil(required / MICROCENTS_PER_CENT),
    topup_url,
  }
  return failure('insufficient_credits', {}, { extra })
}

/** The page about the error on the host that the client has addressed. */
function pageOn(origin: string): string {
  return `${origin}/docs/errors/insufficient_credits`
}
