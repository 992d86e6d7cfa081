import { SqliteError } from './sqlite/thread.ts'

/** An error sent by the PostgreSQL server (postgresql.org, "Error and Notice Message Fields"). */
interface PostgresError extends Error {
  readonly code: string
  readonly severity: string
}

/** Checks members instead of the class, because the driver is loaded only if PostgreSQL is used. */
export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** SQLSTATE read_only_sql_transaction: the server is a replica, or its sessions can only read. */
const READ_ONLY = '25006'

/** Whether PostgreSQL accepts no writes on this connection. */
export function isReadOnly(error: unknown): boolean {
  return isPostgresError(error) && error.code === READ_ONLY
}

/** TOOBIG, CONSTRAINT, MISMATCH and RANGE: the low byte of SQLite's result code. */
const SQLITE_REJECTED_VALUE = new Set([18, 19, 20, 25])

/** Whether the store always rejects these values. Not for a missing partition (23514): the next attempt creates it. */
export function isRejectedValue(error: unknown): boolean {
  if (error instanceof SqliteError) return SQLITE_REJECTED_VALUE.has((error.errcode ?? 0) & 0xff)
  if (!isPostgresError(error)) return false
  const { code } = error
  return code.startsWith('22') || (code.startsWith('23') && code !== '23514')
}

/** What to do about an error of the first connection, by SQLSTATE or the code of Node. */
const REMEDIES = new Map([
  ['3D000', 'create it, for example with createdb'],
  ['ECONNREFUSED', 'does the database run there?'],
])

/** Why the store cannot be used, in one line. */
export function storeProblem(error: unknown): string {
  const { message, code } = error as Error & { readonly code?: string }
  const remedy = REMEDIES.get(code ?? '')
  return remedy === undefined ? message : `${message}: ${remedy}`
}
