import {
  type CanonicalRequest,
  costOf,
  definePlugin,
  MICROCENTS_PER_CENT,
  whenKnown,
  windowMilliseconds,
} from '../../../lib/plugin.ts'
import { chat, key, pipe, target, type UsageReservations, usage, usageReservations } from '../../slots.ts'
import { costOfExchange, FREE, isCharged } from '../costs.ts'
import { enforcement } from '../enforce.ts'
import { type Estimate, estimate, expectedTokens, measure } from '../estimate.ts'
import { type RequestLimits, scopesOf } from '../scopes.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }
import { budgetUsed, tokensUsed } from './refusals.ts'

type Needed = typeof key | typeof target
type Found = typeof chat | typeof pipe | typeof usage

/** Name of the count of tokens, in the rates of the account. */
const TOKENS = 'tokens'

export default definePlugin<Options, Needed, typeof usageReservations, Found>({
  name: 'usage-limits',
  summary: 'Refuses a request when its plan or key has used up its tokens a minute or its budget.',
  routes: { proxied: true },
  options,
  needs: [key, target],
  wants: [chat, pipe],
  provides: [usageReservations],
  reads: [usage],
  // Requests that these refuse or answer need no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits, tokens } = services
    const { rates, budgets } = limits
    const { broken_streams } = config.credits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('usage-limits', shadow, services)
    const scopes = scopesOf(config)
    return {
      onBody(exchange) {
        const caller = exchange.get(key)
        const { plan, key: own } = scopes(caller)
        const applying = [...scopeOf(plan, undefined), ...scopeOf(own, caller.id)]
        if (applying.length === 0) return exchange.set(usageReservations, null)

        const request = exchange.find(chat)
        const size = measure(exchange, request, exchange.find(pipe)?.body)
        const account = caller.account.id
        const to = exchange.get(target)
        const { max_model_len: context, id: model } = to.model
        const most = expectedTokens(exchange, request, size, { tokens, model, context, assumed, config })
        const prices = [to, ...(to.fallbacks?.() ?? [])].map(one => one.model.pricing ?? FREE)
        const microcents = Math.max(...prices.map(price => costOf(price, { ...most, cachedInput: 0 })))
        const claim = { account, id: exchange.id, enforced: !shadow, onStoreFailure } as const

        const taken = { account, tokens: [] as Taken<'tokens'>[], budgets: [] as Taken<'budgets'>[] }
        exchange.set(usageReservations, taken)
        for (const { id, limits: own } of applying) {
          const { tokens_per_minute: perMinute, budget_cents: budget } = own
          if (perMinute !== undefined) {
            const name = id === undefined ? TOKENS : `${TOKENS}:${id}`
            const asked = { ...claim, name, perMinute, ...tokensOf(request, most, assumed) }
            const decision = whenKnown(rates.take(asked), state => {
              if (state.allowed) taken.tokens.push({ name, perMinute, state })
              else enforce(exchange.logId, caller, tokensUsed(perMinute, id, state))
            })
            exchange.holdUntil(decision)
          }
          if (budget !== undefined && microcents > 0) {
            const limitMicrocents = Math.round(budget.amount * MICROCENTS_PER_CENT)
            // The window has been checked with the configuration, and by the operators' API.
            const windowMs = windowMilliseconds(budget.window)!
            const asked = { ...claim, key: id, limitMicrocents, windowMs, microcents }
            const decision = whenKnown(budgets.reserve(asked), state => {
              if (state.allowed) taken.budgets.push({ limitMicrocents, state })
              else enforce(exchange.logId, caller, budgetUsed(budget, id, state))
            })
            exchange.holdUntil(decision)
          }
        }
      },

      onFinish(exchange) {
        const taken = exchange.find(usageReservations) ?? null
        if (taken === null) return
        const used = exchange.find(usage)
        const counts = isCharged(exchange, broken_streams)
        const sum = counts ? (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0) : 0
        // Of the model that has served it.
        const pricing = exchange.find(target)?.model.pricing ?? FREE
        const microcents = costOfExchange(exchange, { pricing }, used, broken_streams)
        for (const { name, state } of taken.tokens) rates.settle(taken.account, exchange.id, name, state, sum)
        for (const { state } of taken.budgets) budgets.settle(taken.account, exchange.id, state, microcents)
      },
    }
  },
})

type Taken<M extends 'tokens' | 'budgets'> = UsageReservations[M][number]

/** `id`: of the key; undefined: of the whole account. */
function scopeOf(limits: RequestLimits | undefined, id: string | undefined) {
  const isLimited = limits?.tokens_per_minute !== undefined || limits?.budget_cents !== undefined
  return isLimited ? [{ id, limits }] : []
}

/** What a client has limited by max_tokens has to fit; output that it leaves open takes no more than an assumption, where it fits. */
function tokensOf(request: CanonicalRequest | undefined, most: Estimate, assumed: number) {
  const all = most.input + most.output
  if (request === undefined || request.maxTokens !== undefined) return { needs: all, takes: all }
  const output = Math.min(most.output, estimate(request, most.input, undefined, assumed).output)
  return { needs: most.input, takes: most.input + output }
}
