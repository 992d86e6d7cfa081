/** Priorities and weights of SRV records (RFC 2782), as routing takes them. */

/** Where a backend stands among those of the same answer. */
export interface Rank {
  /** 0: the first choice; others only while none of a lower one can be reached. */
  readonly priority: number
  /** Factor of the weight that the entry has: 1 for the mean of its priority. */
  readonly weight: number
}

export interface Weighed {
  readonly priority: number
  readonly weight: number
}

/** Of records with weight 0 beside others: "a very small chance of being selected". */
const LEAST = 0.01

/** The rank of each record. Priorities count from 0, so that those of one answer say nothing about backends that are not of it. */
export function ranksOf<R extends Weighed>(records: readonly R[]): ReadonlyMap<R, Rank> {
  const order = [...new Set(records.map(({ priority }) => priority))].sort((a, b) => a - b)
  const ranks = new Map<R, Rank>()
  for (const [place, priority] of order.entries()) {
    const group = records.filter(record => record.priority === priority)
    const mean = group.reduce((sum, { weight }) => sum + weight, 0) / group.length
    for (const record of group)
      ranks.set(record, { priority: place, weight: mean === 0 ? 1 : Math.max(LEAST, record.weight / mean) })
  }
  return ranks
}

/** Nothing is said by ranks that are all the same. */
export function isTelling(ranks: Iterable<Rank>): boolean {
  for (const { priority, weight } of ranks) if (priority !== 0 || weight !== 1) return true
  return false
}
