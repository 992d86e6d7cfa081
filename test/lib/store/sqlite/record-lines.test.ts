import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Insertion } from '../../../../lib/store/bulk.ts'
import { encode, toLines } from '../../../../lib/store/journal-lines.ts'
import { MIGRATIONS } from '../../../../lib/store/migrate.ts'
import { insertLines } from '../../../../lib/store/sqlite/record-lines.ts'
import { makeRecord } from '../../../support/record.ts'

describe('records of lines in SQLite', () => {
  let database: DatabaseSync
  beforeEach(() => {
    database = new DatabaseSync(':memory:')
    for (const { statements } of MIGRATIONS) for (const statement of statements('sqlite')) database.exec(statement)
  })
  afterEach(() => database.close())

  const run = (sql: string, rows: Insertion['rows']) => {
    const statement = database.prepare(sql)
    return rows.filter(row => Number(statement.run(...row).changes) > 0).map(([key]) => key!)
  }
  const count = (table: string) => database.prepare(`select count(*) as n from ${table}`).get()!.n

  it('are inserted once, and damaged lines are counted', () => {
    const [one, two] = [encode(makeRecord()), encode(makeRecord())]
    expect(insertLines(database, toLines([one]), run)).deep.equal({ inserted: 1, corrupt: 0 })
    expect(insertLines(database, toLines([one, 'damaged\n', two]), run)).deep.equal({ inserted: 1, corrupt: 1 })
    expect(insertLines(database, toLines([]), run)).deep.equal({ inserted: 0, corrupt: 0 })
    expect([count('requests'), database.isTransaction]).deep.equal([2, false])
  })

  it('are all or none', () => {
    const lines = toLines([encode(makeRecord()), encode(makeRecord({ method: null as unknown as string }))])
    expect(() => insertLines(database, lines, run)).throw(/NOT NULL/)
    expect([count('requests'), count('usage_hours'), database.isTransaction]).deep.equal([0, 0, false])
  })

  it('report why SQLite ended the transaction itself', () => {
    database.exec(`create trigger full before insert on endpoint_minutes begin select raise(rollback, 'no room'); end`)
    expect(() => insertLines(database, toLines([encode(makeRecord())]), run)).throw('no room')
    expect([count('requests'), database.isTransaction]).deep.equal([0, false])
  })
})
