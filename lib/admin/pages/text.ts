/** Values as the pages show them. Times are UTC. */
import type { Json } from '../../base/json.ts'

export const NOTHING = '–'

/** `2026-11-23 04:05:06` of an ISO timestamp. */
export function timeText(iso: Json | undefined): string {
  return typeof iso === 'string' ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : NOTHING
}

/** A member as text. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return NOTHING
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `1.8 s`, `250 ms` */
export function millisText(value: Json | undefined): string {
  if (typeof value !== 'number') return NOTHING
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${Math.round(value)} ms`
}

/** With a comma between thousands, and as many digits behind the point as help. */
export function numberText(value: Json | undefined, digits = 0): string {
  if (typeof value !== 'number') return NOTHING
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

/** Cents as `12.34`, in the currency that the prices are in. */
export function moneyText(cents: Json | undefined): string {
  if (typeof cents !== 'number') return NOTHING
  return (cents / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
}

/** An object's member; undefined for everything else. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined
}
