import type { Session } from '../database.ts'

/** `to` is exclusive. */
export type Span = readonly [from: number, to: number]

interface WholeParts {
  /** Days since the epoch. May be empty. */
  readonly days: Span
  /** Hours since the epoch before and after the days. No span is empty. */
  readonly hours: readonly Span[]
}

/** The table with daily totals of accounts by user and model. SQLite has one with fewer rows. */
export function accountDays({ dialect }: Session): 'usage_days' | 'usage_user_days' {
  return dialect === 'sqlite' ? 'usage_user_days' : 'usage_days'
}

/** Divides a span of hours since the epoch into whole days (UTC) and the remaining hours. */
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
