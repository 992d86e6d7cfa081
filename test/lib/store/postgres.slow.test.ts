import { expect } from 'chai'
import { Kysely, sql } from 'kysely'
import { postgresDialect } from '../../../lib/store/postgres.ts'
import { usePostgres } from '../../support/services.ts'
import { silent } from '../../support/stores.ts'

describe('pool of PostgreSQL connections', () => {
  const url = usePostgres()
  let db: Kysely<unknown>
  before(() => {
    db = new Kysely({ dialect: postgresDialect(url(), { log: silent, connections: 1, statementMs: 300 }) })
  })
  after(() => db?.destroy())

  const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one

  it('reads sums and large integers as numbers', async () => {
    const { rows } = await sql`select 1763719653123456::bigint as a, sum(x) as b, 1.5::float8 as c, true as d
      from (values (1::bigint), (2)) as t(x)`.execute(db)
    expect(rows).deep.equal([{ a: 1_763_719_653_123_456, b: 3, c: 1.5, d: true }])
  })

  it('ends a slow statement', async () => {
    const failed = await sql`select pg_sleep(5)`.execute(db).catch((error: Error) => error.message)
    expect(failed).match(/statement timeout/)
    expect(await one()).equal(1)
  })

  it('continues after the server has closed connections, in use and idle', async () => {
    const inUse = db.connection().execute(async connection => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection)
    })
    expect(await inUse.catch((error: Error) => error.message)).match(/terminat/)
    expect(await one()).equal(1)

    const betweenStatements = db.transaction().execute(async transaction => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      const other = new Kysely<unknown>({ dialect: postgresDialect(url(), { log: silent, connections: 1 }) })
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(other)
      await other.destroy()
      await new Promise(resolve => setTimeout(resolve, 50))
      await sql`select 1`.execute(transaction)
    })
    expect(await betweenStatements.catch(() => 'failed')).equal('failed')
    expect(await one()).equal(1)
  })

  it('does not reuse a connection that can only read', async () => {
    await sql`create table written (id integer)`.execute(db)
    await sql`set session characteristics as transaction read only`.execute(db)
    const write = () => sql`insert into written values (1)`.execute(db)
    expect(await write().catch((error: Error) => error.message)).match(/read-only transaction/)
    await write()
    await sql`set session characteristics as transaction read only`.execute(db)
    const inTransaction = db.transaction().execute(transaction => sql`delete from written`.execute(transaction))
    expect(await inTransaction.catch((error: Error) => error.message)).match(/read-only transaction/)
    await write()
  })

  it('does not reuse a connection with a query that hangs', async () => {
    const hanging = db.connection().execute(async connection => {
      // Without a time limit of the server, only the client times out.
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`select pg_sleep(8)`.execute(connection)
    })
    expect(await hanging.catch((error: Error) => error.message)).match(/timeout/)
    // On the same connection it would wait for the slow query, and time out as well.
    expect(await one()).equal(1)
  })
})
