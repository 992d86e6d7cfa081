/** What a plugin's setup() receives: everything with a life longer than one exchange. Built in gateway.ts, faked in tests. */
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { KeyRing } from './keys.ts'
import type { Metrics } from './metrics.ts'
import type { ModelCatalog } from './models.ts'
import type { RecordSink } from './records/record.ts'

export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly keys: KeyRing
  readonly models: ModelCatalog
  readonly records: RecordSink
}

/** The only source of time, so that tests can own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds on a clock that never jumps. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}
