import type { KyselyPlugin } from 'kysely'
import { within } from '../base/timeout.ts'
import { failure, GatewayError } from '../errors/errors.ts'
import type { Session } from './database.ts'
import { isPostgresError } from './database-error.ts'
import type { Store } from './store.ts'

/** Equal to the time limit of a statement (postgres.ts). */
const TIMEOUT_MS = 5000
const RETRY_AFTER = '5'
/** SQLSTATE query_canceled: the statement ran into its time limit. */
const CANCELED = '57014'

/** Runs a query while a client waits. Rejects with its refusal, or with 503 internal_error if the store is too slow. */
export type RunQuery = <T>(query: (session: Session) => Promise<T>) => Promise<T>

/** `session`: default is `store`. After the timeout, a query starts no further statement. */
export function queryRunner(store: Store, session: Session = store, timeoutMs = TIMEOUT_MS): RunQuery {
  const runPrepared = async <T>(query: (session: Session) => Promise<T>, limit: AbortSignal): Promise<T> => {
    await store.prepare()
    return query({ ...session, db: session.db.withPlugin(until(limit)) })
  }
  return async query => {
    const limit = new AbortController()
    try {
      return await within(timeoutMs, OVERDUE, runPrepared(query, limit.signal))
    } catch (cause) {
      limit.abort()
      // A refusal of the query.
      if (cause instanceof GatewayError) throw cause
      const message = isOverdue(cause) ? OVERDUE : 'The store cannot be asked at the moment: ask again.'
      throw failure('internal_error', {}, { status: 503, headers: { 'retry-after': RETRY_AFTER }, cause, message })
    }
  }
}

const OVERDUE = 'The store did not answer in time: ask again and, should that repeat, with fewer or wider filters.'

function until(limit: AbortSignal): KyselyPlugin {
  return {
    transformQuery({ node }) {
      limit.throwIfAborted()
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

function isOverdue(error: unknown): boolean {
  if (isPostgresError(error)) return error.code === CANCELED
  return error instanceof Error && error.message === OVERDUE
}
