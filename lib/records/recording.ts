import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Metrics } from '../metrics.ts'
import type { Clock } from '../services.ts'
import { openStore, type Store } from '../store/store.ts'
import { Journal } from './journal.ts'
import type { RecordSink } from './record.ts'

/** The way of the records: from the request path into the journal, from there into the store. */
export interface Recording {
  readonly sink: RecordSink
  readonly store: Store
  close(): Promise<void>
}

export interface RecordingParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}

export async function startRecording(config: Config, { log, clock }: RecordingParts): Promise<Recording> {
  const journal = new Journal({ directory: config.journal, log, clock })
  const store = await openStore(config.store, { log })
  return {
    sink: journal,
    store,
    async close() {
      await journal.close()
      await store.close()
    },
  }
}
