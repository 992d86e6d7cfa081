import {
  type BodyPhase,
  type Config,
  type CreditState,
  costOf,
  definePlugin,
  type FinishPhase,
  failure,
  type GatewayError,
  type JsonObject,
  MICROCENTS_PER_CENT,
  type OnStoreFailure,
  whenKnown,
} from '../../../lib/plugin.ts'
import { type Charge, charge, chat, key, pipe, type ReplyUsage, target, usage } from '../../slots.ts'
import { enforcement } from '../enforce.ts'
import { type Estimate, estimate, estimateAudio, estimatePipe } from './estimate.ts'
import options from './options.json' with { type: 'json' }

interface Options {
  readonly assumed_output_tokens: number
  readonly shadow: boolean
  readonly on_store_failure: OnStoreFailure
}

type Needed = typeof key | typeof target
type Found = typeof chat | typeof pipe | typeof usage

export default definePlugin<Options, Needed, typeof charge, Found>({
  name: 'credits',
  summary: 'Reserves what a request may cost a prepaid account, and settles what it did cost.',
  routes: { proxied: true },
  options,
  needs: [key, target],
  wants: [chat, pipe],
  provides: [charge],
  reads: [usage],
  // Requests that these refuse or answer need no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits } = services
    const { credits } = limits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('credits', shadow, services)
    return {
      onBody(exchange) {
        const caller = exchange.get(key)
        const { id: account, creditsCents } = caller.account
        const { pricing, max_model_len } = exchange.get(target).model
        if (creditsCents === undefined || pricing === undefined) return exchange.set(charge, null)
        const request = exchange.find(chat)
        const { input, output } =
          request === undefined
            ? estimateOf(exchange.route.form, exchange.find(pipe)?.body ?? {}, bytesOf(exchange, config))
            : estimate(request, max_model_len, assumed)
        const microcents = costOf(pricing, { input, cachedInput: 0, output })
        const initialMicrocents = creditsCents * MICROCENTS_PER_CENT
        const decided = ({ allowed, availableMicrocents }: CreditState) => {
          exchange.set(
            charge,
            allowed
              ? { account, pricing, input: exchange.route.form ? 0 : input, reserved: microcents, microcents: null }
              : null,
          )
          if (allowed) return
          const error = insufficient(microcents, availableMicrocents, topUpUrl(config, exchange.headers.host))
          enforce(exchange.requestId, caller, error)
        }
        const claim = { account, id: exchange.id, microcents, initialMicrocents, enforced: !shadow, onStoreFailure }
        exchange.holdUntil(whenKnown(credits.reserve(claim), decided))
      },

      onFinish(exchange) {
        const due = exchange.find(charge) ?? null
        if (due === null) return
        const microcents = costOfExchange(exchange, due, exchange.find(usage))
        if (microcents === 0) return credits.release(due.account, exchange.id)
        due.microcents = microcents
        credits.settle(due.account, exchange.id, microcents)
      },
    }
  },
})

/** Of a request whose reply passes as bytes. A transcription is charged by the usage of its reply, and by nothing else. */
function estimateOf(isAudio: boolean, body: JsonObject, bytes: number): Estimate {
  return isAudio ? estimateAudio(bytes) : estimatePipe(body, bytes)
}

/** Of the body. A form may not have arrived completely. */
function bytesOf(
  { route, headers, bodyBytes }: Pick<BodyPhase, 'route' | 'headers' | 'bodyBytes'>,
  { audio_limit_bytes }: Config,
): number {
  return route.form ? Number(headers['content-length'] ?? audio_limit_bytes) : bodyBytes
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

/** The operator's `topup_url`, or the page of the error on the host that the client has addressed. */
function topUpUrl({ topup_url, listen }: Config, host: string | undefined): string {
  return (
    topup_url ??
    `${listen.tls === undefined ? 'http' : 'https'}://${host ?? 'localhost'}/docs/errors/insufficient_credits`
  )
}

/**
 * The charge in micro-cents. 0 for a request that was refused or failed, or reached no backend. After a disconnect: the input, and the output that
 * the backend had reported (docs/DESIGN.md#credits). Where a backend reports no usage: the estimated input. Never more than
 * was reserved, so that no balance falls below zero.
 */
export function costOfExchange(
  { outcome, requestSent }: Pick<FinishPhase, 'outcome' | 'requestSent'>,
  due: Charge,
  used: ReplyUsage | undefined,
): number {
  const served = outcome === 'done' || (outcome === 'client_gone' && requestSent)
  if (!served) return 0
  const input = used?.inputTokens ?? due.input
  const cost = costOf(due.pricing, {
    input,
    cachedInput: used?.cacheReadTokens ?? 0,
    output: used?.outputTokens ?? 0,
  })
  return Math.min(cost, due.reserved)
}
