/** Timestamps on the wire: ISO 8601 in UTC, with microseconds. */

const MICROS_PER_SECOND = 1_000_000
const TIMESTAMP = /^(\d{4}-(\d\d)-(\d\d))[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,30}))?)?(Z|[+ -]\d\d:?\d\d|[+ -]\d\d)$/i

/** `2026-11-21T10:07:33.123456Z` */
export function toIso(micros: number): string {
  const fraction = micros % MICROS_PER_SECOND
  const seconds = new Date((micros - fraction) / 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`
}

export function toIsoOrNull(micros: number | null | undefined): string | null {
  return micros === null || micros === undefined ? null : toIso(micros)
}

interface Instant {
  /** Microseconds since the epoch. */
  readonly micros: number
  /** Digits of the fraction beyond microseconds; empty if there are none. */
  readonly rest: string
}

/** undefined: invalid, or without timezone. A space counts as `+`, because a query string decodes `+` to a space. */
export function parseIso(text: string): Instant | undefined {
  const [, date, month, day, clock, seconds = '00', fraction = '', zone] = TIMESTAMP.exec(text) ?? []
  if (date === undefined || zone === undefined) return undefined
  const millis = Date.parse(`${date}T${clock}:${seconds}${toOffset(zone)}`)
  // Date.parse reads 30 February as 2 March.
  const lastDay = new Date(Date.UTC(Number(date.slice(0, 4)), Number(month), 0)).getUTCDate()
  if (Number.isNaN(millis) || Number(day) > lastDay) return undefined
  return { micros: millis * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0')), rest: fraction.slice(6) }
}

/** As parseIso(). A day means its first moment in UTC. */
export function parseTime(text: string): Instant | undefined {
  return parseIso(text) ?? parseIso(`${text}T00:00Z`)
}

function toOffset(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone.startsWith('-') ? '-' : '+'}${digits.slice(0, 2)}:${digits.slice(2)}`
}
