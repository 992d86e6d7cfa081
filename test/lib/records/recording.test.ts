import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { systemClock } from '../../../lib/base/clock.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Config } from '../../../lib/config/config.ts'
import { type Recording, startRecording } from '../../../lib/records/recording.ts'
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
    writeFileSync(file, 'a text file that is long enough to have a header, but is no database')
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

  it('reads the state of journal and writer at each scrape', async () => {
    mkdirSync(join(dir, 'journal'))
    writeFileSync(join(dir, 'journal', 'journal-1-00000000-000001.log'), '00000000 ["damaged"]\n')
    const metrics = new Metrics()
    const { sink, store } = await start({}, metrics)
    const values = async () => {
      const text = await metrics.registry.metrics()
      const samples = text.matchAll(
        /^sluiceway_((?:journal|store)_(?:healthy|lag_\w+|\w*records\w*|damaged\w*)) (\S+)$/gm,
      )
      return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]))
    }
    const until = (name: string, value: number) => eventually(async () => (await values())[name] === value, name)

    sink.append(makeRecord({ method: null as unknown as string }))
    sink.append(makeRecord())
    await until('store_records_total', 1)
    await until('store_lag_records', 0)
    await until('store_damaged_lines_total', 1)
    const before = await values()
    expect(before).deep.equal({
      journal_healthy: 1,
      journal_queued_records: 0,
      journal_records_total: 2,
      journal_lost_records_total: 0,
      store_lag_records: 0,
      store_lag_seconds: 0,
      store_records_total: 1,
      store_rejected_records_total: 1,
      store_damaged_lines_total: 1,
    })

    await sql`alter table endpoint_minutes rename to away`.execute(store.db)
    sink.append(makeRecord())
    await eventually(async () => (await values()).store_lag_seconds! > 0, 'the age')
    await sql`alter table away rename to endpoint_minutes`.execute(store.db)
    await until('store_lag_records', 0)

    await sql`alter table endpoint_minutes rename to away`.execute(store.db)
    renameSync(join(dir, 'journal'), join(dir, 'away'))
    writeFileSync(join(dir, 'journal'), '')
    for (let i = 0; i < 3; i++) sink.append(makeRecord())
    await until('journal_healthy', 0)
    expect(await values()).include({ journal_queued_records: 3, journal_records_total: 6, store_lag_records: 3 })
    await recording!.close()
    recording = undefined
    expect(await values()).include({ journal_queued_records: 0, journal_lost_records_total: 3 })
  })
})
