import {
  type BodyPhase,
  type Config,
  type CreditState,
  costOf,
  definePlugin,
  type FinishPhase,
  failure,
  type GatewayError,
  MICROCENTS_PER_CENT,
  type OnStoreFailure,
  type Pricing,
  pipeSize,
  promptSize,
  whenKnown,
} from '../../../lib/plugin.ts'
import { type Charge, charge, chat, key, pipe, promptMeasure, type ReplyUsage, target, usage } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { estimate, estimateAudio } from './estimate.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly assumed_output_tokens: number
  readonly shadow: boolean
  readonly on_store_failure: OnStoreFailure
}

type Needed = typeof key | typeof target
type Provided = typeof charge | typeof promptMeasure
type Found = typeof chat | typeof pipe | typeof usage

export default definePlugin<Options, Needed, Provided, Found>({
  name: 'credits',
  summary: 'Reserves what a request may cost a prepaid account, and settles what it did cost.',
  routes: { proxied: true },
  options,
  needs: [key, target],
  wants: [chat, pipe],
  provides: [charge, promptMeasure],
  reads: [usage],
  // Requests that these refuse or answer need no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits, tokens } = services
    const { credits } = limits
    const { broken_streams } = config.credits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('credits', shadow, services)
    return {
      onBody(exchange) {
        const caller = exchange.get(key)
        const { id: account, creditsCents } = caller.account
        const to = exchange.get(target)
        const { pricing = FREE, max_model_len, id: model } = to.model
        const prices = [to, ...(to.fallbacks?.() ?? [])].flatMap(one => one.model.pricing ?? [])
        const { form } = exchange.route
        const request = exchange.find(chat)
        const size =
          request !== undefined
            ? promptSize(request)
            : form
              ? null
              : pipeSize(exchange.find(pipe)?.body ?? {}, exchange.bodyBytes)
        exchange.set(promptMeasure, size)
        if (creditsCents === undefined || prices.length === 0) return exchange.set(charge, null)
        const most = size === null ? 0 : tokens.of(model).most(size)
        const { input, output } =
          size === null
            ? estimateAudio(formBytes(exchange, config))
            : request === undefined
              ? { input: most, output: 0 }
              : estimate(request, most, max_model_len, assumed)
        // A fallback may cost more.
        const microcents = Math.max(...prices.map(price => costOf(price, { input, cachedInput: 0, output })))
        const initialMicrocents = creditsCents * MICROCENTS_PER_CENT
        const decided = ({ allowed, availableMicrocents }: CreditState) => {
          exchange.set(charge, allowed ? { account, pricing, reserved: microcents, microcents: null } : null)
          if (allowed) return
          const error = insufficient(microcents, availableMicrocents, config.topup_url ?? pageOn(exchange.origin))
          enforce(exchange.logId, caller, error)
        }
        const claim = { account, id: exchange.id, microcents, initialMicrocents, enforced: !shadow, onStoreFailure }
        exchange.holdUntil(whenKnown(credits.reserve(claim), decided))
      },

      onFinish(exchange) {
        const due = exchange.find(charge) ?? null
        if (due === null) return
        // Those of the model that has served it.
        due.pricing = exchange.find(target)?.model.pricing ?? FREE
        const microcents = costOfExchange(exchange, due, exchange.find(usage), broken_streams)
        if (microcents === 0) return credits.release(due.account, exchange.id)
        due.microcents = microcents
        credits.settle(due.account, exchange.id, microcents)
      },
    }
  },
})

const FREE: Pricing = { input: 0, cached_input: 0, output: 0 }

/** Bytes of a form, which may not have arrived completely. */
function formBytes({ headers }: Pick<BodyPhase, 'headers'>, { audio_limit_bytes }: Config): number {
  return Number(headers['content-length'] ?? audio_limit_bytes)
}

/** The balance is rounded down and the estimate up, so that the two never seem to fit. */
function insufficient(required: number, available: number, topup_url: string): GatewayError {
  const extra = {
    credits_available_cents: Math.max(0, Math.floor(available / MICROCENTS_PER_CENT)),
    credits_required_cents_estimate: Math.ceil(required / MICROCENTS_PER_CENT),
    topup_url,
  }
  return failure('insufficient_credits', {}, { extra })
}

/** The page of the error on the host that the client has addressed. */
function pageOn(origin: string): string {
  return `${origin}/docs/errors/insufficient_credits`
}

/**
 * The charge in micro-cents: the tokens of the record at the prices of the model, also where that is more than was reserved
 * (docs/USAGE.md#the-books). 0 for a request that was refused or failed; a stream that broke is charged where
 * `broken_streams` is `delivered`.
 */
export function costOfExchange(
  { outcome, brokeMidStream }: Pick<FinishPhase, 'outcome' | 'brokeMidStream'>,
  { pricing }: Charge,
  used: ReplyUsage | undefined,
  brokenStreams: Config['credits']['broken_streams'],
): number {
  if (outcome === 'failed' && !(brokeMidStream && brokenStreams === 'delivered')) return 0
  return costOf(pricing, {
    input: used?.inputTokens ?? 0,
    cachedInput: used?.cacheReadTokens ?? 0,
    output: used?.outputTokens ?? 0,
  })
}
