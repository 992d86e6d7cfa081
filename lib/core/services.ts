/** What a plugin's setup() receives: everything with a life longer than one exchange. Built in gateway.ts, faked in tests. */
import type { Logger } from 'pino'
import type { KeyRing } from '../accounts/keys.ts'
import type { ModelCatalog } from '../accounts/model-catalog.ts'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import type { Files } from '../files/files.ts'
import type { Limits } from '../limits/limits.ts'
import type { RecordSink } from '../records/journal.ts'
import type { Sessions } from '../store/console-sessions.ts'
import type { Reports } from '../store/reports.ts'

/** What a plugin's setup() receives. Every member lives longer than one exchange; docs/PLUGINS.md describes each. */
export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly keys: KeyRing
  readonly models: ModelCatalog
  readonly records: RecordSink
  readonly limits: Limits
  /** What the store tells of requests and usage. */
  readonly reports: Reports
  /** Who is signed in to the console. */
  readonly sessions: Sessions
  /** What clients have uploaded. */
  readonly files: Files
}
