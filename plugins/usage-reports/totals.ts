/** Sums of tokens and money as the usage routes show them (docs/api/usage-me.md#response). */
import { costOf, type JsonObject, MICROCENTS_PER_CENT, type ModelConfig, type UsageRow } from '../../lib/plugin.ts'

/** A row of the report with what it costs at current prices. */
export interface PricedRow extends UsageRow {
  /** Millionths of a cent, whole. */
  readonly microcents: number
}

export interface Totals extends JsonObject {
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  requests: number
  estimated_cost_cents: number
}

/**
 * Each row is rounded to whole micro-cents once: sums by day and by model then agree. A model that is no longer
 * configured, or has no price, costs nothing.
 */
export function priced(rows: readonly UsageRow[], models: readonly ModelConfig[]): readonly PricedRow[] {
  const pricings = new Map(models.map(({ id, pricing }) => [id, pricing]))
  return rows.map(row => {
    const pricing = row.model === null ? undefined : pricings.get(row.model)
    if (pricing === undefined) return { ...row, microcents: 0 }
    const { input_tokens: input, output_tokens: output, cache_read_tokens: cachedInput } = row
    return { ...row, microcents: costOf(pricing, { input, cachedInput, output }) }
  })
}

/** The sum over all rows; no rows sum up to zero. */
export function totalsOf(rows: readonly PricedRow[]): Totals {
  const sum = (member: 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'requests' | 'microcents') =>
    rows.reduce((total, row) => total + row[member], 0)
  return {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_tokens: sum('cache_read_tokens'),
    requests: sum('requests'),
    estimated_cost_cents: sum('microcents') / MICROCENTS_PER_CENT,
  }
}

/** One sum for each value of this member, in the order of the rows: `{date, …totals}` or `{model, …totals}`. */
export function totalsBy(rows: readonly PricedRow[], member: 'date' | 'model'): JsonObject[] {
  return [...Map.groupBy(rows, row => row[member])].map(([value, own]) => ({ [member]: value, ...totalsOf(own) }))
}
