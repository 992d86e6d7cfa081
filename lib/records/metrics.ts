import type { Metrics } from '../base/metrics.ts'
import type { Journal } from './journal.ts'
import type { RecordWriter } from './writer.ts'

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
