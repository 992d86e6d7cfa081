import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Journal } from '../../../lib/records/journal.ts'
import { showRecords } from '../../../lib/records/metrics.ts'
import type { RecordWriter } from '../../../lib/records/writer.ts'

describe('metrics of records', () => {
  it('show what journal and writer say at the moment they are asked', async () => {
    const journal = { healthy: true, queued: 0, appended: 10, lost: 0 }
    const writer = { lag: { records: 3, seconds: 0.5 }, inserted: 7, rejected: 0, corrupt: 0 }
    const metrics = new Metrics()
    showRecords(metrics, journal as Journal, writer as RecordWriter)
    const values = async () => {
      const text = await metrics.registry.metrics()
      return Object.fromEntries(
        [...text.matchAll(/^sluiceway_(\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
      )
    }
    expect(await values()).deep.equal({
      journal_healthy: 1,
      journal_queued_records: 0,
      journal_records_total: 10,
      journal_lost_records_total: 0,
      store_lag_records: 3,
      store_lag_seconds: 0.5,
      store_records_total: 7,
      store_rejected_records_total: 0,
      store_damaged_lines_total: 0,
    })
    Object.assign(journal, { healthy: false, queued: 5, appended: 20, lost: 1 })
    Object.assign(writer, { inserted: 11, rejected: 1, corrupt: 2 })
    expect(await values()).include({
      journal_healthy: 0,
      journal_queued_records: 5,
      journal_records_total: 20,
      journal_lost_records_total: 1,
      store_records_total: 11,
      store_rejected_records_total: 1,
      store_damaged_lines_total: 2,
    })
  })
})
