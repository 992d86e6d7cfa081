import type { ListedBackend } from '../backends/backend-list.ts'
import { type AccountHistoryQuery, accountHistory } from './account-history.ts'
import { type CostQuery, costReport } from './costs.ts'
import { type EventQuery, eventList } from './events.ts'
import { backendHistories, backendHistory, type HistoriesQuery, type HistoryQuery, modelHistory } from './history.ts'
import { idOf } from './models.ts'
import type { AdminRoute } from './route.ts'

/** The rows of the history of backends, models and accounts in the table of routes. */
export const HISTORY_ROUTES: readonly AdminRoute[] = [
  {
    name: 'backend-history',
    method: 'GET',
    path: '/admin/v1/backends/history',
    summary: 'A backend over time: states, load, times, tokens, failures and events, over all gateways of the store',
    query: 'backend-history-query',
    reply: 'history',
    handle: ({ context, query }) =>
      backendHistory(context, query as HistoryQuery & { readonly model: string; readonly url: string }),
  },
  {
    name: 'backend-histories',
    method: 'GET',
    path: '/admin/v1/backends/histories',
    summary: 'A few numbers of all backends over time, over all gateways of the store',
    query: 'backend-histories-query',
    reply: 'backend-histories',
    handle: async ({ context, query, backends }) =>
      backendHistories(context, query as HistoriesQuery, (await backends()) as readonly ListedBackend[]),
  },
  {
    name: 'backend-events',
    method: 'GET',
    path: '/admin/v1/backends/events',
    summary: 'Reloads, drains and ejections, over all gateways of the store',
    query: 'backend-event-query',
    reply: 'backend-events',
    handle: ({ context, query }) => eventList(context, query as EventQuery),
  },
  {
    name: 'model-history',
    method: 'GET',
    path: '/admin/v1/models/{id}/history',
    summary: 'A model over time: traffic, queue, limit, times, tokens, failures and events of all its backends',
    query: 'history-query',
    reply: 'history',
    handle: ({ context, params, query }) => modelHistory(context, idOf(params.id!), query as HistoryQuery),
  },
  {
    name: 'account-history',
    method: 'GET',
    path: '/admin/v1/accounts/{id}/history',
    summary: 'An account over time: cost, requests, tokens, requests that limits refused, and its balance',
    query: 'account-history-query',
    reply: 'account-history',
    handle: ({ context, params, query }) => accountHistory(context, params.id!, query as AccountHistoryQuery),
  },
  {
    name: 'costs',
    method: 'GET',
    path: '/admin/v1/costs',
    summary: 'Accounts by their cost, with share and trend, as JSON or CSV',
    query: 'cost-query',
    reply: 'costs',
    handle: ({ context, query }) => costReport(context, query as CostQuery),
  },
]
