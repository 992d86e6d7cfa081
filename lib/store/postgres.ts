import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'

export interface PostgresOptions {
  readonly log: Logger
  readonly connections?: number
  /** What one statement may take. */
  readonly statementMs?: number
}

const INT8 = 20
const NUMERIC = 1700

/** Kysely on a pool of connections to PostgreSQL. */
export function postgresDialect(url: string, options: PostgresOptions): PostgresDialect {
  const { log, connections = 2, statementMs = 5000 } = options
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
    types: { getTypeParser },
  })
  // Without a listener a connection that breaks ends the process: the pool listens on idle ones, nobody on those in use.
  pool.on('error', err => log.warn({ err }, 'a connection to PostgreSQL broke'))
  pool.on('connect', client => client.on('error', err => log.debug({ err }, 'a connection to PostgreSQL broke')))
  return new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => checked(await pool.connect()),
      end: () => pool.end(),
    },
  })
}

/** Sums and microseconds fit into a number: they are below 2^53 by far. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')
}

/**
 * A connection that is closed at its release when a query on it ended without an answer of the server, or with its last.
 * The pool would hand it to the next caller, whose query would wait behind the one that hangs.
 */
function checked(client: pg.PoolClient): PostgresPoolClient {
  let broken = false
  const query = async (sql: string, parameters: readonly unknown[]) => {
    if (broken) throw new Error('The connection to PostgreSQL is broken.')
    try {
      return await client.query(sql, [...parameters])
    } catch (error) {
      broken = !(error instanceof pg.DatabaseError) || error.severity === 'FATAL'
      throw error
    }
  }
  return {
    // Kysely's second signature is for cursors, which it does not use unless it is given them.
    query: query as unknown as PostgresPoolClient['query'],
    release: destroy => client.release(broken || destroy === true),
  }
}
