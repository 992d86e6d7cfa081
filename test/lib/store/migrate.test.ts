import { expect } from 'chai'
import { sql } from 'kysely'
import { migrate } from '../../../lib/store/migrate.ts'
import { MIGRATIONS } from '../../../lib/store/migrations/index.ts'
import { REQUEST_COLUMNS } from '../../../lib/store/rows.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('migrations', () => {
  it('are numbered upwards', () => {
    expect(MIGRATIONS.map(({ version }) => version)).deep.equal(MIGRATIONS.map((_, i) => i + 1))
  })

  onEveryStore(store => {
    const versions = async () =>
      (await store().db.selectFrom('schema_versions').select('version').orderBy('version').execute()).map(
        row => row.version,
      )

    it('run once, however many processes start together', async () => {
      await Promise.all([1, 2, 3].map(() => migrate(store())))
      expect(await versions()).deep.equal(MIGRATIONS.map(({ version }) => version))
    })

    it('run where they are new, all or nothing', async () => {
      const good = { version: 1001, statements: () => ['create table extra (a integer)'] }
      const bad = { version: 1002, statements: () => ['create table more (a integer)', 'create nonsense'] }
      const failed = await migrate(store(), [...MIGRATIONS, good, bad]).catch(() => 'failed')
      expect(failed).equal('failed')
      expect(await versions()).not.include(1001)
      await migrate(store(), [...MIGRATIONS, good])
      await sql`insert into extra values (1)`.execute(store().db)
      await migrate(store(), [...MIGRATIONS, good])
      expect(await versions()).include(1001)
    })

    it('make every column that rows have', async () => {
      const names = REQUEST_COLUMNS.map(({ name }) => sql.ref(name))
      for (const table of ['requests', 'request_errors']) {
        const { rows } = await sql`select ${sql.join(names)} from ${sql.table(table)}`.execute(store().db)
        expect(rows).deep.equal([])
      }
    })
  })
})
