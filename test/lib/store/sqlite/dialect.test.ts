import { expect } from 'chai'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { sqliteDialect } from '../../../../lib/store/sqlite/dialect.ts'

interface Tables {
  t: { a: number }
}

describe('Kysely on a SQLite thread', () => {
  let db: Kysely<Tables>
  beforeEach(async () => {
    db = new Kysely<Tables>({ dialect: sqliteDialect({ path: ':memory:' }) })
    await db.schema.createTable('t').addColumn('a', 'integer').execute()
  })
  afterEach(() => db.destroy())

  const values = async () => (await db.selectFrom('t').selectAll().orderBy('a').execute()).map(row => row.a)

  it('keeps other queries out of a transaction', async () => {
    const order: string[] = []
    const transaction = db.transaction().execute(async trx => {
      await trx.insertInto('t').values({ a: 1 }).execute()
      await new Promise(resolve => setTimeout(resolve, 20))
      order.push('transaction')
    })
    const query = values().then(found => {
      order.push('query')
      return found
    })
    await transaction
    expect(await query).deep.equal([1])
    expect(order).deep.equal(['transaction', 'query'])
  })

  it('rolls a failed transaction back', async () => {
    const failed = await db
      .transaction()
      .execute(async trx => {
        await trx.insertInto('t').values({ a: 1 }).execute()
        throw new Error('no')
      })
      .catch((error: Error) => error.message)
    expect(failed).equal('no')
    expect(await values()).deep.equal([])
  })

  it('fails with the reason why SQLite has ended a transaction, and continues', async () => {
    await sql`create table once (a integer primary key)`.execute(db)
    const failed = db.transaction().execute(async transaction => {
      await sql`insert into once values (1)`.execute(transaction)
      await sql`insert or rollback into once values (1)`.execute(transaction)
    })
    expect(await failed.catch((error: Error) => error.message)).match(/UNIQUE constraint failed/)
    expect((await sql`select * from once`.execute(db)).rows).deep.equal([])
  })

  it('returns the number of changed rows', async () => {
    await db
      .insertInto('t')
      .values([{ a: 1 }, { a: 2 }])
      .execute()
    const { numUpdatedRows } = await db.updateTable('t').set({ a: 3 }).executeTakeFirst()
    expect(numUpdatedRows).equal(2n)
  })

  it('runs a statement per row', async () => {
    const { rows } = await db.executeQuery(CompiledQuery.raw('insert into t values (?)', [{ rowsText: '[[5],[6]]' }]))
    expect(rows).deep.equal([5, 6])
    expect(await values()).deep.equal([5, 6])
  })
})
