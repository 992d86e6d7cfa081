/** Formats numbers, balances and times for pages. */
import { type Html, moneyHtml } from '../../lib/console.ts'
import { centsOf, MICROCENTS_PER_CENT } from '../../lib/plugin.ts'

/** Created for the first page, because the first formatter loads language data for 20 ms. */
let counts: Intl.NumberFormat | undefined

/** `1,234`; a dash for null, which is an unknown number. */
export function countText(value: number | null): string {
  counts ??= new Intl.NumberFormat('en')
  return value === null ? '–' : counts.format(value)
}

/** Rounded down to a cent, so that it never seems to be more. */
export function balanceHtml(microcents: number, currency: string): Html {
  return moneyHtml(centsOf(microcents), currency, Math.floor(microcents / MICROCENTS_PER_CENT))
}

/** `2026-11-21 10:07:33`, UTC. `iso`: a time of the store's reports. */
export function timeText(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

const UNITS = { m: 'minute', h: 'hour', d: 'day' } as const

/** `24h` as `24 hours`. */
export function windowText(window: string): string {
  const count = Number.parseInt(window, 10)
  const unit = UNITS[window.at(-1) as keyof typeof UNITS]
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
