import { type Config, costOf, type FinishPhase } from '../../lib/plugin.ts'
import type { Charge, ReplyUsage } from '../slots.ts'

type Pricing = Charge['pricing']

export const FREE: Pricing = { input: 0, cached_input: 0, output: 0 }

type End = Pick<FinishPhase, 'outcome' | 'brokeMidStream'>

/** Whether the tokens of a request are charged: not if it was refused or failed; a stream that broke where the operator wants it. */
export function isCharged(
  { outcome, brokeMidStream }: End,
  brokenStreams: Config['credits']['broken_streams'],
): boolean {
  return outcome !== 'failed' || (brokeMidStream && brokenStreams === 'delivered')
}

/**
 * The charge in micro-cents: the tokens of the record at the prices of the model, also where that is more than was reserved
 * (docs/USAGE.md#the-books). 0 for a request that was refused or failed; a stream that broke is charged where
 * `broken_streams` is `delivered`.
 */
export function costOfExchange(
  end: End,
  { pricing }: { readonly pricing: Pricing },
  used: ReplyUsage | undefined,
  brokenStreams: Config['credits']['broken_streams'],
): number {
  if (!isCharged(end, brokenStreams)) return 0
  return costOf(pricing, {
    input: used?.inputTokens ?? 0,
    cachedInput: used?.cacheReadTokens ?? 0,
    output: used?.outputTokens ?? 0,
  })
}
