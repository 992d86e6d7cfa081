/** Bounds of a list (docs/api/endpoint-requests.md), as conditions on requests and on zones that may contain them. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { BoundedColumn } from '../rows.ts'

/** All bounds are inclusive. Absent members do not restrict. */
export interface BoundsFilter {
  readonly min_ttft_ms?: number | undefined
  readonly max_ttft_ms?: number | undefined
  readonly min_total_latency_ms?: number | undefined
  readonly max_total_latency_ms?: number | undefined
  readonly max_cache_hit_pct?: number | undefined
  readonly min_input_tokens?: number | undefined
}

export interface Bound {
  readonly column: BoundedColumn
  readonly operator: '>=' | '<='
  readonly value: number
}

const BOUNDS = [
  ['min_ttft_ms', 'ttft_ms', '>='],
  ['max_ttft_ms', 'ttft_ms', '<='],
  ['min_total_latency_ms', 'total_latency_ms', '>='],
  ['max_total_latency_ms', 'total_latency_ms', '<='],
  ['max_cache_hit_pct', 'cache_hit_pct', '<='],
  ['min_input_tokens', 'input_tokens', '>='],
] as const

export function boundsOf(filter: BoundsFilter): readonly Bound[] {
  return BOUNDS.flatMap(([member, column, operator]) => {
    const value = filter[member]
    // Every request satisfies a minimum of zero, including those without a count of tokens.
    if (value === undefined || (member === 'min_input_tokens' && value <= 0)) return []
    return [{ column, operator, value }]
  })
}

/** The condition on a request `r`. */
export function liesWithin({ column, operator, value }: Bound): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`r.${column}`)} ${sql.raw(operator)} ${value}`
}

/** The condition on a zone `z`: its maximum is large enough, or its minimum is small enough. */
export function mayLieWithin({ column, operator, value }: Bound): Expression<SqlBool> {
  const extreme = `z.${operator === '>=' ? 'max' : 'min'}_${column}`
  return sql<SqlBool>`${sql.ref(extreme)} ${sql.raw(operator)} ${value}`
}
