import { type Config, costOf, type FinishPhase } from '../../lib/plugin.ts'
import type { Charge, ReplyUsage } from '../slots.ts'

type Pricing = Charge['pricing']

export const FREE: Pricing = { input: 0, cached_input: 0, output: 0 }

type Ending = Pick<FinishPhase, 'outcome' | 'brokeMidStream'>

/** Not charged: refused and failed requests, and broken streams unless `broken_streams` is `delivered`. */
export function isCharged(
  { outcome, brokeMidStream }: Ending,
  brokenStreams: Config['credits']['broken_streams'],
): boolean {
  return outcome !== 'failed' || (brokeMidStream && brokenStreams === 'delivered')
}

/** The charge in micro-cents: the tokens of the record at the model's prices. It may exceed the reservation. */
export function costOfExchange(
  ending: Ending,
  pricing: Pricing,
  used: ReplyUsage | undefined,
  brokenStreams: Config['credits']['broken_streams'],
): number {
  if (!isCharged(ending, brokenStreams)) return 0
  return costOf(pricing, {
    input: used?.inputTokens ?? 0,
    cachedInput: used?.cacheReadTokens ?? 0,
    output: used?.outputTokens ?? 0,
  })
}
