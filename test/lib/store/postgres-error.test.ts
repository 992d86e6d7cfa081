import { expect } from 'chai'
import pg from 'pg'
import { isPostgresError } from '../../../lib/store/postgres-error.ts'

describe('postgres-error', () => {
  it('is what the server said, and nothing else that went wrong', () => {
    const said = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '23505', severity: 'ERROR' })
    expect(isPostgresError(said)).equal(true)
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    for (const other of [refused, new Error('timeout'), { code: '23505', severity: 'ERROR' }, undefined])
      expect(isPostgresError(other)).equal(false)
  })
})
