import type { JsonObject } from '../base/json.ts'
import { listMembers, type StoredMember } from './accounts.ts'
import { creditBalance } from './credits.ts'
import {
  type AccountRequestFilter,
  type AccountRequestPage,
  accountRequest,
  accountRequests,
} from './queries/account-requests.ts'
import { type BatchRequests, batchRequests } from './queries/batches.ts'
import { parseCursor } from './queries/cursor.ts'
import { endpointMetrics } from './queries/metrics.ts'
import { findRequest, listRequests, type RequestFilter, type RequestPage } from './queries/requests.ts'
import { type UsageFilter, type UsageOfPeriod, usageByDay } from './queries/usage.ts'
import type { RunQuery } from './query-runner.ts'

/** Times are microseconds since the epoch. All methods reject with 503 internal_error if the store does not answer. */
export interface Reports {
  /** Newest first. `cursor`: that of the previous page; an invalid one is ignored. */
  requests(filter: RequestFilter, cursor: string | undefined, limit: number): Promise<RequestPage>
  /** One request of an endpoint by its public id or UUID. */
  request(endpoint: string, id: string): Promise<JsonObject | undefined>
  /** A page of the requests of an account, newest first. */
  accountRequests(filter: AccountRequestFilter, limit: number): Promise<AccountRequestPage>
  /** One request of an account, or of one of its members, by any of its ids. */
  accountRequest(owner: Pick<AccountRequestFilter, 'account' | 'user'>, id: string): Promise<JsonObject | undefined>
  /** Of a batch, with the requests that began at or after `since`. */
  batch(id: string, since: number): Promise<BatchRequests>
  /** Sum of the account's ledger in micro-cents: top-ups minus charges. */
  booked(accountId: string): Promise<number>
  metrics(endpoint: string, from: number, to: number): Promise<JsonObject>
  usage(filter: UsageFilter): Promise<UsageOfPeriod>
  /** Members of the account in the store, including former ones. */
  members(accountId: string): Promise<readonly StoredMember[]>
}

export function storeReports(run: RunQuery): Reports {
  return {
    requests: (filter, cursor, limit) =>
      run(session => listRequests(session, filter, cursor === undefined ? undefined : parseCursor(cursor), limit)),
    request: (endpoint, id) => run(session => findRequest(session, endpoint, id)),
    accountRequests: (filter, limit) => run(session => accountRequests(session, filter, limit)),
    accountRequest: (owner, id) => run(session => accountRequest(session, owner, id)),
    batch: (id, since) => run(session => batchRequests(session, id, since)),
    booked: accountId => run(session => creditBalance(session, accountId)),
    metrics: (endpoint, from, to) => run(session => endpointMetrics(session, endpoint, from, to)),
    usage: filter => run(session => usageByDay(session, filter)),
    members: accountId => run(session => listMembers(session, accountId)),
  }
}
