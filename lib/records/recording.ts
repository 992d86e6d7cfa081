import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LoopWriteQueue } from '../base/write-queue.ts'
import type { Config } from '../config/config.ts'
import { keepRetention } from '../store/retention.ts'
import { openStore, type Store } from '../store/store.ts'
import { Journal, type RecordSink } from './journal.ts'
import { RecordWriter } from './writer.ts'

/** The path of a record: journal, writer, store. */
export interface Recording {
  readonly sink: RecordSink
  readonly store: Store
  /** Resolves when the store contains all records of earlier processes. */
  readonly caughtUp: Promise<void>
  close(): Promise<void>
}

interface RecordingParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  /** The queue that also contains the last bytes of responses. Records are written before them. */
  readonly writes?: LoopWriteQueue
}

/** Throws StartError if the journal's directory or a SQLite store cannot be used. */
export async function startRecording(config: Config, parts: RecordingParts): Promise<Recording> {
  const { log, metrics, clock } = parts
  const writeSeconds = metrics.histogram({
    name: 'sluiceway_journal_write_seconds',
    help: 'Duration of a write to the journal, which blocks the event loop.',
    buckets: [0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1],
  })
  const queries = metrics.histogram({
    name: 'sluiceway_store_query_seconds',
    help: 'Duration of a statement of the store, including those that failed.',
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  const onQuery = (seconds: number) => queries.observe(seconds)
  const journal = new Journal({ directory: config.journal, ...parts, writeSeconds })
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
function registerRecordMetrics(metrics: Metrics, journal: Journal, writer: RecordWriter): void {
  // `aggregator`: how the values of several workers are combined.
  const gauges = [
    {
      name: 'sluiceway_journal_healthy',
      aggregator: 'min',
      help: '1 while records can be made durable; new requests are refused while 0.',
      read: () => Number(journal.healthy),
    },
    {
      name: 'sluiceway_journal_queued_records',
      aggregator: 'sum',
      help: 'Records in memory because the disk cannot be written.',
      read: () => journal.queued,
    },
    {
      name: 'sluiceway_store_lag_records',
      aggregator: 'sum',
      help: 'Records that are not in the store yet.',
      read: () => writer.lag.records,
    },
    {
      name: 'sluiceway_store_lag_seconds',
      aggregator: 'max',
      help: 'Age of the oldest record that is not in the store yet.',
      read: () => writer.lag.seconds,
    },
  ] as const
  const counters = [
    {
      name: 'sluiceway_journal_records_total',
      help: 'Records appended to the journal.',
      read: () => journal.appended,
    },
    {
      name: 'sluiceway_journal_lost_records_total',
      help: 'Records lost because the disk could not be written and the queue was full.',
      read: () => journal.lost,
    },
    {
      name: 'sluiceway_store_records_total',
      help: 'Records inserted into the store.',
      read: () => writer.inserted,
    },
    {
      name: 'sluiceway_store_rejected_records_total',
      help: 'Records that the store rejects permanently; see rejected.log.',
      read: () => writer.rejected,
    },
    {
      name: 'sluiceway_store_damaged_lines_total',
      help: 'Damaged lines of the journal.',
      read: () => writer.corrupt,
    },
  ]
  for (const { read, ...options } of gauges) {
    metrics.gauge({
      ...options,
      collect() {
        this.set(read())
      },
    })
  }
  for (const { read, ...options } of counters) {
    metrics.counter({
      ...options,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
}
