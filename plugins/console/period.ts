/** Periods of usage: whole days, UTC. */
import { windowAt } from '../../lib/plugin.ts'

export const PERIODS = [
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['month', 'This month'],
  ['last-month', 'Last month'],
] as const

export type Period = (typeof PERIODS)[number][0]

const DAY_MS = 86_400_000

/** The period with this name, or the last 30 days. */
export function periodNamed(name: string | null): Period {
  return PERIODS.find(([value]) => value === name)?.[0] ?? '30d'
}

/** Start and exclusive end of a period. All times are milliseconds since the epoch. */
export function momentsOf(period: Period, now: number): { readonly from: number; readonly to: number } {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const tomorrow = windowAt(now, DAY_MS).to
  switch (period) {
    case '7d':
      return { from: tomorrow - 7 * DAY_MS, to: tomorrow }
    case '30d':
      return { from: tomorrow - 30 * DAY_MS, to: tomorrow }
    case 'month':
      return { from: Date.UTC(year, month), to: tomorrow }
    case 'last-month':
      return { from: Date.UTC(year, month - 1), to: Date.UTC(year, month) }
  }
}

/** The days of a period as `2026-11-21`, oldest first. */
export function daysOf({ from, to }: { readonly from: number; readonly to: number }): readonly string[] {
  return Array.from({ length: Math.round((to - from) / DAY_MS) }, (_, i) =>
    new Date(from + i * DAY_MS).toISOString().slice(0, 10),
  )
}
