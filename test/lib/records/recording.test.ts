import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Config } from '../../../lib/config/config.ts'
import type { Journal } from '../../../lib/records/journal.ts'
import { type Recording, registerRecordMetrics, startRecording } from '../../../lib/records/recording.ts'
import type { RecordWriter } from '../../../lib/records/writer.ts'
import { eventually } from '../../support/gateway.ts'
import { makeRecord } from '../../support/record.ts'
import { silent } from '../../support/stores.ts'

describe('records/recording', () => {
  let dir: string
  let recording: Recording | undefined

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })

  afterEach(async () => {
    await recording?.close()
    recording = undefined
    rmSync(dir, { recursive: true, force: true })
  })

  async function start(more: Partial<Config> = {}, metrics = new Metrics()): Promise<Recording> {
    const config = {
      journal: join(dir, 'journal'),
      store: `sqlite:${join(dir, 'store.db')}`,
      retention_days: 30,
      ...more,
    }
    recording = await startRecording(config as Config, { log: silent, metrics, clock: systemClock })
    return recording
  }

  async function stored({ store }: Recording): Promise<string[]> {
    const rows = await store.db.selectFrom('requests').select('id').execute()
    return rows.map(({ id }) => id)
  }

  it('brings a record from the request path into the store', async () => {
    const { sink } = await start()
    const record = makeRecord()
    sink.append(record)
    expect(sink.healthy).equal(true)
    await eventually(async () => (await stored(recording!)).includes(record.id), 'the record')
  })

  it('leaves nothing behind in the journal when it is closed', async () => {
    const { sink } = await start()
    const records = Array.from({ length: 50 }, () => makeRecord())
    for (const record of records) sink.append(record)
    await recording!.close()
    await start()
    await recording!.caughtUp
    expect((await stored(recording!)).sort()).deep.equal(records.map(({ id }) => id).sort())
  })

  it('reports records in progress as metrics', async () => {
    const metrics = new Metrics()
    await start({}, metrics)
    expect(await metrics.registry.metrics()).contain('sluiceway_journal_healthy 1')
    expect(await metrics.registry.metrics()).match(/^sluiceway_store_query_seconds_count \d+$/m)
    recording!.sink.append(makeRecord())
    const writes = async () =>
      /^sluiceway_journal_write_seconds_count (\d+)$/m.exec(await metrics.registry.metrics())?.[1]
    await eventually(async () => (await writes()) === '1', 'the write')
  })

  it('releases the journal where the store cannot be opened', async () => {
    const file = join(dir, 'file')
    writeFileSync(file, 'no database, only text that is long enough to be taken for one by nobody')
    const error = await start({ store: `sqlite:${file}` }).catch((thrown: unknown) => thrown)
    expect(error).instanceOf(Error)
    const { sink } = await start()
    sink.append(makeRecord())
    await eventually(async () => (await stored(recording!)).length === 1, 'the record')
  })

  it('does not start where the journal cannot be written', async () => {
    const file = join(dir, 'file')
    writeFileSync(file, '')
    const error = await start({ journal: join(file, 'journal') }).catch((thrown: unknown) => thrown)
    expect(error).instanceOf(Error)
  })
})

describe('metrics of records', () => {
  it('report the state of journal and writer at the moment of a scrape', async () => {
    const journal = { healthy: true, queued: 0, appended: 10, lost: 0 }
    const writer = { lag: { records: 3, seconds: 0.5 }, inserted: 7, rejected: 0, corrupt: 0 }
    const metrics = new Metrics()
    registerRecordMetrics(metrics, journal as Journal, writer as RecordWriter)
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
