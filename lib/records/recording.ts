import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { keepRetention } from '../store/retention.ts'
import { openStore, type Store } from '../store/store.ts'
import { Journal, type RecordSink } from './journal.ts'
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

/** Shows how records fare. Values are read when the metrics are. */
export function showRecords(metrics: Metrics, journal: Journal, writer: RecordWriter): void {
  /** Of several processes the one that fares worst counts; amounts add up. */
  const gauge = (name: string, aggregator: 'min' | 'max' | 'sum', help: string, read: () => number) =>
    metrics.gauge({
      name: `sluiceway_${name}`,
      aggregator,
      help,
      collect() {
        this.set(read())
      },
    })
  const counter = (name: string, help: string, read: () => number) =>
    metrics.counter({
      name: `sluiceway_${name}_total`,
      help,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  gauge('journal_healthy', 'min', '1 while records can be made durable; new requests are refused while 0.', () =>
    Number(journal.healthy),
  )
  gauge('journal_queued_records', 'sum', 'Records in memory because the disk does not take them.', () => journal.queued)
  counter('journal_records', 'Records taken.', () => journal.appended)
  counter('journal_lost_records', 'Records that neither disk nor memory had room for.', () => journal.lost)
  gauge('store_lag_records', 'sum', 'Records that wait for the store.', () => writer.lag.records)
  gauge(
    'store_lag_seconds',
    'max',
    'How long the oldest record has been waiting for the store.',
    () => writer.lag.seconds,
  )
  counter('store_records', 'Records moved into the store.', () => writer.inserted)
  counter('store_rejected_records', 'Records that the store refused for good: see rejected.log.', () => writer.rejected)
  counter('store_damaged_lines', 'Lines of the journal that could not be read.', () => writer.corrupt)
}
