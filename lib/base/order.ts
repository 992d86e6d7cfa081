/** Sorting by values that may be missing. */

export type Order = 'asc' | 'desc'

/** Text is compared by code units. null: the row is last, in both orders. */
export type SortValue = string | number | null

/** Rows with equal values keep their order. */
export function sortedBy<Row>(rows: readonly Row[], valueIn: (row: Row) => SortValue, order: Order): Row[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [valueIn(a), valueIn(b)]
    if (left === right) return 0
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -sign : sign
  })
}
