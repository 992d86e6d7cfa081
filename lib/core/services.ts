import type { Logger } from 'pino'
import type { KeyRing, ModelCatalog } from '../accounts/access.ts'
import type { CacheIsolation } from '../accounts/cache-isolation.ts'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import type { Files } from '../files/files.ts'
import type { Limits } from '../limits/limits.ts'
import type { ConsoleSignIn } from '../oidc/audiences.ts'
import type { RecordSink } from '../records/journal.ts'
import type { Sessions } from '../store/console-sessions.ts'
import type { OwnKeys } from '../store/own-keys.ts'
import type { Reports } from '../store/reports.ts'
import type { TokenRatios } from '../tokens/token-ratios.ts'

/**
 * Passed to a plugin's setup(). Every member lives longer than one exchange; docs/PLUGINS.md describes each. Built in
 * process/resources.ts; tests use testServices() of testing.ts.
 */
export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly keys: KeyRing
  readonly models: ModelCatalog
  readonly cacheIsolation: CacheIsolation
  readonly records: RecordSink
  readonly limits: Limits
  /** Tokens of prompts, measured for each model. */
  readonly tokens: TokenRatios
  /** Requests, usage and members, read from the store. */
  readonly reports: Reports
  /** Sessions of the console. */
  readonly sessions: Sessions
  /** Signing in to the console by an issuer; null: the configuration names none. */
  readonly oidc: ConsoleSignIn | null
  /** The keys that a signed-in user has, creates and revokes. */
  readonly ownKeys: OwnKeys
  /** Files that clients have uploaded. */
  readonly files: Files
}
