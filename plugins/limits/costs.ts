import { type Config, costOf, type FinishPhase } from '../../lib/plugin.ts'
import type { BatchLine, Charge, ReplyUsage, UnitUse } from '../slots.ts'
import type { Estimate } from './estimate.ts'

type Pricing = Charge['pricing']

export const FREE: Pricing = { input: 0, cached_input: 0, output: 0 }

type Ending = Pick<FinishPhase, 'outcome' | 'brokeMidStream' | 'surface'>

/**
 * Not charged: refused and failed requests, broken streams unless `broken_streams` is `delivered`, and lines of batches
 * that were aborted.
 */
export function isCharged(
  { outcome, brokeMidStream, surface }: Ending,
  brokenStreams: Config['credits']['broken_streams'],
): boolean {
  if (surface === 'batch') return outcome === 'done'
  return outcome !== 'failed' || (brokeMidStream && brokenStreams === 'delivered')
}

/** Prices of a model, and the factor of them that the request pays. */
export interface Price {
  readonly pricing: Pricing
  readonly factor: number
}

/** The charge in micro-cents: tokens and units of the record at the model's prices. It may exceed the reservation. */
export function costOfExchange(
  ending: Ending,
  { pricing, factor }: Price,
  used: ReplyUsage | undefined,
  units: UnitUse | null,
  brokenStreams: Config['credits']['broken_streams'],
): number {
  if (!isCharged(ending, brokenStreams)) return 0
  const counts = {
    input: used?.inputTokens ?? 0,
    cachedInput: used?.cacheReadTokens ?? 0,
    output: used?.outputTokens ?? 0,
    units: units?.units ?? 0,
  }
  return costOf(pricing, counts, factor)
}

/** The amount to reserve for a request in micro-cents, at this price. Either tokens or units are charged. */
export function reservationOf({ pricing, factor }: Price, { input, output, units }: Estimate): number {
  const tokens = costOf(pricing, { input, cachedInput: 0, output }, factor)
  return Math.max(tokens, costOf(pricing, { input: 0, cachedInput: 0, output: 0, units }, factor))
}

/**
 * Settles the cost of a request. That of a line of a batch waits until its result is durable: a line that has none runs
 * again, so it costs nothing.
 */
export function charged(line: BatchLine | undefined, microcents: number, settle: (microcents: number) => void): void {
  if (line === undefined) return settle(microcents)
  void line.kept.then(isKept => settle(isKept ? microcents : 0))
}
