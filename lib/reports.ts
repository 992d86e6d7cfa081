/** What the inspection and usage routes ask of the store, each question with a limit of time. */
import { failure } from './errors.ts'
import type { JsonObject } from './json.ts'
import { listMembers, type StoredMember } from './store/accounts.ts'
import type { Cursor } from './store/queries/cursor.ts'
import { endpointMetrics } from './store/queries/metrics.ts'
import { findRequest, listRequests, type RequestFilter, type RequestPage } from './store/queries/requests.ts'
import { type UsageFilter, type UsageRow, usageByDay } from './store/queries/usage.ts'
import type { Session } from './store/session.ts'
import type { Store } from './store/store.ts'

/** Times in microseconds since the epoch. All reject with 503 internal_error where the store does not answer. */
export interface Reports {
  /** A page of the requests of an endpoint, newest first. */
  requests(filter: RequestFilter, cursor: Cursor | undefined, limit: number): Promise<RequestPage>
  /** One request of an endpoint by its public id or UUID. */
  request(endpoint: string, id: string): Promise<JsonObject | undefined>
  metrics(endpoint: string, from: number, to: number): Promise<JsonObject>
  usage(filter: UsageFilter): Promise<readonly UsageRow[]>
  /** Members of the account that live in the store, former ones included. */
  members(accountId: string): Promise<readonly StoredMember[]>
}

/** Longer than the store's own limit for one statement, so that this ends only what the store has lost. */
const TIMEOUT_MS = 8000
const RETRY_AFTER = '5'

export function storeReports(store: Store, timeoutMs = TIMEOUT_MS): Reports {
  const ask = async <T>(question: (session: Session) => Promise<T>): Promise<T> => {
    try {
      return await inTime(timeoutMs, async () => {
        await store.prepare()
        return question(store)
      })
    } catch (cause) {
      throw failure('internal_error', {}, { status: 503, headers: { 'retry-after': RETRY_AFTER }, cause })
    }
  }
  return {
    requests: (filter, cursor, limit) => ask(session => listRequests(session, filter, cursor, limit)),
    request: (endpoint, id) => ask(session => findRequest(session, endpoint, id)),
    metrics: (endpoint, from, to) => ask(session => endpointMetrics(session, endpoint, from, to)),
    usage: filter => ask(session => usageByDay(session, filter)),
    members: accountId => ask(session => listMembers(session, accountId)),
  }
}

/** Waits for the work, but no longer than this; the work itself goes on. */
async function inTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`The store did not answer within ${ms} ms.`)), ms)
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
