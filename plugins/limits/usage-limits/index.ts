import {
  budgetsOf,
  type CanonicalRequest,
  CLIENT_SURFACES,
  definePlugin,
  formatOptionsByKey,
  type GatewayError,
  microcentsOf,
  rateName,
  whenKnown,
} from '../../../lib/plugin.ts'
import {
  batchLine,
  chat,
  endUser,
  key,
  pipe,
  target,
  type UsageReservations,
  unitUse,
  usage,
  usageReservations,
  zdr,
} from '../../slots.ts'
import { charged, costOfExchange, FREE, isCharged, reservationOf } from '../costs.ts'
import { enforcement } from '../enforce.ts'
import { type Estimate, estimate, expectedUse, measure } from '../estimate.ts'
import { isRefusedByLimit, type RequestLimits, requestLimitsOf } from '../request-limits.ts'
import { budgetsOfLine, limitsOfRequest } from './applying.ts'
import { EndUserNames } from './end-user.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }
import { budgetExceeded, inFlightExceeded, requestsExceeded, tokensExceeded } from './refusals.ts'

type Needed = typeof key | typeof target
type Optional = typeof chat | typeof pipe | typeof usage | typeof unitUse | typeof zdr | typeof batchLine
type Provided = typeof usageReservations | typeof endUser
/** Filled as the limits are decided. */
type Reservations = {
  readonly [M in keyof UsageReservations]: UsageReservations[M] extends readonly (infer T)[]
    ? T[]
    : UsageReservations[M]
}

export default definePlugin<Options, Needed, Provided, Optional>({
  name: 'usage-limits',
  summary:
    'Refuses a request that exceeds the tokens or budgets of its plan or key, or the limits of its model or end user.',
  routes: { proxied: true, surface: [...CLIENT_SURFACES, 'batch'] },
  options,
  needs: [key, target],
  wants: [chat, pipe, zdr, batchLine],
  provides: [usageReservations, endUser],
  reads: [usage, unitUse],
  // A request that one of these refuses or answers needs no reservation.
  after: ['validate', 'sampling', 'tools', 'response-format', 'reasoning', 'capabilities', 'context-length', 'images'],

  setup({ assumed_output_tokens: assumed, shadow, on_store_failure }: Options, services) {
    const { config, limits, tokens } = services
    const { leases, rates, spendLimits } = limits
    const { broken_streams } = config.credits
    const onStoreFailure = shadow ? 'fail_open' : on_store_failure
    const enforce = enforcement('usage-limits', shadow, services)
    const limitsOf = requestLimitsOf(config)
    const optionsOf = formatOptionsByKey(config)
    const names = new EndUserNames(services)
    return {
      onBody(exchange) {
        const caller = exchange.get(key)
        const account = caller.account.id
        const to = exchange.get(target)
        const { max_model_len: context, id: model } = to.model
        const limits = limitsOf(caller)
        const isPrivate = exchange.find(zdr) != null
        const userBy = (block: RequestLimits | undefined) =>
          block?.end_user && names.of(exchange, account, block.end_user, isPrivate)
        const users = { plan: userBy(limits.plan), key: userBy(limits.key) }
        exchange.set(endUser, users.key ?? users.plan ?? null)
        const line = exchange.find(batchLine)
        const applying =
          line === undefined ? limitsOfRequest(limits, caller, model, users) : budgetsOfLine(limits, caller, model)
        if (applying.length === 0) return exchange.set(usageReservations, null)

        const request = exchange.find(chat)
        const body = exchange.find(pipe)?.body
        const size = measure(exchange, request, body)
        const expected = expectedUse(exchange, request, body, size, { tokens, model, context, assumed, config })
        const prices = [to, ...(to.fallbacks?.() ?? [])].map(one => one.model.pricing ?? FREE)
        const factor = line?.priceFactor ?? 1
        const microcents = Math.max(...prices.map(pricing => reservationOf({ pricing, factor }, expected)))
        const claim = { account, id: exchange.id, enforced: !shadow, onStoreFailure } as const
        const refuse = (error: GatewayError) => enforce(exchange.logId, caller, error)

        const reserved: Reservations = { account, requests: [], leases: [], tokens: [], budgets: [] }
        exchange.set(usageReservations, reserved)
        for (const applied of applying) {
          const { scope, requests_per_minute: requests, concurrency, tokens_per_minute: perMinute } = applied
          if (requests !== undefined) {
            const name = rateName('inference', scope)
            const decision = whenKnown(rates.take({ ...claim, name, perMinute: requests }), state => {
              if (state.allowed) reserved.requests.push({ name, perMinute: requests, state })
              else refuse(requestsExceeded(requests, applied, state))
            })
            exchange.holdUntil(decision)
          }
          if (concurrency !== undefined && scope !== undefined) {
            const decision = whenKnown(leases.take({ ...claim, scope, limit: concurrency }), isAcquired => {
              if (isAcquired) reserved.leases.push(scope)
              else refuse(inFlightExceeded(concurrency, applied))
            })
            exchange.holdUntil(decision)
          }
          if (perMinute !== undefined) {
            const name = rateName('tokens', scope)
            const tokenClaim = { ...claim, name, perMinute, ...tokensOf(request, expected, assumed) }
            const decision = whenKnown(rates.take(tokenClaim), state => {
              if (state.allowed) reserved.tokens.push({ name, perMinute, state })
              else refuse(tokensExceeded(perMinute, applied, state))
            })
            exchange.holdUntil(decision)
          }
          for (const budget of microcents > 0 ? budgetsOf(applied) : []) {
            const limitMicrocents = microcentsOf(budget.amount)
            const budgetClaim = { ...claim, scope, limitMicrocents, windowMs: budget.windowMs, microcents }
            const decision = whenKnown(spendLimits.reserve(budgetClaim), state => {
              if (state.allowed) reserved.budgets.push({ limitMicrocents, state })
              else refuse(budgetExceeded(budget, applied, state, optionsOf(caller)))
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
        const line = exchange.find(batchLine)
        const price = { pricing, factor: line?.priceFactor ?? 1 }
        const microcents = costOfExchange(exchange, price, used, exchange.find(unitUse) ?? null, broken_streams)
        const { account, requests, leases: scopes, budgets } = reserved
        for (const scope of scopes) leases.release(account, exchange.id, scope)
        const isUncounted = isRefusedByLimit(exchange)
        for (const { name, state } of isUncounted ? requests : []) rates.giveBack(account, exchange.id, name, state)
        for (const { name, state } of reserved.tokens) rates.settle(account, exchange.id, name, state, sum)
        const { id } = exchange
        charged(line, microcents, cost => {
          for (const { state } of budgets) spendLimits.settle(account, id, state, cost)
        })
      },
    }
  },
})

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
