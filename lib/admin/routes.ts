/** The routes of the operators' API. A new route is a new row. The OpenAPI document is made from these rows. */
import type { JsonObject } from '../base/json.ts'
import { listAudit } from '../store/audit.ts'
import { type AccountQuery, accountList } from './account-list.ts'
import { withAccountNames } from './account-names.ts'
import {
  type AccountChange,
  accountIdOf,
  accountJson,
  accountOf,
  changeAccount,
  createAccount,
  type NewAccount,
} from './accounts.ts'
import { type CordonBody, cordon, uncordon } from './backends.ts'
import { BATCH_ROUTES } from './batch-routes.ts'
import {
  addCredits,
  type CreditBody,
  creditDaysOf,
  creditsOf,
  type LedgerDaysQuery,
  type LedgerQuery,
} from './credits.ts'
import { eraseAccount } from './erase.ts'
import { HISTORY_ROUTES } from './history-routes.ts'
import {
  changeKeyOf,
  createKeyOf,
  type KeyChangeBody,
  keysBegunWith,
  keysOf,
  type NewKeyBody,
  revokeKeyOf,
  rotateKeyOf,
} from './keys.ts'
import { MODEL_ROUTES } from './model-routes.ts'
import { OPERATORS_REQUEST, type RequestQuery, requestList, requestOf } from './requests.ts'
import type { AdminRoute } from './route.ts'
import { type UsageQuery, usageReport } from './usage.ts'
import { microsOf } from './values.ts'

interface Page {
  readonly limit: number
  readonly cursor?: string
}

/** `schemas/admin/audit-query.json` */
interface AuditQuery extends Page {
  readonly account?: string
  readonly actor?: string
  readonly action?: string
  readonly from?: string
  readonly to?: string
}

const ACCOUNT = '/admin/v1/accounts/{id}'
const KEY = '/admin/v1/keys/{id}'

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  {
    name: 'status',
    method: 'GET',
    path: '/admin/v1/status',
    summary: 'Version, configuration, stores and journal of this gateway, and all gateways of the store',
    reply: 'status',
    inMemory: true,
    handle: ({ status }) => status(),
  },
  {
    name: 'backends',
    method: 'GET',
    path: '/admin/v1/backends',
    summary: 'State and load of each backend, over all gateways of the store',
    query: 'backend-query',
    reply: 'backend',
    list: 'backends',
    inMemory: true,
    handle: async ({ backends }) => ({ backends: (await backends()) as JsonObject[] }),
  },
  {
    name: 'drain-backend',
    method: 'POST',
    path: '/admin/v1/backends/drain',
    summary: 'Keeps new requests away from a backend',
    body: 'drain',
    handle: ({ context, body }) => cordon(context, body as CordonBody),
  },
  {
    name: 'undrain-backend',
    method: 'POST',
    path: '/admin/v1/backends/undrain',
    summary: 'Ends a drain',
    body: 'drain',
    handle: ({ context, body }) => uncordon(context, body as CordonBody),
  },
  ...HISTORY_ROUTES,
  ...MODEL_ROUTES,
  ...BATCH_ROUTES,
  {
    name: 'list-accounts',
    method: 'GET',
    path: '/admin/v1/accounts',
    summary: 'Accounts of the file and of the store',
    query: 'account-query',
    reply: 'account',
    list: 'accounts',
    handle: ({ context, query }) => accountList(context, query as AccountQuery),
  },
  {
    name: 'create-account',
    method: 'POST',
    path: '/admin/v1/accounts',
    summary: 'Creates an account in the store',
    body: 'new-account',
    reply: 'account',
    status: 201,
    handle: ({ context, body }) => createAccount(context, body as NewAccount),
  },
  {
    name: 'account',
    method: 'GET',
    path: ACCOUNT,
    summary: 'One account',
    reply: 'account',
    handle: async ({ context, params }) => accountJson(context, await accountOf(context, params.id!)),
  },
  {
    name: 'change-account',
    method: 'PATCH',
    path: ACCOUNT,
    summary: 'Changes an account of the store',
    body: 'account-change',
    reply: 'account',
    handle: ({ context, params, body }) => changeAccount(context, params.id!, body as AccountChange),
  },
  {
    name: 'erase-account',
    method: 'POST',
    path: `${ACCOUNT}/erase`,
    summary: 'Erases an account of the store for good; ids and totals stay',
    reply: 'account',
    isLong: true,
    handle: ({ context, params }) => eraseAccount(context, params.id!),
  },
  {
    name: 'list-keys',
    method: 'GET',
    path: `${ACCOUNT}/keys`,
    summary: 'Keys of an account, including revoked ones, without their secrets',
    query: 'key-query',
    reply: 'key',
    list: 'keys',
    handle: async ({ context, params }) => ({ keys: await keysOf(context, params.id!) }),
  },
  {
    name: 'create-key',
    method: 'POST',
    path: `${ACCOUNT}/keys`,
    summary: 'Creates a key; the reply has its `secret`, once',
    body: 'new-key',
    reply: 'key',
    status: 201,
    handle: ({ context, params, body }) => createKeyOf(context, params.id!, body as NewKeyBody),
  },
  {
    name: 'find-keys',
    method: 'GET',
    path: '/admin/v1/keys',
    summary: 'Up to 10 keys of any account whose ids begin with a text, also revoked ones',
    query: 'key-search-query',
    reply: 'key',
    list: 'keys',
    handle: async ({ context, query }) => ({ keys: await keysBegunWith(context, (query as { id: string }).id) }),
  },
  {
    name: 'change-key',
    method: 'PATCH',
    path: KEY,
    summary: 'Changes a key of the store',
    body: 'key-change',
    reply: 'key',
    handle: ({ context, params, body }) => changeKeyOf(context, params.id!, body as KeyChangeBody),
  },
  {
    name: 'revoke-key',
    method: 'DELETE',
    path: KEY,
    summary: 'Revokes a key of the store for good',
    reply: 'key',
    handle: ({ context, params }) => revokeKeyOf(context, params.id!),
  },
  {
    name: 'rotate-key',
    method: 'POST',
    path: `${KEY}/rotate`,
    summary: 'Gives a key another `secret`; the present one stays valid for a while',
    body: 'rotation',
    reply: 'key',
    handle({ context, params, body }) {
      const { grace_seconds: grace } = body as { readonly grace_seconds?: number }
      return rotateKeyOf(context, params.id!, grace)
    },
  },
  {
    name: 'credits',
    method: 'GET',
    path: `${ACCOUNT}/credits`,
    summary: 'Balance and ledger, newest entry first',
    query: 'ledger-query',
    reply: 'ledger-entry',
    list: 'ledger',
    handle: ({ context, params, query }) => creditsOf(context, params.id!, query as LedgerQuery),
  },
  {
    name: 'credit-days',
    method: 'GET',
    path: `${ACCOUNT}/credits/days`,
    summary: 'Balance and ledger, newest day first; the charges of a day are one row',
    query: 'ledger-days-query',
    reply: 'ledger-day',
    list: 'days',
    handle: ({ context, params, query }) => creditDaysOf(context, params.id!, query as LedgerDaysQuery),
  },
  {
    name: 'add-credits',
    method: 'POST',
    path: `${ACCOUNT}/credits`,
    summary: 'Adds to the balance of a prepaid account, or takes from it',
    body: 'credit',
    status: 201,
    idempotent: true,
    handle: ({ context, params, body, idempotencyKey }) =>
      addCredits(context, params.id!, body as CreditBody, idempotencyKey),
  },
  {
    name: 'usage',
    method: 'GET',
    path: '/admin/v1/usage',
    summary: 'Usage by groups such as day, hour, model, account, user or client, as JSON or CSV',
    query: 'usage-query',
    handle: ({ context, query }) => usageReport(context, query as UsageQuery),
  },
  {
    name: 'requests',
    method: 'GET',
    path: '/admin/v1/requests',
    summary: 'Requests of every account and surface, newest first',
    query: 'request-query',
    list: 'requests',
    members: OPERATORS_REQUEST,
    handle: ({ context, query }) => requestList(context, query as RequestQuery),
  },
  {
    name: 'request',
    method: 'GET',
    path: '/admin/v1/requests/{id}',
    summary: 'One request, by any id that its client was shown',
    handle: ({ context, params }) => requestOf(context, params.id!),
  },
  {
    name: 'audit',
    method: 'GET',
    path: '/admin/v1/audit',
    summary: 'What operators have changed, newest first',
    query: 'audit-query',
    reply: 'audit-entry',
    list: 'entries',
    async handle({ context, query }) {
      const { limit, cursor, from, to, account: wanted, actor, action } = query as AuditQuery
      const account = await accountIdOf(context, wanted)
      const filter = { account, actor, action, from: microsOf(from), to: microsOf(to) }
      const { entries, ...rest } = await listAudit(context.store, filter, cursor, limit)
      return { entries: await withAccountNames(context, entries), ...rest }
    },
  },
]
