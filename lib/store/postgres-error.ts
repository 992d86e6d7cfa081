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
