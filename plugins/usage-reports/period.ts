import { parseIso } from '../../lib/console.ts'
import { fail, type JsonObject } from '../../lib/plugin.ts'

/** The parameters of a query that define its period (docs/api/usage-me.md#request). */
export interface PeriodQuery {
  readonly period?: keyof typeof DAYS
  readonly start_at?: string
  readonly end_at?: string
}

/** Microseconds since the epoch. */
export interface Period {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

const DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const
const DAY_MICROS = 86_400_000_000
/** A report has a row for every day, so its period is bounded. */
const MAX_DAYS = 366

/** The period of a report. `now`: milliseconds since the epoch. Refuses with 400 http_400. */
export function periodOf({ period, start_at, end_at }: PeriodQuery, now: number): Period {
  if (period !== undefined) {
    if (start_at !== undefined || end_at !== undefined) refuse('period', 'Give either period, or start_at and end_at.')
    const to = now * 1000
    return { from: to - DAYS[period] * DAY_MICROS, to }
  }
  if (start_at === undefined && end_at === undefined) {
    refuse('period', 'Give either period (1d, 7d or 30d), or start_at and end_at.')
  }
  const from = timeOf('start_at', start_at)
  const to = timeOf('end_at', end_at)
  if (from >= to) refuse('end_at', 'end_at must be later than start_at.')
  if (to - from > MAX_DAYS * DAY_MICROS) refuse('start_at', `At most ${MAX_DAYS} days can be asked for at once.`)
  return { from, to }
}

/** Days, and times without a timezone, are UTC, as all times in the reports. */
function timeOf(param: 'start_at' | 'end_at', text: string | undefined): number {
  if (text === undefined) refuse(param, `${param} is missing: start_at and end_at belong together.`)
  const instant = parseIso(text) ?? parseIso(`${text}Z`) ?? parseIso(`${text}T00:00Z`)
  if (instant === undefined) refuse(param, `${param} must be an ISO-8601 date or time: 2026-11-21T10:00:00Z`)
  return instant.micros
}

function refuse(param: string, problem: string): never {
  fail('http_400', { problem }, { param, ownParam: true })
}

/** `{from, to}` if an answer covers another period than the requested one; otherwise empty. */
export function coveredBy(asked: Period, { from, to }: Period): JsonObject {
  return from === asked.from && to === asked.to ? {} : { from: isoOf(from), to: isoOf(to) }
}

function isoOf(micros: number): string {
  return new Date(micros / 1000).toISOString()
}
