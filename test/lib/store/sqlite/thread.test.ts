import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { SqliteError, SqliteThread } from '../../../../lib/store/sqlite/thread.ts'

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

  it('runs statements in order and answers rows and changes', async () => {
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

  it('runs a statement for each of many rows and returns the first value of those that changed something', async () => {
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

  it('returns rows of statements that have some', async () => {
    const { rows } = await thread.run('insert into t values (?, ?) returning a', [9, 'y'])
    expect(rows.map(row => (row as { a: number }).a)).deep.equal([9])
  })

  it('reports what SQLite refuses, with its code, and continues', async () => {
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
    expect(ended.alive).equal(false)
    expect(await ended.run('select 3', []).catch((error: Error) => error.message)).match(/ended/)
    await ended.close()
  })

  it('reports a file that cannot be opened', async () => {
    const broken = new SqliteThread({ path: '/nonexistent/folder/store.db' })
    expect(await broken.run('select 1', []).catch((error: Error) => error.message)).match(/unable to open/)
    expect(broken.alive).equal(false)
  })

  it('waits for a process that has begun to write into a new file', async () => {
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
