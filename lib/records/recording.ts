import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LoopWriteQueue } from '../base/write-queue.ts'
import type { Config } from '../config/config.ts'
import { keepRetention } from '../store/retention.ts'
import { openStore, type Store } from '../store/store.ts'
import { Journal, type RecordSink } from './journal.ts'
import { RecordWriter } from './writer.ts'

/** The path of records: journal, writer, store. */
export interface Recording {
  readonly sink: RecordSink
  readonly store: Store
  /** Resolves when the store contains all records that earlier processes left in the journal. */
  readonly caughtUp: Promise<void>
  close(): Promise<void>
}

export interface RecordingParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  /** The queue in which last bytes of responses wait: records are written before them. */
  readonly writes?: LoopWriteQueue
}

/** Throws StartError if the journal's directory or a SQLite store cannot be used. */
export async function startRecording(config: Config, parts: RecordingParts): Promise<Recording> {
  const { log, metrics, clock } = parts
  const writes = metrics.histogram({
    name: 'sluiceway_journal_write_seconds',
    help: 'Time of a write to the journal, during which the process does nothing else.',
    buckets: [0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1],
  })
  const queries = metrics.histogram({
    name: 'sluiceway_store_query_seconds',
    help: 'Time of a statement of the store, also of one that failed.',
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const onWrite = (seconds: number) => writes.observe(seconds)
  const onQuery = (seconds: number) => queries.observe(seconds)
  const journal = new Journal({ directory: config.journal, ...parts, onWrite })
  let store: Store
  try {
    store = await openStore(config.store, { log, onQuery })
  } catch (thrown) {
    await journal.close()
    throw thrown
  }
  const writer = new RecordWriter({ journal, store, log, clock })
  registerRecordMetrics(metrics, journal, writer)
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

/** Registers the metrics of journal and writer. Values are read at each scrape. */
export function registerRecordMetrics(metrics: Metrics, journal: Journal, writer: RecordWriter): void {
  /** `aggregator`: how the values of several workers become one: the worst state, the sum of amounts. */
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
  gauge('journal_queued_records', 'sum', 'Records in memory because the disk cannot be written.', () => journal.queued)
  counter('journal_records', 'Records appended to the journal.', () => journal.appended)
  counter(
    'journal_lost_records',
    'Records lost because the disk could not be written and the queue was full.',
    () => journal.lost,
  )
  gauge('store_lag_records', 'sum', 'Records that have not reached the store yet.', () => writer.lag.records)
  gauge(
    'store_lag_seconds',
    'max',
    'Age of the oldest record that has not reached the store yet.',
    () => writer.lag.seconds,
  )
  counter('store_records', 'Records inserted into the store.', () => writer.inserted)
  counter(
    'store_rejected_records',
    'Records that the store rejects permanently; see rejected.log.',
    () => writer.rejected,
  )
  counter('store_damaged_lines', 'Damaged lines of the journal.', () => writer.corrupt)
}
