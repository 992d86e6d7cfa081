import type { Logger } from 'pino'
import type { Key, KeyRing, ModelCatalog } from '../accounts/access.ts'
import type { CacheIsolation } from '../accounts/cache-isolation.ts'
import type { KeyedHash } from '../accounts/keyed-hash.ts'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Batches } from '../batches/batch.ts'
import type { Config } from '../config/config.ts'
import type { InternalSurface } from '../config/surface.ts'
import type { OwnAlerts } from '../customer-alerts/own-alerts.ts'
import type { ErrorTable } from '../errors/errors.ts'
import type { Files } from '../files/files.ts'
import type { Limits } from '../limits/limits.ts'
import type { ConsoleSignIn } from '../oidc/audiences.ts'
import type { RecordSink } from '../records/journal.ts'
import type { RouteName } from '../routes/routes.ts'
import type { Sessions } from '../store/console-sessions.ts'
import type { OwnKeys } from '../store/own-keys.ts'
import type { Reports } from '../store/reports.ts'
import type { TokenRatios } from '../tokens/token-ratios.ts'
import type { BatchLine } from './slots.ts'

/** A request that no client has sent. It runs through the chain of its route. */
export interface InternalRequest {
  readonly surface: InternalSurface
  /** A route with a backend. */
  readonly route: RouteName
  /** JSON in the format of the route. */
  readonly body: string | Uint8Array
  /** Whose request it is. The chain does not authenticate it. */
  readonly key: Key
  /** Request headers, names in lower case. `host` is the host in URLs of errors. */
  readonly headers?: Readonly<Record<string, string>>
  /** The line of a batch that the request runs, on the surface `batch`. */
  readonly line?: BatchLine
  /** Cancels the request. */
  readonly signal?: AbortSignal
}

/** The response as a client would receive it. */
export interface InternalReply {
  readonly requestId: string
  readonly status: number
  readonly body: string
}

export interface InternalRequests {
  /** Rejects if the request is cancelled. Refusals are replies. */
  send(request: InternalRequest): Promise<InternalReply>
}

/** Passed to a plugin's setup() (docs/PLUGINS.md). Built by process/resources.ts, in tests by testServices(). */
export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly keys: KeyRing
  readonly models: ModelCatalog
  readonly cacheIsolation: CacheIsolation
  /** Replaces texts of clients, such as names of end users, where they are kept. */
  readonly keyedHash: KeyedHash
  readonly records: RecordSink
  readonly limits: Limits
  /** Estimates the tokens of prompts, from ratios measured per model. */
  readonly tokens: TokenRatios
  /** Queries on requests, usage and members in the store. */
  readonly reports: Reports
  readonly sessions: Sessions
  /** Sign-in to the console by an OpenID Connect issuer; null: none is configured. */
  readonly oidc: ConsoleSignIn | null
  /** Lists, creates and revokes the keys of a signed-in user. */
  readonly ownKeys: OwnKeys
  /** Alerts of a signed-in user; null: the console has none. */
  readonly ownAlerts: OwnAlerts | null
  readonly files: Files
  /** null: the gateway has none. */
  readonly batches: Batches | null
  /** All error codes: those of the gateway, and those that plugins of the chain declare. */
  readonly errors: ErrorTable
  /** Sends requests of the gateway itself. Not before setup() has returned. */
  readonly internal: InternalRequests
}
