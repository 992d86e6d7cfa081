/** Calls of routes of the operators' API by a known operator. The callers are the HTTP API and the pages. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { queryReader } from '../schemas/query.ts'
import { readSchema } from '../schemas/read.ts'
import type { Actor } from '../store/audit.ts'
import { queryRunner, type RunQuery } from '../store/query-runner.ts'
import type { Store } from '../store/store.ts'
import { bodyCheck } from './body.ts'
import { csvOfPages, type TextReply } from './csv.ts'
import type { ListedGateway } from './live/fleet.ts'
import type { AdminRoute } from './route.ts'
import { ADMIN_ROUTES } from './routes.ts'
import { type ProcessState, statusJson } from './status.ts'

/** What the operators' API and pages get from the process. */
export interface AdminOptions {
  config(): Config
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  state(): Promise<ProcessState>
  /** The backends of all gateways of the store. */
  backends(): Promise<readonly object[]>
  /** All gateways of the store, this one first. */
  gateways(): Promise<readonly ListedGateway[]>
  changed(): Promise<void>
}

interface AdminCall {
  readonly route: AdminRoute
  /** Values of `{name}` in the path. */
  readonly params?: Readonly<Record<string, string>>
  /** The query of the URL, without `?`. */
  readonly query?: string
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
}

export interface AdminCalls {
  /** Runs queries that change nothing. */
  readonly read: RunQuery
  readonly write: RunQuery
  /** Checks query and body, and runs the operation. Rejects with a GatewayError. */
  call(actor: Actor, call: AdminCall): Promise<JsonObject | TextReply>
}

/** How a route reads its query and checks its body. */
interface Checks {
  readonly query: (raw: string) => JsonObject
  readonly body: ((body: unknown) => void) | undefined
}

/** Entries that a file reads at once, and time after which it ends. */
const CSV_PAGE = 500
const MAX_CSV_MS = 20_000

export function adminCalls(options: AdminOptions): AdminCalls {
  const { config, store, clock, log, state, backends, gateways, changed } = options
  const read = queryRunner(store, store.reader)
  const write = queryRunner(store)
  const unlimited: RunQuery = async query => {
    await store.prepare()
    return query(store)
  }
  const inMemory: RunQuery = query => query(store)
  const checks = new Map(ADMIN_ROUTES.map(route => [route, checksOf(route)]))
  const runnerOf = (route: AdminRoute): RunQuery => {
    if (route.inMemory === true) return inMemory
    if (route.isLong === true) return unlimited
    return route.method === 'GET' ? read : write
  }
  const isStoreUp = () =>
    read(({ db }) => db.selectFrom('key_changes').select('counter').execute()).then(
      () => true,
      () => false,
    )
  return {
    read,
    write,
    async call(actor, { route, params = {}, query: raw = '', body, idempotencyKey }) {
      const check = checks.get(route)!
      const query = check.query(raw)
      check.body?.(body)
      const run = runnerOf(route)
      const now = clock.micros()
      const status = async () => statusJson(config(), await state(), await isStoreUp(), await gateways())
      const handle = (own: object) =>
        run(session => {
          const context = { store: session, config: config(), actor, now, log }
          return route.handle({ context, params, query: own, body, idempotencyKey, status, backends })
        })
      if (route.list !== undefined && query.format === 'csv') {
        const end = clock.monotonic() + MAX_CSV_MS
        return csvOfPages({
          list: route.list,
          members: membersOf(route),
          currency: config().currency,
          isOver: () => clock.monotonic() > end,
          read: cursor => handle({ ...query, limit: CSV_PAGE, cursor }) as Promise<JsonObject>,
        })
      }
      const result = await handle(query)
      if (route.method !== 'GET') await changed()
      return result
    },
  }
}

/** Members of an item of the list. */
function membersOf({ members, reply }: AdminRoute): readonly string[] {
  return members ?? Object.keys(readSchema(`admin/${reply}`).properties as JsonObject)
}

function checksOf({ query = 'none', body }: AdminRoute): Checks {
  return {
    query: queryReader(readSchema(`admin/${query}`), 'schema_validation_failed'),
    body: body === undefined ? undefined : bodyCheck(body),
  }
}
