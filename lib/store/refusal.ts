import { isPostgresError } from './postgres-error.ts'
import { SqliteError } from './sqlite/thread.ts'

/** TOOBIG, CONSTRAINT, MISMATCH and RANGE: the low byte of SQLite's result code. */
const SQLITE_REFUSALS = new Set([18, 19, 20, 25])

/**
 * Whether the store is well and refuses these values, so that sending them again is pointless. A row without a partition
 * (23514) is no refusal: the partition is made before the next attempt.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof SqliteError) return SQLITE_REFUSALS.has((error.errcode ?? 0) & 0xff)
  if (!isPostgresError(error)) return false
  const { code } = error
  return code.startsWith('22') || (code.startsWith('23') && code !== '23514')
}
