import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import { isPostgresError } from './database-error.ts'

export interface PostgresOptions {
  readonly log: Logger
  readonly connections?: number
  /** What one statement may take. */
  readonly statementMs?: number
}

const INT8 = 20
const NUMERIC = 1700

/** Kysely on a pool of connections to PostgreSQL. The driver is loaded with the first query. */
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
    keepAlive: true,
    statement_timeout: statementMs,
    // Past the server's own limit: this one ends the wait where the server or the network is silent.
    query_timeout: statementMs + 1000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      // Sums and microseconds fit into a number: they are below 2^53 by far.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // Without a listener a connection that breaks ends the process: the pool listens on idle ones, nobody on those in use.
  pool.on('error', err => log.warn({ err }, 'a connection to PostgreSQL broke'))
  pool.on('connect', client => client.on('error', err => log.debug({ err }, 'a connection to PostgreSQL broke')))
  return {
    options: pool.options,
    connect: async () => checked(await pool.connect()),
    end: () => pool.end(),
  }
}

/**
 * A connection of the pool that is closed at its release where a query got no answer, or where the server ended the
 * connection with its answer. Otherwise the pool would hand it to the next caller, whose query would wait behind the one
 * that hangs.
 */
function checked(client: PoolClient): PostgresPoolClient {
  let broken = false
  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (broken) throw new Error('The connection to PostgreSQL is broken.')
    try {
      return await client.query(sql, [...parameters])
    } catch (error) {
      broken = !isPostgresError(error) || error.severity === 'FATAL'
      throw error
    }
  }
  return {
    // Kysely's second signature is for cursors, which it does not use unless it is given them.
    query: query as unknown as PostgresPoolClient['query'],
    release: destroy => client.release(broken || destroy === true),
  }
}
