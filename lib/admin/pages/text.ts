import type { Json } from '../../base/json.ts'
import type { Config } from '../../config/config.ts'
import type { Html } from '../../pages/html.ts'
import { moneyHtml } from '../../pages/money.ts'
import { durationText, NOTHING } from '../../pages/parts.ts'

export { NOTHING }

/** `2026-11-23 04:05:06` of an ISO timestamp. */
export function timeText(iso: Json | undefined): string {
  return typeof iso === 'string' ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : NOTHING
}

export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return NOTHING
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function millisText(value: Json | undefined): string {
  return durationText(typeof value === 'number' ? value : null)
}

/** `≤ 250 ms`, of an upper bound. */
export function boundText(value: Json | undefined): string {
  return typeof value === 'number' ? `≤ ${millisText(value)}` : NOTHING
}

/** A number with a comma between thousands, and at most `digits` fraction digits. */
export function numberText(value: Json | undefined, digits = 0): string {
  if (typeof value !== 'number') return NOTHING
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

/** Cents as `12.34 USD`. */
export function moneyCell(cents: Json | undefined, { currency }: Pick<Config, 'currency'>): Html | string {
  return typeof cents === 'number' ? moneyHtml(cents, currency) : NOTHING
}

/** A segment of a path as text. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined
}

/** Path of the list of requests with these filters. */
export function requestsHref(query: Readonly<Record<string, string>>): string {
  return `/requests?${new URLSearchParams(query).toString()}`
}

/** Path of the report of usage with these filters, group and sorting. */
export function usageHref(query: Readonly<Record<string, string>>): string {
  return `/usage?${new URLSearchParams(query).toString()}`
}
