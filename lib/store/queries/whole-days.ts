import type { Session } from '../database.ts'

/** The first, and the one after the last. */
export type Span = readonly [from: number, to: number]

export interface WholeParts {
  /** Days since the epoch; empty where both are the same. */
  readonly days: Span
  /** Hours since the epoch that are in none of them: before and behind. None is empty. */
  readonly hours: readonly Span[]
}

/** The table of daily totals for usage of whole accounts by user, model or day: SQLite has one with fewer rows for it. */
export function accountDays({ dialect }: Session): 'usage_days' | 'usage_user_days' {
  return dialect === 'sqlite' ? 'usage_user_days' : 'usage_days'
}

/** Divides whole hours since the epoch into whole days (UTC) and the hours around them. */
export function wholeParts(from: number, to: number): WholeParts {
  const first = Math.ceil(from / 24)
  const last = Math.floor(to / 24)
  const spans: readonly Span[] =
    first < last
      ? [
          [from, first * 24],
          [last * 24, to],
        ]
      : [[from, to]]
  return { days: first < last ? [first, last] : [first, first], hours: spans.filter(([start, end]) => start < end) }
}
