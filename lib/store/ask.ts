import { failure } from '../errors.ts'
import { within } from '../limits/within.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

/** Longer than the store's own limit for one statement, so that this ends only what the store has lost. */
const TIMEOUT_MS = 8000
const RETRY_AFTER = '5'

/** Asks the store something that a client waits for. Rejects with 503 internal_error where it does not answer. */
export type Ask = <T>(question: (session: Session) => Promise<T>) => Promise<T>

export function askStore(store: Store, timeoutMs = TIMEOUT_MS): Ask {
  const answer = async <T>(question: (session: Session) => Promise<T>): Promise<T> => {
    await store.prepare()
    return question(store)
  }
  return async question => {
    try {
      return await within(timeoutMs, `The store did not answer within ${timeoutMs} ms.`, answer(question))
    } catch (cause) {
      throw failure('internal_error', {}, { status: 503, headers: { 'retry-after': RETRY_AFTER }, cause })
    }
  }
}
