/** Every route of the operators' API. Adding one is adding a row; the OpenAPI document is made from them. */
import type { JsonObject } from '../base/json.ts'
import { parseIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
import { listAudit } from '../store/audit.ts'
import {
  type AccountChange,
  accountIdOf,
  accountJson,
  accountList,
  accountOf,
  changeAccount,
  createAccount,
  type NewAccount,
} from './accounts.ts'
import { type DrainBody, drain, undrain } from './backends.ts'
import { addCredits, type CreditBody, creditsOf } from './credits.ts'
import type { Desk } from './desk.ts'
import {
  changeKeyOf,
  createKeyOf,
  type KeyChangeBody,
  keysOf,
  type NewKeyBody,
  revokeKeyOf,
  rotateKeyOf,
} from './keys.ts'
import { type RequestQuery, requestList, requestOf } from './requests.ts'
import { type TextReply, type UsageQuery, usageReport } from './usage.ts'

/** A request whose operator, query and body have been checked. */
export interface AdminRequest {
  readonly desk: Desk
  /** Values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>
  /** As the schema of the query types it. */
  readonly query: unknown
  /** As the schema of the body types it. */
  readonly body: unknown
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  /** The state of the gateway. */
  status(): Promise<JsonObject>
  /** The backends of all processes. */
  backends(): Promise<readonly object[]>
}

export interface AdminRoute {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `{name}` stands for one segment. */
  readonly path: string
  readonly summary: string
  /** Schema of the query under schemas/admin; undefined: it takes no parameters. */
  readonly query?: string
  /** Schema of the body under schemas/admin; undefined: no body is read. */
  readonly body?: string
  /** Schema of the reply under schemas/admin, or of the items of the member `list` of it; undefined: any object. */
  readonly reply?: string
  readonly list?: string
  /** Default: 200. */
  readonly status?: 201
  /** The operation accepts the header `Idempotency-Key`. */
  readonly idempotent?: true
  handle(request: AdminRequest): Promise<JsonObject | TextReply>
}

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
    summary: 'Version, configuration, stores and journal of this gateway',
    handle: ({ status }) => status(),
  },
  {
    name: 'backends',
    method: 'GET',
    path: '/admin/v1/backends',
    summary: 'State and load of each backend, over all processes',
    handle: async ({ backends }) => ({ backends: (await backends()) as JsonObject[] }),
  },
  {
    name: 'drain-backend',
    method: 'POST',
    path: '/admin/v1/backends/drain',
    summary: 'Keeps new requests away from a backend',
    body: 'drain',
    handle: ({ desk, body }) => drain(desk, body as DrainBody),
  },
  {
    name: 'undrain-backend',
    method: 'POST',
    path: '/admin/v1/backends/undrain',
    summary: 'Ends a drain',
    body: 'drain',
    handle: ({ desk, body }) => undrain(desk, body as DrainBody),
  },
  {
    name: 'list-accounts',
    method: 'GET',
    path: '/admin/v1/accounts',
    summary: 'Accounts of the file and of the store',
    query: 'account-query',
    reply: 'account',
    list: 'accounts',
    handle: ({ desk, query }) => accountList(desk, query as Page & { name?: string }),
  },
  {
    name: 'create-account',
    method: 'POST',
    path: '/admin/v1/accounts',
    summary: 'Creates an account in the store',
    body: 'new-account',
    reply: 'account',
    status: 201,
    handle: ({ desk, body }) => createAccount(desk, body as NewAccount),
  },
  {
    name: 'account',
    method: 'GET',
    path: ACCOUNT,
    summary: 'One account',
    reply: 'account',
    handle: async ({ desk, params }) => accountJson(desk, await accountOf(desk, params.id!)),
  },
  {
    name: 'change-account',
    method: 'PATCH',
    path: ACCOUNT,
    summary: 'Changes an account of the store',
    body: 'account-change',
    reply: 'account',
    handle: ({ desk, params, body }) => changeAccount(desk, params.id!, body as AccountChange),
  },
  {
    name: 'list-keys',
    method: 'GET',
    path: `${ACCOUNT}/keys`,
    summary: 'Keys of an account, including revoked ones, without their secrets',
    reply: 'key',
    list: 'keys',
    handle: async ({ desk, params }) => ({ keys: await keysOf(desk, params.id!) }),
  },
  {
    name: 'create-key',
    method: 'POST',
    path: `${ACCOUNT}/keys`,
    summary: 'Creates a key; the reply has its `secret`, once',
    body: 'new-key',
    reply: 'key',
    status: 201,
    handle: ({ desk, params, body }) => createKeyOf(desk, params.id!, body as NewKeyBody),
  },
  {
    name: 'change-key',
    method: 'PATCH',
    path: KEY,
    summary: 'Changes a key of the store',
    body: 'key-change',
    reply: 'key',
    handle: ({ desk, params, body }) => changeKeyOf(desk, params.id!, body as KeyChangeBody),
  },
  {
    name: 'revoke-key',
    method: 'DELETE',
    path: KEY,
    summary: 'Revokes a key of the store for good',
    reply: 'key',
    handle: ({ desk, params }) => revokeKeyOf(desk, params.id!),
  },
  {
    name: 'rotate-key',
    method: 'POST',
    path: `${KEY}/rotate`,
    summary: 'Gives a key another `secret`; the present one stays valid for a while',
    body: 'rotation',
    reply: 'key',
    handle({ desk, params, body }) {
      const { grace_seconds: grace } = body as { readonly grace_seconds?: number }
      return rotateKeyOf(desk, params.id!, grace)
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
    handle: ({ desk, params, query }) => creditsOf(desk, params.id!, query as Page),
  },
  {
    name: 'add-credits',
    method: 'POST',
    path: `${ACCOUNT}/credits`,
    summary: 'Adds to the balance of a prepaid account, or takes from it',
    body: 'credit',
    status: 201,
    idempotent: true,
    handle: ({ desk, params, body, idempotencyKey }) =>
      addCredits(desk, params.id!, body as CreditBody, idempotencyKey),
  },
  {
    name: 'usage',
    method: 'GET',
    path: '/admin/v1/usage',
    summary: 'Usage by day, model, account, key or tag, as JSON or CSV',
    query: 'usage-query',
    handle: ({ desk, query }) => usageReport(desk, query as UsageQuery),
  },
  {
    name: 'requests',
    method: 'GET',
    path: '/admin/v1/requests',
    summary: 'Requests of every account and surface, newest first',
    query: 'request-query',
    handle: ({ desk, query }) => requestList(desk, query as RequestQuery),
  },
  {
    name: 'request',
    method: 'GET',
    path: '/admin/v1/requests/{id}',
    summary: 'One request, by any id that its client was shown',
    handle: ({ desk, params }) => requestOf(desk, params.id!),
  },
  {
    name: 'audit',
    method: 'GET',
    path: '/admin/v1/audit',
    summary: 'What operators have changed, newest first',
    query: 'audit-query',
    reply: 'audit-entry',
    list: 'entries',
    async handle({ desk, query }) {
      const { limit, cursor, from, to, account: wanted, ...filter } = query as AuditQuery
      const account = await accountIdOf(desk, wanted)
      return listAudit(desk.store, { ...filter, account, from: micros(from), to: micros(to) }, cursor, limit)
    },
  },
]

function micros(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseIso(time)!.micros
}

interface Found {
  readonly route: AdminRoute
  readonly params: Readonly<Record<string, string>>
}

const PATTERNS = ADMIN_ROUTES.map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Refuses with http_404 or http_405 where there is none. HEAD is as GET: Node leaves the body out. */
export function findAdminRoute(method: string, path: string): Found {
  const there = PATTERNS.filter(({ pattern }) => pattern.test(path))
  if (there.length === 0) fail('http_404', { problem: 'No such route: /admin/openapi.json describes those there are.' })
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = there.find(({ route }) => route.method === wanted)
  if (found === undefined) {
    const allow = there.map(({ route }) => route.method).join(', ')
    fail('http_405', { method, allow }, { headers: { allow } })
  }
  return { route: found.route, params: { ...found.pattern.exec(path)!.groups } }
}
