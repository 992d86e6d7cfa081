/** The fields of a form for a key. */
import type { OwnKeyFields, Refusal } from '../../../lib/console.ts'

export const MAX_LABEL_LENGTH = 100
const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** The fields, or why one is refused. `now`: milliseconds since the epoch. */
export function keyFieldsOf(form: URLSearchParams, now: number): OwnKeyFields | Refusal {
  const label = (form.get('label') ?? '').trim()
  if (label.length > MAX_LABEL_LENGTH)
    return { field: 'label', text: `The label must have at most ${MAX_LABEL_LENGTH} characters.` }
  const end = endOfDay(form.get('expires') ?? '')
  if (end === undefined) return { field: 'expires', text: 'The last day must be a date, such as 2027-01-31.' }
  if (end !== null && end <= now) return { field: 'expires', text: 'The last day must not be in the past.' }
  const models = form.getAll('model')
  return {
    label: label === '' ? null : label,
    expires_at: end === null ? null : end * 1000,
    models: models.length === 0 ? null : [...new Set(models)],
  }
}

/** End of a day, UTC, in milliseconds since the epoch; null: the text is empty; undefined: it is no valid date. */
function endOfDay(text: string): number | null | undefined {
  if (text === '') return null
  const start = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Date.parse reads 30 February as 2 March.
  return Number.isNaN(start) || dayOf(start * 1000) !== text ? undefined : start + DAY_MS
}

/** `2026-11-21`, UTC. `micros`: microseconds since the epoch. */
export function dayOf(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 10)
}

/** The last day of a key that expires at this time. */
export function lastDayOf(micros: number): string {
  return dayOf(micros - 1)
}
