/** What a plugin's setup() receives: everything with a life longer than one exchange. Built in gateway.ts, faked in tests. */
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Files } from './files/files.ts'
import type { KeyRing } from './keys.ts'
import type { Limits } from './limits/limits.ts'
import type { Metrics } from './metrics.ts'
import { microsecondClock } from './micros.ts'
import type { ModelCatalog } from './models.ts'
import type { RecordSink } from './records/record.ts'
import type { Reports } from './reports.ts'
import type { Sessions } from './sessions.ts'

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

/** The only source of time, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Microseconds since the epoch, never the same twice (lib/micros.ts). */
  micros(): number
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
}

const now = () => Date.now()
const monotonic = () => performance.now()

export const systemClock: Clock = { now, micros: microsecondClock(now, monotonic), monotonic }
