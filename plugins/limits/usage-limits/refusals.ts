/** The errors of limits that a request exceeds. */
import { type Budget, type FormatOptions, failure, type GatewayError, limitHeaders } from '../../../lib/plugin.ts'
import type { RateUse, UsageReservations } from '../../slots.ts'
import { usedUp } from '../used-up.ts'
import type { AppliedLimits } from './applying.ts'

type Limited = Pick<AppliedLimits, 'of' | 'param'>

export function requestsExceeded(limit: number, { of, param }: Limited, { resetMs }: RateUse['state']): GatewayError {
  const message = `More than ${limit} requests a minute of ${of}: slow down.`
  return failure('rate_limit_exceeded', { limit }, { ...paramOf(param), message, headers: headersOf(limit, resetMs) })
}

export function inFlightExceeded(limit: number, { of, param }: Limited): GatewayError {
  const message = `Requests in flight of ${of} have reached their limit: ${limit}.`
  const details = { ...paramOf(param), message, headers: limitHeaders(limit) }
  return failure('concurrency_limit_exceeded', { limit }, details)
}

export function tokensExceeded(limit: number, { of, param }: Limited, { resetMs }: RateUse['state']): GatewayError {
  const message = `The ${limit} tokens a minute of ${of} do not leave enough for this request: slow down, or lower max_tokens.`
  return failure('rate_limit_exceeded', { limit }, { ...paramOf(param), message, headers: headersOf(limit, resetMs) })
}

export function budgetExceeded(
  { amount, window }: Budget,
  { of, param }: Limited,
  { end, resetMs }: UsageReservations['budgets'][number]['state'],
  options: FormatOptions,
): GatewayError {
  const message =
    `Spend quota exceeded: what is left of the budget of ${amount} cents in ${window} of ${of} does not ` +
    `cover this request. It will reset at ${new Date(end).toISOString()}.`
  return failure(
    'rate_limit_exceeded',
    { limit: amount },
    { ...paramOf(param), message, ...usedUp(options, Math.ceil(amount), resetMs) },
  )
}

function paramOf(param: AppliedLimits['param']) {
  return param === undefined ? null : { param, ownParam: true }
}

/** With Retry-After, at least a millisecond. */
function headersOf(limit: number, resetMs: number) {
  return limitHeaders(limit, Math.max(1, resetMs) / 1000)
}
