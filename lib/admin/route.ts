/** A route of the operators' API. */
import type { JsonObject } from '../base/json.ts'
import type { AdminContext } from './context.ts'
import type { TextReply } from './csv.ts'

/** A request after the checks of operator, query and body. */
interface AdminRequest {
  readonly context: AdminContext
  /** Values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>
  /** Has the type of the query's schema. */
  readonly query: unknown
  /** Has the type of the body's schema. */
  readonly body: unknown
  readonly idempotencyKey: string | undefined
  status(): Promise<JsonObject>
  /** The backends of all gateways of the store. */
  backends(): Promise<readonly object[]>
}

export interface AdminRoute {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `{name}` matches one segment. */
  readonly path: string
  readonly summary: string
  /** Schema of the query in schemas/admin; undefined: the route has no parameters. */
  readonly query?: string
  /** Schema of the body in schemas/admin; undefined: the body is not read. */
  readonly body?: string
  /** Schema of the reply in schemas/admin, or of its items if `list` is set; undefined: any object. */
  readonly reply?: string
  /** Member of the reply that is the list of items. The query has `format`: a list is also served as CSV. */
  readonly list?: string
  /** Members of an item, the columns of its CSV. undefined: the properties of `reply`. */
  readonly members?: readonly string[]
  readonly status?: 201
  /** The operation may take minutes, which the limits of other operations do not allow. */
  readonly isLong?: true
  /** The reply is in memory, so that it is sent while the store does not answer. */
  readonly inMemory?: true
  /** The route accepts the header `Idempotency-Key`. */
  readonly idempotent?: true
  handle(request: AdminRequest): Promise<JsonObject | TextReply>
}
