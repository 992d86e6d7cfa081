import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { type Session, transact } from '../../../lib/store/database.ts'
import { runInsertions } from '../../../lib/store/insertions.ts'
import { insertionOf } from '../../../lib/store/record-rows.ts'
import { openStore } from '../../../lib/store/store.ts'
import { openGate } from '../../support/gate.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { usePostgres } from '../../support/services.ts'
import { silent } from '../../support/stores.ts'

describe('store', () => {
  let dir = ''
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'store-'))
  })
  after(() => rmSync(dir, { recursive: true, force: true }))

  const open = (url: string) => openStore(url, { log: silent })
  const problem = (url: string) =>
    open(url).then(
      () => expect.fail('opened'),
      (error: Error) => error.message,
    )

  it('is a persistent SQLite file in a new folder', async () => {
    const url = `sqlite:${join(dir, 'deep', 'store.db')}`
    const first = await open(url)
    await insertRecords(first, [makeRecord()])
    await first.close()
    const second = await open(url)
    expect(await second.db.selectFrom('requests').select('id').execute()).length(1)
    await second.close()
  })

  it('flushes commits to the disk, with its log and without', async () => {
    const store = await open(`sqlite:${join(dir, 'flushed.db')}`)
    await insertRecords(store, [makeRecord()])
    const files = () => readdirSync(dir).filter(name => name.startsWith('flushed.db') && !name.endsWith('-shm'))
    expect(files()).deep.equal(['flushed.db', 'flushed.db-wal'])
    await store.flush()
    await store.close()
    expect(files()).deep.equal(['flushed.db'])
    await store.flush()
  })

  it('may be opened twice at the same time', async () => {
    const url = `sqlite:${join(dir, 'shared.db')}`
    const [a, b] = await Promise.all([open(url), open(url)])
    const batch = () => Array.from({ length: 50 }, () => makeRecord())
    await Promise.all([a!, b!, a!, b!].map(store => insertRecords(store, batch())))
    expect(await a!.db.selectFrom('requests').select('id').execute()).length(200)
    await Promise.all([a!.close(), b!.close()])
  })

  it('runs queries during a write, without data of an open transaction', async () => {
    const store = await open(`sqlite:${join(dir, 'read.db')}`)
    const idsOf = (session: Session) => session.db.selectFrom('requests').select('id').execute()
    const [before, during] = [makeRecord(), makeRecord()]
    await insertRecords(store, [before])
    let seen: unknown
    await transact(store, async session => {
      await runInsertions(session, insertionOf([during], new Set()))
      seen = await idsOf(store.reader)
    })
    expect(seen).deep.equal([{ id: before.id }])
    expect(await idsOf(store.reader)).length(2)
    const written = await sql`delete from requests`.execute(store.reader.db).catch((error: Error) => error.message)
    expect(written).match(/readonly/)
    await store.close()
  })

  it('accepts writes during a long query', async () => {
    const store = await open(`sqlite:${join(dir, 'busy.db')}`)
    let answered = false
    const slow = sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) from n`
      .execute(store.reader.db)
      .then(() => (answered = true))
    await insertRecords(store, [makeRecord()])
    expect(answered).equal(false)
    await slow
    await store.close()
  })

  it('reads its own writes in memory', async () => {
    const store = await open('sqlite::memory:')
    await insertRecords(store, [makeRecord()])
    expect(await store.reader.db.selectFrom('requests').select('id').execute()).length(1)
    await store.close()
  })

  it('rejects a file that is not a database', async () => {
    writeFileSync(join(dir, 'text.db'), 'This is some text, as long as a page of a database. '.repeat(30))
    expect(await problem(`sqlite:${join(dir, 'text.db')}`)).match(/not a database/)
  })

  describe('on PostgreSQL', () => {
    const url = usePostgres()

    it('opens although the server is unavailable, and is prepared later', async () => {
      const gate = await openGate(url())
      gate.shut()
      const store = await open(gate.url)
      expect(await insertRecords(store, [makeRecord()]).catch(() => 'failed')).equal('failed')
      expect(store.notes()).deep.equal(['the store has not answered since the start: records wait in the journal'])
      gate.open()
      await store.prepare()
      expect(store.notes()).deep.equal([])
      expect(await insertRecords(store, [makeRecord()])).equal(1)
      await store.close()
      await gate.close()
    })

    it('opens although the server can only read, and leaves the connections that cannot write', async () => {
      const readOnly = async (isOn: boolean) => {
        const client = new pg.Client(url())
        await client.connect()
        await client.query('set default_transaction_read_only = off')
        await client.query(`alter database ${client.database} set default_transaction_read_only = ${isOn}`)
        await client.end()
      }
      await (await open(url())).close()
      await readOnly(true)
      const store = await open(url())
      const insert = () => insertRecords(store, [makeRecord()]).catch((error: Error) => error.message)
      expect(await insert()).match(/read-only transaction/)
      await readOnly(false)
      // At most the connections of the pool fail once more.
      const results = [await insert(), await insert(), await insert()]
      expect(results.at(-1)).equal(1)
      await store.close()
    })

    it('rejects a database that does not exist', async () => {
      const wrong = new URL(url())
      wrong.pathname = '/no_such_database'
      expect(await problem(wrong.href)).match(/does not exist/)
    })
  })
})
