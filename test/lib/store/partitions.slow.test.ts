import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { Partitions } from '../../../lib/store/partitions.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { usePostgres } from '../../support/services.ts'
import { silent } from '../../support/stores.ts'

const DAY = 86_400_000_000
const NOON = Date.UTC(2026, 10, 21, 12) * 1000

describe('partitions of PostgreSQL', () => {
  const url = usePostgres()
  let store: Store
  before(async () => {
    store = await openStore(url(), { log: silent })
  })
  after(() => store?.close())

  const partitions = async () => {
    const { rows } = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent in ('requests'::regclass, 'request_errors'::regclass, 'request_tags'::regclass)
      and inhrelid::regclass::text ~ '_\\d{8}$' order by name`.execute(store.db)
    return rows.map(({ name }) => name)
  }

  it('are created per day, once, also by concurrent processes', async () => {
    const processes = [1, 2, 3].map(() => new Partitions(store))
    await Promise.all(processes.map(own => own.ensure([NOON, NOON + 1, NOON + DAY])))
    await processes[0]!.ensure([NOON])
    expect(await partitions()).deep.equal([
      'request_errors_20261121',
      'request_errors_20261122',
      'request_tags_20261121',
      'request_tags_20261122',
      'requests_20261121',
      'requests_20261122',
    ])
  })

  it('wait for another process that creates them', async () => {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const other = store.reader.db.transaction().execute(async transaction => {
      await sql`select pg_advisory_xact_lock(5481702114)`.execute(transaction)
      held.resolve()
      await released.promise
    })
    await held.promise
    const day = NOON + 30 * DAY
    const made = new Partitions(store).ensure([day])
    // Longer than the lock timeout of a statement.
    const first = await Promise.race([made.then(() => 'made'), sleep(1500, 'waiting')])
    released.resolve()
    await other
    await made
    expect(first).equal('waiting')
    expect(await partitions()).include('requests_20261221')
  })

  it('are dropped when they have expired', async () => {
    await insertRecords(store, [makeRecord({ created_at: NOON - DAY }), makeRecord({ created_at: NOON })])
    await new Partitions(store).expire(NOON + DAY / 4)
    expect(await partitions())
      .include('requests_20261121')
      .and.not.include('requests_20261120')
    const rows = await store.db.selectFrom('requests').select('created_at').execute()
    expect(rows).deep.equal([{ created_at: NOON }])
  })

  it('are created again if another process has dropped one', async () => {
    const record = makeRecord({ created_at: NOON - 5 * DAY })
    expect(await insertRecords(store, [record])).equal(1)
    await new Partitions(store).expire(NOON)
    const again = () => insertRecords(store, [record])
    expect(await again().catch(() => 'failed')).equal('failed')
    expect(await again()).equal(1)
  })

  it('find a row by the index of its partition', async () => {
    await sql`analyze`.execute(store.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from requests where endpoint = 'e' and created_at <= ${NOON} order by created_at desc, public_id desc limit 5
    `.execute(store.db)
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    expect(plan).not.include('requests_20261122')
  })
})
