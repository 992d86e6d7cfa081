import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { keepRetention } from '../store/retention.ts'
import { openStore, type Store } from '../store/store.ts'
import { Journal } from './journal.ts'
import { showRecords } from './metrics.ts'
import type { RecordSink } from './record.ts'
import { RecordWriter } from './writer.ts'

/** The way of the records: from the request path into the journal, from there into the store. */
export interface Recording {
  readonly sink: RecordSink
  readonly store: Store
  /** Resolves once the store has what earlier lives of this process left in the journal. */
  readonly caughtUp: Promise<void>
  close(): Promise<void>
}

export interface RecordingParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}

/** Throws when the journal's directory or an embedded store cannot be used. */
export async function startRecording(config: Config, { log, metrics, clock }: RecordingParts): Promise<Recording> {
  const journal = new Journal({ directory: config.journal, log, clock })
  let store: Store
  try {
    store = await openStore(config.store, { log })
  } catch (thrown) {
    await journal.close()
    throw thrown
  }
  const writer = new RecordWriter({ journal, store, log, clock })
  showRecords(metrics, journal, writer)
  writer.start()
  const endRetention = keepRetention({ store, days: config.retention_days, log, clock })
  return {
    sink: journal,
    store,
    caughtUp: writer.caughtUp,
    async close() {
      await endRetention()
      await writer.close()
      await journal.close()
      await store.close()
    },
  }
}
