/** The errors of limits that are used up until the end of a window (docs/api/errors.md#repeating-a-request). */
import { type FormatOptions, limitHeaders } from '../../lib/plugin.ts'

/** Details of such an error. `resetMs`: until the window ends. */
export function usedUp({ errors }: FormatOptions, limit: number, resetMs: number) {
  const headers = limitHeaders(limit, Math.max(1, resetMs) / 1000)
  if (errors.used_up === 429) return { headers, shouldRetry: false }
  const { 'retry-after': _, 'retry-after-ms': __, ...rest } = headers
  return { status: errors.used_up, headers: rest, shouldRetry: false }
}
