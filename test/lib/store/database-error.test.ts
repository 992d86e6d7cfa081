import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { isPostgresError, isRejectedValue, storeProblem } from '../../../lib/store/database-error.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('PostgreSQL errors', () => {
  it('are errors that the server has sent', () => {
    const said = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23505', severity: 'ERROR' })
    expect(isPostgresError(said)).equal(true)
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    for (const other of [refused, new Error('timeout'), { code: '23505', severity: 'ERROR' }, undefined])
      expect(isPostgresError(other)).equal(false)
  })
})

describe('the problem of a store', () => {
  const problem = (message: string, code: string) => storeProblem(Object.assign(new Error(message), { code }))

  it('says what to do about a missing database and a server that does not run', () => {
    expect(problem('database "a" does not exist', '3D000')).equal(
      'database "a" does not exist: create it, for example with createdb',
    )
    expect(problem('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED')).equal(
      'connect ECONNREFUSED 127.0.0.1:5432: does the database run there?',
    )
  })

  it('is the message of every other error', () => {
    expect(problem('role "u" does not exist', '28000')).equal('role "u" does not exist')
    expect(storeProblem(new Error('timeout'))).equal('timeout')
  })
})

describe('rejected values', () => {
  onEveryStore(store => {
    const failure = (statement: ReturnType<typeof sql>) =>
      statement.execute(store().db).then(
        () => expect.fail('did not fail'),
        (error: unknown) => error,
      )

    it('are errors about values', async () => {
      const missing = sql`insert into credit_balances (account_id, balance_microcents) values ('a', null)`
      expect(isRejectedValue(await failure(missing))).equal(true)
      const twice = sql`insert into keys (id, account_id, kind, sha256, endpoints, created_at) values ('1', '', '', 'x', '', 1), ('2', '', '', 'x', '', 1)`
      expect(isRejectedValue(await failure(twice))).equal(true)
    })

    it('are not errors of statements', async () => {
      expect(isRejectedValue(await failure(sql`select no_such_column from requests`))).equal(false)
    })
  })

  it('are not errors of the connection', () => {
    expect(isRejectedValue(new Error('connect ECONNREFUSED'))).equal(false)
    expect(isRejectedValue(undefined)).equal(false)
  })
})
