/** Refusals of requests whose tokens or budget are used up. */
import { failure, type GatewayError, limitHeaders } from '../../../lib/plugin.ts'
import type { UsageReservations } from '../../slots.ts'
import type { RequestLimits } from '../scopes.ts'

type State<M extends 'tokens' | 'budgets'> = UsageReservations[M][number]['state']

/** `key`: id of the key that the limit belongs to; undefined: it is the account's. */
export function tokensUsed(limit: number, key: string | undefined, { resetMs }: State<'tokens'>): GatewayError {
  const message =
    `The ${limit} tokens a minute of this ${key === undefined ? 'account' : 'key'} do not leave enough for this request: ` +
    'slow down, or lower max_tokens.'
  return failure('rate_limit_exceeded', { limit }, { message, headers: limitHeaders(limit, secondsOf(resetMs)) })
}

export function budgetUsed(
  { amount, window }: NonNullable<RequestLimits['budget_cents']>,
  key: string | undefined,
  { end, resetMs }: State<'budgets'>,
): GatewayError {
  const message =
    `What is left of the budget of ${amount} cents in ${window} of this ${key === undefined ? 'account' : 'key'} does not ` +
    `cover this request. The next window begins at ${new Date(end).toISOString()}.`
  const headers = limitHeaders(Math.ceil(amount), secondsOf(resetMs))
  return failure('rate_limit_exceeded', { limit: amount }, { message, headers })
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
