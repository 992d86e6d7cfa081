import { expect } from 'chai'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Database, Session } from '../../../lib/store/database.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import type { Store } from '../../../lib/store/store.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { onEveryStore } from '../../support/stores.ts'

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** A store with this prepare(). */
const storeThat = (prepare: () => Promise<void>) => ({ dialect: 'sqlite', db, prepare }) as unknown as Store

const failureOf = async (answer: Promise<unknown>): Promise<GatewayError> => {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).instanceOf(GatewayError)
  return thrown as GatewayError
}

const TOO_LONG = /^The store did not answer in time/

describe('a query to the store', () => {
  it('is answered', async () => {
    const ask = queryRunner(storeThat(async () => {}))
    expect(await ask(async ({ dialect }) => dialect)).equal('sqlite')
    expect(await ask(({ db }) => db.selectFrom('keys').selectAll().execute())).deep.equal([])
  })

  it('runs in the given session', async () => {
    const reader: Session = { dialect: 'postgres', db }
    const ask = queryRunner(
      storeThat(async () => {}),
      reader,
    )
    expect(await ask(async ({ dialect }) => dialect)).equal('postgres')
  })

  it('fails with a 503 if the store fails', async () => {
    const cause = new Error('no such host db.internal')
    const away = queryRunner(storeThat(() => Promise.reject(cause)))
    const failing = queryRunner(storeThat(async () => {}))
    for (const answer of [away(async () => 1), failing(() => Promise.reject(cause))]) {
      const error = await failureOf(answer)
      expect(error).include({ code: 'internal_error', status: 503 })
      expect(error.details.headers).deep.equal({ 'retry-after': '5' })
      expect(error.details.cause).equal(cause)
      expect(error.message).match(/^The store cannot be asked/)
    }
  })

  it('fails with a 503 after a timeout, here or in PostgreSQL', async () => {
    const store = storeThat(() => new Promise(() => {}))
    const overdue = await failureOf(queryRunner(store, store, 20)(async () => 1))
    expect(overdue).include({ code: 'internal_error', status: 503 })
    expect(overdue.message).match(TOO_LONG)
    const ended = new pg.DatabaseError('canceling statement due to statement timeout', 0, 'error')
    ended.code = '57014'
    ended.severity = 'ERROR'
    const ask = queryRunner(storeThat(async () => {}))
    expect((await failureOf(ask(() => Promise.reject(ended)))).message).match(TOO_LONG)
  })

  onEveryStore(store => {
    it('that exceeds the timeout delays neither the writer nor the next query', async () => {
      const slow = {
        sqlite: sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000) select max(i) from n`,
        postgres: sql`select pg_sleep(3)`,
      }
      let over = false
      const overdue = failureOf(
        queryRunner(
          store(),
          store().reader,
          100,
        )(({ db, dialect }) =>
          slow[dialect].execute(db).finally(() => {
            over = true
          }),
        ),
      )
      expect(await insertRecords(store(), [makeRecord()])).equal(1)
      const error = await overdue
      expect([error.status, TOO_LONG.test(error.message), over]).deep.equal([503, true, false])
      expect(await insertRecords(store(), [makeRecord()])).equal(1)
      // SQLite reads one query after the other.
      const rows = await queryRunner(
        store(),
        store().reader,
        60_000,
      )(({ db }) => db.selectFrom('requests').select('id').execute())
      expect(rows).length(2)
    })
  })

  it('starts no further statement after the timeout', async () => {
    const store = storeThat(async () => {})
    let statements = 0
    const asked = Promise.withResolvers<unknown>()
    const question = async ({ db }: Session) => {
      for (;;) {
        await db.selectFrom('keys').selectAll().execute()
        statements++
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    }
    const answer = queryRunner(
      store,
      store,
      30,
    )(session => {
      const endless = question(session)
      endless.catch(asked.resolve)
      return endless
    })
    expect((await failureOf(answer)).message).match(TOO_LONG)
    await asked.promise
    expect(statements).greaterThan(1)
  })
})
