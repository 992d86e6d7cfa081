import { SqliteError } from './sqlite/thread.ts'

/** An error that the server sent (postgresql.org, "Error and Notice Message Fields"). */
export interface PostgresError extends Error {
  /** SQLSTATE. */
  readonly code: string
  readonly severity: string
}

/** Told by its fields: the class would take the driver, which is loaded only where there is a PostgreSQL. */
export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** TOOBIG, CONSTRAINT, MISMATCH and RANGE: the low byte of SQLite's result code. */
const SQLITE_REFUSALS = new Set([18, 19, 20, 25])

/**
 * Whether the store is well and refuses these values, so that sending them again is pointless. A row without a partition
 * (23514) is no refusal: the partition is made before the next attempt.
 */
export function isRejectedValue(error: unknown): boolean {
  if (error instanceof SqliteError) return SQLITE_REFUSALS.has((error.errcode ?? 0) & 0xff)
  if (!isPostgresError(error)) return false
  const { code } = error
  return code.startsWith('22') || (code.startsWith('23') && code !== '23514')
}
