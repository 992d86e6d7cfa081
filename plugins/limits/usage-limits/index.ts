import {
  type CanonicalRequest,
  costOf,
  definePlugin,
  failure,
  type GatewayError,
  limitHeaders,
  MICROCENTS_PER_CENT,
  whenKnown,
  windowMilliseconds,
} from '../../../lib/plugin.ts'
import { chat, key, pipe, target, type UsageReservations, usage, usageReservations } from '../../slots.ts'
import { costOfExchange, FREE, isCharged } from '../costs.ts'
import { enforcement } from '../enforce.ts'
import { type Estimate, estimate, expectedTokens, measure } from '../estimate.ts'
import { type RequestLimits, requestLimitsOf } from '../request-limits.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

type Needed = typeof key | typeof target
type Optional = typeof chat | typeof pipe | typeof usage
type Reservation<M extends 'tokens' | 'budgets'> = UsageReservations[M][number]

/** Name under which the rates of an account count tokens. */
const TOKENS = 'tokens'

export default definePlugin<Options, Needed, typeof usageReservations, Optional>({
  name: 'usage-limits',
  summary: 'Refuses a request that exceeds the tokens per minute or the budget of its plan or key.',
  routes: { proxied: true },
  options,
  needs: [key, target],
  wants: [chat, pipe],
  provides: [usageReservations],
  reads: [usage],
  // A request that one of these refuses or answers needs no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits, tokens } = services
    const { rates, spendLimits } = limits
    const { broken_streams } = config.credits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('usage-limits', shadow, services)
    const limitsOf = requestLimitsOf(config)
    return {
      onBody(exchange) {
        const caller = exchange.get(key)
        const { plan, key: own } = limitsOf(caller)
        const applying = [...usageLimitsOf(plan, undefined), ...usageLimitsOf(own, caller.id)]
        if (applying.length === 0) return exchange.set(usageReservations, null)

        const request = exchange.find(chat)
        const size = measure(exchange, request, exchange.find(pipe)?.body)
        const account = caller.account.id
        const to = exchange.get(target)
        const { max_model_len: context, id: model } = to.model
        const expected = expectedTokens(exchange, request, size, { tokens, model, context, assumed, config })
        const prices = [to, ...(to.fallbacks?.() ?? [])].map(one => one.model.pricing ?? FREE)
        const microcents = Math.max(...prices.map(price => costOf(price, { ...expected, cachedInput: 0 })))
        const claim = { account, id: exchange.id, enforced: !shadow, onStoreFailure } as const

        const reserved = { account, tokens: [] as Reservation<'tokens'>[], budgets: [] as Reservation<'budgets'>[] }
        exchange.set(usageReservations, reserved)
        for (const { id, limits: own } of applying) {
          const { tokens_per_minute: perMinute, budget_cents: budget } = own
          if (perMinute !== undefined) {
            const name = id === undefined ? TOKENS : `${TOKENS}:${id}`
            const tokenClaim = { ...claim, name, perMinute, ...tokensOf(request, expected, assumed) }
            const decision = whenKnown(rates.take(tokenClaim), state => {
              if (state.allowed) reserved.tokens.push({ name, perMinute, state })
              else enforce(exchange.logId, caller, tokensExceeded(perMinute, id, state))
            })
            exchange.holdUntil(decision)
          }
          if (budget !== undefined && microcents > 0) {
            const limitMicrocents = Math.round(budget.amount * MICROCENTS_PER_CENT)
            // The configuration and the operators' API check the window.
            const windowMs = windowMilliseconds(budget.window)!
            const budgetClaim = { ...claim, key: id, limitMicrocents, windowMs, microcents }
            const decision = whenKnown(spendLimits.reserve(budgetClaim), state => {
              if (state.allowed) reserved.budgets.push({ limitMicrocents, state })
              else enforce(exchange.logId, caller, budgetExceeded(budget, id, state))
            })
            exchange.holdUntil(decision)
          }
        }
      },

      onFinish(exchange) {
        const reserved = exchange.find(usageReservations) ?? null
        if (reserved === null) return
        const used = exchange.find(usage)
        const sum = isCharged(exchange, broken_streams) ? (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0) : 0
        // The prices of the model that has served the request.
        const pricing = exchange.find(target)?.model.pricing ?? FREE
        const microcents = costOfExchange(exchange, pricing, used, broken_streams)
        for (const { name, state } of reserved.tokens) rates.settle(reserved.account, exchange.id, name, state, sum)
        for (const { state } of reserved.budgets) spendLimits.settle(reserved.account, exchange.id, state, microcents)
      },
    }
  },
})

/** The limits of this plugin. `id`: id of the key that they belong to; undefined: they are those of the account. */
function usageLimitsOf(limits: RequestLimits | undefined, id: string | undefined) {
  const isLimited = limits?.tokens_per_minute !== undefined || limits?.budget_cents !== undefined
  return isLimited ? [{ id, limits }] : []
}

/**
 * Tokens that must be available, and tokens to reserve. With max_tokens, both are the whole estimate. Without it, only
 * the input must be available, and an assumed output is reserved as far as it fits.
 */
function tokensOf(request: CanonicalRequest | undefined, expected: Estimate, assumed: number) {
  const all = expected.input + expected.output
  if (request === undefined || request.maxTokens !== undefined) return { needs: all, takes: all }
  const output = Math.min(expected.output, estimate(request, expected.input, undefined, assumed).output)
  return { needs: expected.input, takes: expected.input + output }
}

/** `key`: id of the key that the limit belongs to; undefined: it is the account's. */
function tokensExceeded(
  limit: number,
  key: string | undefined,
  { resetMs }: Reservation<'tokens'>['state'],
): GatewayError {
  const message =
    `The ${limit} tokens a minute of ${ownerOf(key)} do not leave enough for this request: ` +
    'slow down, or lower max_tokens.'
  return failure('rate_limit_exceeded', { limit }, { message, headers: limitHeaders(limit, secondsOf(resetMs)) })
}

function budgetExceeded(
  { amount, window }: NonNullable<RequestLimits['budget_cents']>,
  key: string | undefined,
  { end, resetMs }: Reservation<'budgets'>['state'],
): GatewayError {
  const message =
    `What is left of the budget of ${amount} cents in ${window} of ${ownerOf(key)} does not ` +
    `cover this request. The next window begins at ${new Date(end).toISOString()}.`
  const headers = limitHeaders(Math.ceil(amount), secondsOf(resetMs))
  return failure('rate_limit_exceeded', { limit: amount }, { message, headers, shouldRetry: false })
}

/** `key`: id of the key that the limit belongs to; undefined: it is that of the plan. */
function ownerOf(key: string | undefined): string {
  return key === undefined ? 'the plan of this account' : 'this key'
}

/** Retry-After of a refusal: at least a millisecond. */
function secondsOf(ms: number): number {
  return Math.max(1, ms) / 1000
}
