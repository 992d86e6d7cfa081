/** What several pages of batches show. */
import { type Batch, type Html, html, timeHtml } from '../../../lib/console.ts'
import { countText } from '../numbers.ts'

const CLASS = { completed: 'good', failed: 'error', expired: 'error', cancelled: 'warn', cancelling: 'warn' } as const

/** The state as a word. */
export function statusOf({ status }: Batch): Html {
  const text = status.replace('_', ' ')
  const kind = CLASS[status as keyof typeof CLASS]
  return kind === undefined ? html`${text}` : html`<span class="${kind}">${text}</span>`
}

/** Lines that have ended, of all lines. */
export function progress({ id, counts }: Batch): Html | string {
  const { total, completed, failed, cancelled, expired } = counts
  if (total === 0) return '–'
  const done = completed + failed + cancelled + expired
  return html`<progress max="${total}" value="${done}" aria-label="Progress of ${id}"></progress> <span class="whole">${countText(done)} of ${countText(total)}</span>`
}

/** `millis`: since the epoch. */
export function millisHtml(millis: number): Html | string {
  return timeHtml(new Date(millis).toISOString())
}

export function endText(expectedEnd: number | null): Html | string {
  return expectedEnd === null ? 'not known yet' : millisHtml(expectedEnd)
}

/** The present rate is that of the last ten minutes. */
export const RATE_MS = 600_000

/** When the last line ends at the present rate. null: unknown. `recent`: lines that began in the last ten minutes. */
export function expectedEndOf({ status, inProgressAt, counts }: Batch, recent: number, now: number): number | null {
  if (status !== 'in_progress' || inProgressAt === null || recent === 0) return null
  const left = counts.total - counts.completed - counts.failed
  const span = Math.max(1000, Math.min(RATE_MS, now - inProgressAt))
  return now + (left * span) / recent
}
