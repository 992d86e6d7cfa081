/** Sums of tokens and money as usage reports show them (docs/api/usage-me.md#response). */
import type { JsonObject } from '../base/json.ts'
import { centsOf } from '../base/money.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import { batchPriceFactor } from '../config/resolve.ts'
import type { UsageRow } from '../store/queries/usage.ts'
import { costOf } from './cost.ts'

type Sums = Pick<UsageRow, 'requests' | 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'units'>

interface ModelUsage extends Omit<Sums, 'requests'> {
  readonly model?: string | null
}

/** A row with its cost at current prices, in whole micro-cents. */
type Priced<R> = R & { readonly microcents: number }

/** A row of the report with its cost. */
export type PricedRow = Priced<UsageRow>

/** Sums of requests, tokens and cost. */
export interface Totals extends JsonObject {
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  requests: number
  estimated_cost_cents: number
}

/**
 * Each row is rounded once, so that sums by day and by model agree. Models that are gone or unpriced are free.
 * `factorOf`: the factor of the price that a row pays.
 */
export function priced<R extends ModelUsage>(
  rows: readonly R[],
  models: readonly ModelConfig[],
  factorOf: (row: R) => number,
): readonly Priced<R>[] {
  const pricings = new Map(models.map(({ id, pricing }) => [id, pricing]))
  return rows.map(row => {
    const pricing = pricings.get(row.model ?? '')
    if (pricing === undefined) return { ...row, microcents: 0 }
    const { input_tokens: input, output_tokens: output, cache_read_tokens: cachedInput, units } = row
    return { ...row, microcents: costOf(pricing, { input, cachedInput, output, units }, factorOf(row)) }
  })
}

/** The factor of the price by rows of an account: lines of batches have that of its plan. */
export function priceFactors(
  config: Pick<Config, 'plans'>,
  plan: string | undefined,
): (row: Pick<UsageRow, 'batch'>) => number {
  const factor = batchPriceFactor(config, plan)
  return ({ batch }) => (batch === 1 ? factor : 1)
}

/** The sums over all rows. */
export function totalsOf(rows: readonly Priced<Sums>[]): Totals {
  const sum = (member: keyof Priced<Sums>) => rows.reduce((total, row) => total + row[member], 0)
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    requests: sum('requests'),
    estimated_cost_cents: centsOf(sum('microcents')),
  }
}

/** One sum for each value of this member, in the order of the rows: `{date, …totals}`, `{model, …totals}` … */
export function totalsBy<M extends 'date' | 'model' | 'user_id'>(
  rows: readonly PricedRow[],
  member: M,
): (Totals & Pick<PricedRow, M>)[] {
  return [...Map.groupBy(rows, row => row[member])].map(
    ([value, own]) => ({ [member]: value, ...totalsOf(own) }) as Totals & Pick<PricedRow, M>,
  )
}
