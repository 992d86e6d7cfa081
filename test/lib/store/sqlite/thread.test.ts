import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { encode, toLines } from '../../../../lib/store/journal-lines.ts'
import { MIGRATIONS } from '../../../../lib/store/migrate.ts'
import { SqliteError, SqliteThread } from '../../../../lib/store/sqlite/thread.ts'
import { makeRecord } from '../../../support/record.ts'

describe('thread of a SQLite file', () => {
  let thread: SqliteThread
  before(async () => {
    thread = new SqliteThread({ path: ':memory:' })
    await thread.run('create table t (a integer primary key, b any)', [])
  })
  after(() => thread.close())

  const failure = (sql: string, parameters: unknown[] = []) =>
    thread.run(sql, parameters).then(
      () => expect.fail('did not fail'),
      (error: unknown) => error,
    )

  it('runs statements in order and returns rows and changes', async () => {
    const [inserted, selected] = await Promise.all([
      thread.run('insert into t values (?, ?), (?, ?)', [1, 'x', 2, null]),
      thread.run('select * from t order by a', []),
    ])
    expect(inserted).include({ changes: 2 })
    expect(selected.rows.map(row => ({ ...(row as object) }))).deep.equal([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ])
  })

  it('runs a statement per row and returns the first value of rows that changed the database', async () => {
    const rows = [
      [2, 'twice'],
      [3, 'x'],
      [4, null],
    ]
    const rowsText = JSON.stringify(rows)
    const { rows: changed } = await thread.run('insert into t values (?, ?) on conflict do nothing', [{ rowsText }])
    expect(changed).deep.equal([3, 4])
    const { rows: found } = await thread.run('select b from t where a > 2 order by a', [])
    expect(found.map(row => (row as { b: unknown }).b)).deep.equal(['x', null])
  })

  it('returns rows of an insert', async () => {
    const { rows } = await thread.run('insert into t values (?, ?) returning a', [9, 'y'])
    expect(rows.map(row => (row as { a: number }).a)).deep.equal([9])
  })

  it('rejects with the error code of SQLite, and continues', async () => {
    const refused = await failure('insert into t values (1, 1)')
    expect(refused).instanceOf(SqliteError)
    expect((refused as SqliteError).errcode! & 0xff).equal(19)
    expect(await failure('select nonsense')).instanceOf(SqliteError)
    expect((await thread.run('select 1 as one', [])).rows).length(1)
  })

  it('ends after pending statements, and rejects later ones', async () => {
    const ended = new SqliteThread({ path: ':memory:' })
    const waiting = ended.run('select 2', [])
    await ended.close()
    expect((await waiting).rows).length(1)
    expect(ended.isAlive).equal(false)
    expect(await ended.run('select 3', []).catch((error: Error) => error.message)).match(/ended/)
    await ended.close()
  })

  it('reports a file that cannot be opened', async () => {
    const broken = new SqliteThread({ path: '/nonexistent/folder/store.db' })
    expect(await broken.run('select 1', []).catch((error: Error) => error.message)).match(/unable to open/)
    expect(broken.isAlive).equal(false)
  })

  it('waits for a process that writes into a new file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const path = join(dir, 'new.db')
    const other = new DatabaseSync(path)
    other.exec('begin immediate; create table t (a)')
    const late = new SqliteThread({ path })
    try {
      const selected = late.run('select count(*) as n from t', [])
      await new Promise(resolve => setTimeout(resolve, 300))
      other.exec('commit')
      expect({ ...((await selected).rows[0] as object) }).deep.equal({ n: 0 })
    } finally {
      other.close()
      await late.close()
      rmSync(dir, { recursive: true })
    }
  })
})

describe('records of lines on a SQLite thread', () => {
  let thread: SqliteThread
  beforeEach(async () => {
    thread = new SqliteThread({ path: ':memory:' })
    for (const { statements } of MIGRATIONS)
      for (const statement of statements('sqlite')) await thread.run(statement, [])
  })
  afterEach(() => thread.close())

  const insert = async (...lines: readonly string[]) =>
    (await thread.run('insert records', [{ recordLines: toLines(lines) }])).rows[0]
  const failure = (...lines: readonly string[]) => insert(...lines).catch((error: Error) => error.message)
  const count = async (table: string) =>
    ((await thread.run(`select count(*) as n from ${table}`, [])).rows[0] as { n: number }).n
  /** Fails if a transaction is open. */
  const transaction = async () => {
    await thread.run('begin immediate', [])
    await thread.run('commit', [])
  }

  it('are inserted once, and damaged lines are counted', async () => {
    const [one, two] = [encode(makeRecord()), encode(makeRecord())]
    expect(await insert(one)).deep.equal({ inserted: 1, corrupt: 0 })
    expect(await insert(one, 'damaged\n', two)).deep.equal({ inserted: 1, corrupt: 1 })
    expect(await insert()).deep.equal({ inserted: 0, corrupt: 0 })
    expect(await count('requests')).equal(2)
    await transaction()
  })

  it('are all inserted, or none', async () => {
    const lines = [encode(makeRecord()), encode(makeRecord({ method: null as unknown as string }))]
    expect(await failure(...lines)).match(/NOT NULL/)
    expect([await count('requests'), await count('usage_hours')]).deep.equal([0, 0])
    await transaction()
  })

  it('fail with the reason why SQLite has ended the transaction', async () => {
    await thread.run(
      `create trigger full before insert on endpoint_minutes begin select raise(rollback, 'no room'); end`,
      [],
    )
    expect(await failure(encode(makeRecord()))).contain('no room')
    expect(await count('requests')).equal(0)
    await transaction()
  })
})
