import type { KyselyPlugin } from 'kysely'
import { within } from '../base/timeout.ts'
import { failure } from '../errors/errors.ts'
import { isPostgresError } from './postgres-error.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

/** As long as a statement may take (postgres.ts). */
const TIMEOUT_MS = 5000
const RETRY_AFTER = '5'
/** PostgreSQL's code of a statement that was ended by its limit. */
const CANCELED = '57014'

/** Asks the store something that a client waits for. Rejects with 503 internal_error where it does not answer. */
export type Ask = <T>(question: (session: Session) => Promise<T>) => Promise<T>

/** `session`: what questions are put to. Of one that has taken too long, no further statement is begun. */
export function askStore(store: Store, session: Session = store, timeoutMs = TIMEOUT_MS): Ask {
  const answer = async <T>(question: (session: Session) => Promise<T>, limit: AbortSignal): Promise<T> => {
    await store.prepare()
    return question({ ...session, db: session.db.withPlugin(until(limit)) })
  }
  return async question => {
    const limit = new AbortController()
    try {
      return await within(timeoutMs, OVERDUE, answer(question, limit.signal))
    } catch (cause) {
      limit.abort()
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
