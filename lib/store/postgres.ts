import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import { isPostgresError, isReadOnly } from './database-error.ts'

interface PostgresOptions {
  readonly log: Logger
  readonly connections?: number
  readonly statementMs?: number
}

const INT8 = 20
const NUMERIC = 1700

/** Kysely's dialect on a pool of connections. The driver is loaded by the first query. */
export function postgresDialect(url: string, options: PostgresOptions): PostgresDialect {
  return new PostgresDialect({ pool: () => createPool(url, options) })
}

async function createPool(url: string, options: PostgresOptions): Promise<PostgresPool> {
  const { log, connections = 2, statementMs = 5000 } = options
  const { default: pg } = await import('pg')
  const { types } = pg
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'sluiceway',
    max: connections,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 60_000,
    // Queries that only read succeed on a server that is no longer the primary.
    maxLifetimeSeconds: 300,
    keepAlive: true,
    statement_timeout: statementMs,
    // Longer than the server's time limit, for a server or network that does not answer.
    query_timeout: statementMs + 1000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      // Sums and microseconds are below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // An 'error' event without a listener ends the process. The pool reports only idle connections, hence both listeners.
  pool.on('error', err => log.warn({ err }, 'a connection to PostgreSQL broke'))
  pool.on('connect', client => client.on('error', err => log.debug({ err }, 'a connection to PostgreSQL broke')))
  return {
    options: pool.options,
    connect: async () => checked(await pool.connect()),
    end: () => pool.end(),
  }
}

/**
 * Closes a connection on release after a query without answer or with FATAL, because the next query would hang, and if
 * it can only read, because a new one may reach a server that can write.
 */
function checked(client: PoolClient): PostgresPoolClient {
  let isBroken = false
  let isOutdated = false
  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (isBroken) throw new Error('The connection to PostgreSQL is broken.')
    try {
      return await client.query(sql, [...parameters])
    } catch (error) {
      isBroken = !isPostgresError(error) || error.severity === 'FATAL'
      isOutdated ||= isReadOnly(error)
      throw error
    }
  }
  return {
    // Kysely uses the other signature only for cursors, which are not configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: destroy => client.release(isBroken || isOutdated || destroy === true),
  }
}
