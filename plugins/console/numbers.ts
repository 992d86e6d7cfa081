/** Formats numbers, money and times for pages. */
import { MICROCENTS_PER_CENT } from '../../lib/plugin.ts'

let made: ReturnType<typeof makeFormats> | undefined

function makeFormats() {
  return {
    count: new Intl.NumberFormat('en'),
    money: new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    smallMoney: new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
  }
}

/** Created for the first page, because the first formatter loads language data for 20 ms. */
function formats(): ReturnType<typeof makeFormats> {
  made ??= makeFormats()
  return made
}

/** `1,234`; a dash for null, which is an unknown number. */
export function countText(value: number | null): string {
  return value === null ? '–' : formats().count.format(value)
}

/** Cents as a decimal number of the currency's unit: `1.25`. Amounts below 1 have up to six decimals. */
export function moneyText(cents: number): string {
  const { money, smallMoney } = formats()
  return (cents < 100 ? smallMoney : money).format(cents / 100)
}

export function balanceText(microcents: number): string {
  return moneyText(Math.floor(microcents / MICROCENTS_PER_CENT))
}

/** `2026-11-21 10:07:33`, UTC. `iso`: a time of the store's reports. */
export function timeText(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** `850 ms` or `12.3 s`; a dash for null, which is an unknown duration. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
